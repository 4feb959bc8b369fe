import type { Transaction } from "sequelize";

import type { Actor } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { missing } from "../../platform/errors/errors.ts";
import { changeWithin } from "./write-post.ts";

interface Publishing {
  readonly actor: Actor;
  readonly transaction: Transaction;
}

/**
 * Publishes a post that is a draft; one that is public, or will be at its own time, is left as editors
 * have it.
 * @returns whether it was a draft
 * @throws AppError missing, or an Error where those who want the news cannot be told
 */
export async function publishDraft(
  id: number,
  { actor, transaction }: Publishing,
  context: Context,
): Promise<boolean> {
  const lock = transaction.LOCK.NO_KEY_UPDATE;
  const post = await context.models.Post.findByPk(id, {
    attributes: ["status"],
    lock,
    transaction,
  });
  if (!post) throw missing("Unknown post");
  if (post.status === "published") return false;
  const change = { status: "published" } as const;
  const { isAnnounced } = await changeWithin(id, change, { actor, transaction }, context);
  if (!isAnnounced) throw new Error("the post could not be announced");
  return true;
}

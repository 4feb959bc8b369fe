import type { Transaction } from "sequelize";

import type { Post } from "../../../models/content/post.ts";
import { tell } from "../../facts/tell.ts";
import { type By, recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";

/** What announcing needs of the context. */
export type Announcing = Pick<Context, "queue" | "log">;

/**
 * Tells the log and who wants the news of a post that became public for the first time. Runs once in
 * the life of a post, in the transaction that marks it as announced.
 * @param by who published it; nobody where its time came
 * @returns false where those who want the news cannot be told
 */
export async function announcePost(
  { id, slug }: Pick<Post, "id" | "slug">,
  by: By,
  transaction: Transaction,
  context: Announcing,
): Promise<boolean> {
  const target = { type: "post", id };
  const line = { ...by, action: "post.published", target, detail: { slug } };
  await recordActivity(line, transaction);
  const ref = String(id);
  const announcements = [{ stream: "news.post", ref, key: `post ${ref}` } as const];
  return tell({ announcements }, { within: transaction, context });
}

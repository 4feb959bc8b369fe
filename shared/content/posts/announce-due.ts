import type { Transaction } from "sequelize";

import type { Post } from "../../../models/content/post.ts";
import type { Actor } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { announcePost, type Announcing } from "./announce-post.ts";

/**
 * Sees to it that a published post is announced: now, or when its time has come. The job that does
 * it then is made in the transaction of the change.
 * @returns false where it is to be announced now and cannot be
 */
export async function announceOrSchedule(
  { id, status, publishedAt, announcedAt }: Post,
  actor: Actor,
  transaction: Transaction,
  context: Announcing,
): Promise<boolean> {
  if (status === "draft" || publishedAt === null || announcedAt) return true;
  const due = await modelsOf(transaction).Post.announceOnce(id, transaction);
  if (due) return announcePost(due, { actor }, transaction, context);
  const options = { startAfter: publishedAt, within: transaction };
  await context.queue.enqueue("content.announce-posts", {}, options);
  return true;
}

/**
 * Announces every post whose time has come, each in a transaction of its own: what a killed worker
 * leaves undone is found by the next attempt. @returns how many
 */
export async function announceDuePosts(
  context: Announcing & Pick<Context, "sequelize" | "models">,
): Promise<{ announced: number }> {
  const { sequelize, models } = context;
  const due = await models.Post.scope("due").findAll({
    attributes: ["id"],
    order: ["publishedAt"],
  });
  let announced = 0;
  for (const { id } of due) {
    announced += await inTransaction(sequelize, async (transaction) => {
      const post = await models.Post.announceOnce(id, transaction);
      if (post) await announcePost(post, { actorId: null }, transaction, context);
      return post ? 1 : 0;
    });
  }
  return { announced };
}

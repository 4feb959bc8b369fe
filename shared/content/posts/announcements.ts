import type { Transaction } from "sequelize";

import type { Post } from "../../../models/content/post.ts";
import { tell } from "../../facts/tell.ts";
import { type Actor, type By, recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";

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

/** What announcing needs of the context. */
type Announcing = Pick<Context, "queue" | "log">;

/**
 * Tells the log and who wants the news of a post that became public for the first time. Runs once in
 * the life of a post, in the transaction that marks it as announced.
 * @param by who published it; nobody where its time came
 * @returns false where those who want the news cannot be told
 */
async function announcePost(
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

import type { Transaction } from "sequelize";

import type { Post } from "../../../models/content/post.ts";
import { publishFacts } from "../../facts/publish-facts.ts";
import {
  type Actor,
  type ActivityActor,
  recordActivity,
} from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";

/** Announces a post now, or schedules a job for its time. @returns false if the announcement was not stored */
export async function announceOrSchedulePost(
  { id, status, publishedAt, announcedAt }: Post,
  actor: Actor,
  transaction: Transaction,
  context: AnnounceContext,
): Promise<boolean> {
  if (status === "draft" || publishedAt === null || announcedAt) return true;
  const due = await modelsOf(transaction).Post.announceOnce(id, transaction);
  if (due) return announcePost(due, { actor }, transaction, context);
  const options = { startAfter: publishedAt, within: transaction };
  await context.queue.enqueue("content.announce-posts", {}, options);
  return true;
}

/** Announces due posts in a transaction each, so a retry skips announced ones. @returns their number */
export async function announceDuePosts(
  context: AnnounceContext & Pick<Context, "sequelize" | "models">,
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

type AnnounceContext = Pick<Context, "queue" | "log">;

/**
 * Records and announces that a post became public, in the transaction that marks it as announced.
 * @param by the editor who published the post; nobody if the publication was scheduled
 * @returns false if the announcement could not be stored
 */
async function announcePost(
  { id, slug }: Pick<Post, "id" | "slug">,
  by: ActivityActor,
  transaction: Transaction,
  context: AnnounceContext,
): Promise<boolean> {
  const target = { type: "post", id };
  const line = { ...by, action: "post.published", target, detail: { slug } };
  await recordActivity(line, transaction);
  const ref = String(id);
  const announcements = [{ stream: "news.post", ref, key: `post ${ref}` } as const];
  return publishFacts({ announcements }, { within: transaction, context });
}

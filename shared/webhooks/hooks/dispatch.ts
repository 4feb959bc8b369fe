import { Op, type Transaction } from "sequelize";

import type { EventRun } from "../../../models/events/event-run.ts";
import type { Push } from "../../../models/push/push.ts";
import { clockNowPlus } from "../../../models/queries/clock.ts";
import { webAppUrls } from "../../content/addresses.ts";
import { announcedCondition } from "../../events/announced/announced.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { type ImageRules, findAllowedImage } from "../../platform/net/image-address.ts";
import { findShardKind } from "../../shard/kinds/kinds.ts";
import { pickVisibleFields } from "../../shard/visibility/view.ts";
import { createFieldCheck, type Visibility } from "../../shard/visibility/visibility.ts";
import type { HookContext } from "../context.ts";
import {
  type HookStream,
  hookStreamsOf,
  isPublicStream,
  isRunStream,
} from "../messages/hook-streams.ts";

/** How long a delivery is attempted. */
export const maxDeliveryMs = 24 * 3_600_000;

const whereSubscribed = (streams: readonly HookStream[]) => ({
  enabled: true,
  streams: { [Op.overlap]: [...streams] },
});

/** A push to one user stays private even if its stream is public. */
const isPublicPush = ({ userId }: Pick<Push, "userId">): boolean => userId === null;

/** Schedules the dispatch of a public push if any webhook subscribes to its stream. */
export async function scheduleHookDispatch(
  push: Pick<Push, "id" | "stream" | "userId">,
  transaction: Transaction,
  { models, queue }: Pick<Context, "models" | "queue">,
): Promise<void> {
  const { id: pushId, stream } = push;
  const streams = hookStreamsOf(stream);
  if (streams.length === 0 || !isPublicPush(push)) return;
  const wanted = await models.Webhook.count({ where: whereSubscribed(streams), transaction });
  if (wanted > 0) await queue.enqueue("webhook.dispatch", { pushId }, { within: transaction });
}

/**
 * Creates one delivery per subscribed webhook. The payload is fixed here, so that all attempts send the same
 * payload.
 */
export async function dispatchToHooks(pushId: number, context: HookContext): Promise<void> {
  await inTransaction(context.sequelize, async (transaction) => {
    const { Push, Webhook, WebhookDelivery } = context.models;
    const push = await Push.findByPk(pushId, { transaction });
    if (!push || !isPublicPush(push)) return;
    if (!isPublicStream(push.stream, context.visibility.current)) return;
    const seeing = { transaction, visibility: context.visibility.current, config: context.config };
    const event = await readPublicEvent(push, seeing);
    if (event === undefined) return;
    const lock = transaction.LOCK.KEY_SHARE;
    const streams = hookStreamsOf(push.stream);
    const where = whereSubscribed(streams);
    const hooks = await Webhook.findAll({
      attributes: ["id", "streams"],
      where,
      transaction,
      lock,
    });
    const common = { pushId, data: { ref: push.ref, event }, happenedAt: push.createdAt };
    await WebhookDelivery.bulkCreate(
      hooks.map(({ id: webhookId, streams: wanted }) => ({
        ...common,
        webhookId,
        // The name of the narrowest stream that the webhook subscribes to.
        stream: streams.find((name) => wanted.includes(name)) ?? push.stream,
        giveUpAt: clockNowPlus(maxDeliveryMs),
      })),
      { transaction, ignoreDuplicates: true },
    );
    const orders = hooks.map(({ id: webhookId }) => ({ webhookId }));
    await context.queue.enqueueAll("webhook.send", orders, transaction);
  });
}

/** The event as an anonymous user sees it; null if anonymous users see only the `ref` of the push. */
type PublicEvent = Readonly<Record<string, unknown>> | null;

interface PublicReadContext {
  readonly transaction: Transaction;
  readonly visibility: Visibility;
  readonly config: ImageRules;
}

type AnnouncedPush = Pick<Push, "stream" | "ref" | "shardEventId">;

/** Reads an event. @returns undefined if it was withdrawn or is not public */
async function readPublicEvent(
  push: AnnouncedPush,
  seeing: PublicReadContext,
): Promise<PublicEvent | undefined> {
  const { stream, ref, shardEventId } = push;
  if (stream === "news.post") return readPost(Number(ref), seeing);
  if (stream === "site.notice") return (await readRun(Number(ref), seeing)) ?? null;
  if (isRunStream(stream)) {
    const run = await readRun(Number(ref), seeing);
    return run && { kind: stream, ...run };
  }
  return shardEventId === null ? null : readShardEvent(shardEventId, seeing);
}

async function readShardEvent(
  eventId: number,
  { transaction, visibility }: PublicReadContext,
): Promise<PublicEvent> {
  const event = await modelsOf(transaction).ShardEvent.findByPk(eventId, { transaction });
  const kind = event && findShardKind(event.kind);
  if (!kind?.feature || event?.reach !== "public") return null;
  const { id, kind: name, t, bootId, payload, createdAt } = event;
  const maySee = createFieldCheck(visibility, kind.feature, "anonymous");
  return {
    id,
    kind: name,
    t,
    bootId,
    payload: pickVisibleFields(kind.view, payload, maySee),
    createdAt,
  };
}

async function readPost(
  id: number,
  { transaction, config }: PublicReadContext,
): Promise<PublicEvent | undefined> {
  const post = await modelsOf(transaction).Post.scope("visible").findByPk(id, { transaction });
  if (!post) return undefined;
  return {
    id,
    slug: post.slug,
    title: post.title,
    excerpt: post.excerpt ?? post.autoExcerpt,
    image_url: findAllowedImage(post.imageUrl, config),
    tags: post.tags,
    published_at: post.publishedAt,
    url: `${config.PUBLIC_BASE_URL}/news/${post.slug}`,
  };
}

/** Reads a run of an announced event; a rehearsal is not public. */
async function readRun(
  id: number,
  { transaction, config }: PublicReadContext,
): Promise<PublicEvent | undefined> {
  const run: EventRun | null = await modelsOf(transaction).EventRun.findOne({
    attributes: ["startedAt", "endedAt"],
    where: { id, rehearsal: false },
    include: [
      {
        association: "definition",
        attributes: ["slug"],
        required: true,
        where: announcedCondition.where,
        include: [{ ...announcedCondition.version, attributes: ["title"] }],
      },
    ],
    transaction,
  });
  const definition = run?.definition;
  if (!run || !definition?.currentVersion) return undefined;
  const { slug, currentVersion } = definition;
  return {
    runId: id,
    title: currentVersion.title,
    slug,
    eventUrl: webAppUrls.run({ slug, runId: id }, config.PUBLIC_BASE_URL),
    startedAt: run.startedAt,
    endedAt: run.endedAt,
  };
}

import type { Transaction } from "sequelize";

import type { EventRun } from "../../../models/events/event-run.ts";
import type { Push } from "../../../models/push/push.ts";
import { addresses } from "../../content/addresses.ts";
import { announced } from "../../events/announced/announced.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { type ImageRules, shownImage } from "../../platform/net/image-address.ts";
import { findKind } from "../../shard/kinds/kinds.ts";
import { show } from "../../shard/visibility/view.ts";
import { maySeeFor, type Visibility } from "../../shard/visibility/visibility.ts";
import { isOfRun } from "../catalogue/hook-streams.ts";

/** What an anonymous caller would see of what happened; null where that is nothing but its `ref`. */
export type PublicEvent = Readonly<Record<string, unknown>> | null;

interface Seeing {
  readonly transaction: Transaction;
  readonly visibility: Visibility;
  readonly config: ImageRules;
}

type Announced = Pick<Push, "stream" | "ref" | "shardEventId">;

/** @returns undefined when it is no longer to be told: it was withdrawn, or is not for everybody */
export async function readPublicEvent(
  push: Announced,
  seeing: Seeing,
): Promise<PublicEvent | undefined> {
  const { stream, ref, shardEventId } = push;
  if (stream === "news.post") return readPost(Number(ref), seeing);
  if (stream === "site.notice") return (await readRun(Number(ref), seeing)) ?? null;
  if (isOfRun(stream)) {
    const run = await readRun(Number(ref), seeing);
    return run && { kind: stream, ...run };
  }
  return shardEventId === null ? null : readShardEvent(shardEventId, seeing);
}

async function readShardEvent(
  eventId: number,
  { transaction, visibility }: Seeing,
): Promise<PublicEvent> {
  const event = await modelsOf(transaction).ShardEvent.findByPk(eventId, { transaction });
  const kind = event && findKind(event.kind);
  if (!kind?.feature || event?.reach !== "public") return null;
  const { id, kind: name, t, bootId, payload, createdAt } = event;
  const maySee = maySeeFor(visibility, kind.feature, "anonymous");
  return { id, kind: name, t, bootId, payload: show(kind.view, payload, maySee), createdAt };
}

async function readPost(
  id: number,
  { transaction, config }: Seeing,
): Promise<PublicEvent | undefined> {
  const post = await modelsOf(transaction).Post.scope("visible").findByPk(id, { transaction });
  if (!post) return undefined;
  return {
    id,
    slug: post.slug,
    title: post.title,
    excerpt: post.excerpt ?? post.autoExcerpt,
    image_url: shownImage(post.imageUrl, config),
    tags: post.tags,
    published_at: post.publishedAt,
    url: `${config.PUBLIC_BASE_URL}/news/${post.slug}`,
  };
}

/** Of a run that is no rehearsal, of an event that is announced. */
async function readRun(
  id: number,
  { transaction, config }: Seeing,
): Promise<PublicEvent | undefined> {
  const run: EventRun | null = await modelsOf(transaction).EventRun.findOne({
    attributes: ["startedAt", "endedAt"],
    where: { id, rehearsal: false },
    include: [
      {
        association: "definition",
        attributes: ["slug"],
        required: true,
        where: announced.where,
        include: [{ ...announced.version, attributes: ["title"] }],
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
    eventUrl: addresses.run({ slug, runId: id }, config.PUBLIC_BASE_URL),
    startedAt: run.startedAt,
    endedAt: run.endedAt,
  };
}

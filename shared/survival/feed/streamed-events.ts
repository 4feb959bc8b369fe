import type { SurvivalEvent } from "../../../models/survival/survival-event.ts";
import type { Context } from "../../platform/context.ts";
import { queryPrepared } from "../../platform/db/connection/prepared.ts";
import { firstRow, rows } from "../../platform/db/rows.ts";
import { selectHiddenChatSql, selectStreamedEvents, selectStreamStartSql } from "./events.sql.ts";
import { type FeedKind, feedKinds } from "./feed-text.ts";
import { type FeedAccess, type FeedEvent, feedEventOf } from "./feed.ts";

type Parts = Pick<Context, "sequelize" | "config" | "models">;

/** A stored event of the feed, as the streams of its server read it. */
export interface StreamedEvent extends Readonly<Pick<SurvivalEvent, "id" | "t" | "createdAt">> {
  readonly kind: FeedKind;
  /** The payload as JSON; empty for a hidden chat message. */
  readonly payload: string;
  /** True if staff had hidden the chat message when it was read. */
  readonly hidden: boolean;
}

interface IdRange {
  readonly afterId: number;
  /** By default the newest event. */
  readonly untilId?: number;
}

/** Reads the next events of a server's feed, oldest first, including hidden chat messages. */
export const readStreamedEvents = (
  serverId: number,
  kinds: readonly FeedKind[],
  { afterId, untilId = Number.MAX_SAFE_INTEGER, limit }: IdRange & { readonly limit: number },
  context: Parts,
): Promise<StreamedEvent[]> =>
  queryPrepared<StreamedEvent>(
    selectStreamedEvents,
    [serverId, kinds, afterId, untilId, limit],
    context,
  );

/** Returns the id before the newest `count` events of a server's feed. */
export async function findStreamStart(
  serverId: number,
  count: number,
  { sequelize }: Parts,
): Promise<number> {
  const values = [serverId, feedKinds, count];
  const row = await firstRow<{ start: number }>(sequelize, selectStreamStartSql, values);
  return row?.start ?? 0;
}

/** Returns true if the feed of a server has, or had, an event with this id. */
export async function wasEventInFeed(
  serverId: number,
  id: number,
  { models }: Parts,
): Promise<boolean> {
  return (await models.SurvivalEvent.count({ where: { id, serverId, kind: feedKinds } })) > 0;
}

/** Returns the ids of the newest `count` hidden chat messages of a server, oldest first. */
export async function readHiddenChat(
  serverId: number,
  count: number,
  { sequelize }: Parts,
): Promise<readonly number[]> {
  const found = await rows<{ id: number }>(sequelize, selectHiddenChatSql, [serverId, count]);
  return found.map(({ id }) => id);
}

/** Returns an event in the shape of the feed, with the fields that the viewer may see. */
export const toFeedEvent = (
  { id, kind, t, payload }: StreamedEvent,
  sight: FeedAccess,
): FeedEvent =>
  feedEventOf({ id, kind, t, payload: JSON.parse(payload) as Record<string, unknown> }, sight);

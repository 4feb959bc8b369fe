import type { Cursor, PlacedGap, StreamFrame } from "../../bridge/frames.ts";
import { cursorAfter } from "../../bridge/intake.ts";
import type { Sql } from "../../db/sql.ts";
import { type Ownership, OwnershipLost } from "../../ingest/ownership.ts";
import { findKind } from "../kinds.ts";
import { applyStates } from "../states/apply.ts";
import type { FedEvent } from "../states/fed-event.ts";
import { followPresence } from "../states/presence.ts";
import { markStale } from "../states/stale.ts";
import { type CheckedEvent, type CheckedFrames, checkFrames } from "./checked-frames.ts";
import { insertEvents } from "./insert-events.ts";
import { decideReach } from "./reach.ts";
import { keepRejected } from "./rejected-frames.ts";

/** Stores a part of a batch, whole or not at all. @returns the place it covers, if it has one */
export type StorePart = (
  frames: readonly StreamFrame[],
  owner: Ownership,
) => Promise<Cursor | null>;

/**
 * Stores a batch of frames, each part of it in one transaction: events, what they make of the
 * states, refused frames, counts and the cursor; then one notification.
 * @returns the committed place, or null when no frame had one
 * @throws {OwnershipLost} when another process has taken over; nothing was stored then
 */
export async function storeBatch(
  frames: readonly StreamFrame[],
  owner: Ownership,
  store: StorePart = storePart,
): Promise<Cursor | null> {
  const cursors = [];
  for (const part of splitAtNews(frames)) cursors.push(await store(part, owner));
  return cursors.findLast((cursor) => cursor !== null) ?? null;
}

/**
 * Begins a part at every frame that speaks of the stream itself: a recreated buffer is another
 * epoch, and what is lost makes nothing doubtful that comes after it.
 */
function splitAtNews(frames: readonly StreamFrame[]): StreamFrame[][] {
  const parts: StreamFrame[][] = [[]];
  for (const frame of frames) {
    if (isNews(frame) && parts.at(-1)?.length) parts.push([]);
    parts.at(-1)?.push(frame);
  }
  return parts;
}

const isNews = ({ type }: StreamFrame): boolean => ["hello", "gap", "plugin"].includes(type);

/** Stores frames of which none but the first may speak of the stream itself. */
export const storePart: StorePart = async (frames, owner) => {
  const checked = checkFrames(frames);
  const cursor = cursorAfter(frames);
  const work = (sql: Sql) => write(frames, checked, { owner, sql, cursor });
  await (isPlain(frames, checked) ? owner.use(work) : owner.useTransaction(work));
  return cursor;
};

/** Plain events need no more than the one statement, which is a transaction by itself. */
function isPlain(frames: readonly StreamFrame[], { events, rejected }: CheckedFrames): boolean {
  return !frames.some(isNews) && rejected.length === 0 && !events.some(feedsState);
}

const feedsState = ({ frame }: CheckedEvent): boolean => findKind(frame.kind)?.feeds !== undefined;

interface Target {
  readonly owner: Ownership;
  readonly sql: Sql;
  readonly cursor: Cursor | null;
}

async function write(
  frames: readonly StreamFrame[],
  { events, rejected }: CheckedFrames,
  { owner, sql, cursor }: Target,
): Promise<void> {
  await markStale(owner.source, frames, sql);
  const reach = await decideReach(events, sql);
  const gaps = frames.filter((frame): frame is PlacedGap => frame.type === "gap").length;
  const wantsIds = events.some(feedsState);
  const batch = { events, reach, cursor, rejected: rejected.length, gaps, wantsIds };
  const { owned, bootId, stored, ids } = await insertEvents(owner, sql, batch);
  if (!owned) throw new OwnershipLost(owner.source);
  await countDuplicates(owner, events.length - stored, sql);
  await keepRejected(owner.source, rejected, sql);
  const fed = events.flatMap((event): FedEvent[] => {
    const id = ids.get(event.frame.seq);
    return id !== undefined && feedsState(event) ? [{ ...event, id }] : [];
  });
  const { source } = owner;
  const unchanged = await followPresence(frames, fed, { source, sql, bootId });
  unchanged.push(...(await applyStates(source, fed, sql)));
  await silence(unchanged, sql);
}

async function countDuplicates(owner: Ownership, duplicates: number, sql: Sql): Promise<void> {
  if (duplicates === 0) return;
  await sql.query("update ingest_sources set duplicates = duplicates + $2 where source = $1", [
    owner.source,
    duplicates,
  ]);
}

/** What changed nothing is kept, and not streamed. */
async function silence(unchanged: readonly FedEvent[], sql: Sql): Promise<void> {
  if (unchanged.length === 0) return;
  await sql.query("update shard_events set reach = 'none' where id = any($1)", [
    unchanged.map(({ id }) => id),
  ]);
}

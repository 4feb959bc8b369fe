import type { Sequelize } from "sequelize";

import type { Models } from "../../models/index.ts";
import {
  readEventsBetween,
  type StreamEvent,
  wasStreamed,
} from "../../shared/shard/streams/stored-events.ts";
import type { Visibility } from "../../shared/shard/visibility/visibility.ts";
import type { Audience } from "./audience.ts";
import { frameFor } from "./frames.ts";
import type { RecentEvents } from "./recent-events.ts";
import { streams } from "./streams.ts";

/** What a client may catch up on; past it, reading everything anew costs it, and us, less. */
const replayLimits = { events: 1_000, bytes: 4 * 1024 * 1024, ageMs: 10 * 60_000 };
const pageSize = { rows: 250, bytes: 1024 * 1024 };

/**
 * Why state is to be read anew: the last event id is `malformed`, or `unknown` here; what was missed
 * is `too_many` or `too_old`; or `notices`, which have no ids, may have been lost amid the stream.
 */
export const resetReasons = ["malformed", "unknown", "too_many", "too_old", "notices"] as const;
export type ResetReason = (typeof resetReasons)[number];

/** What missed events are read from. */
export interface History {
  readonly recent: RecentEvents;
  readonly sequelize: Sequelize;
  readonly models: Models;
  /** Reads on until everything stored before the call is in `recent`. */
  readonly drain: () => Promise<void>;
  readonly visibility: () => Visibility;
}

export interface Missed {
  /** The event the client names. */
  readonly lastId: number;
  readonly frames: readonly Buffer[];
  /** The event of the last frame; `lastId` where there is none. */
  readonly seenId: number;
  /** How far the events were read. */
  readonly untilId: number;
}

export type Replay = Missed | { readonly reset: ResetReason };

/**
 * What a client missed since the event it names: those its audience may see, and no others count.
 * Asks for a reset where the id is none of ours, or too old.
 */
export async function replaySince(
  given: string,
  audience: Audience,
  history: History,
): Promise<Replay> {
  const lastId = parseEventId(given);
  if (lastId === undefined) return { reset: "malformed" };
  // The process it was connected to before may have read further than this one.
  if (lastId > history.recent.position) await history.drain();
  const untilId = history.recent.position;
  if (lastId > untilId || !(await isKnown(lastId, history))) return { reset: "unknown" };
  const frames: Buffer[] = [];
  let bytes = 0;
  let seenId = lastId;
  const oldest = Date.now() - replayLimits.ageMs;
  for await (const { event, frame } of seenBetween(lastId, untilId, audience, history)) {
    if (event.createdAt.getTime() < oldest) return { reset: "too_old" };
    bytes += frame.length;
    const isTooMuch = frames.length === replayLimits.events || bytes > replayLimits.bytes;
    if (isTooMuch) return { reset: "too_many" };
    frames.push(frame);
    seenId = event.id;
  }
  return { lastId, frames, seenId, untilId };
}

/**
 * The frames an audience sees of the events between two ids, read in pages. The database is asked
 * for kinds that it can see, since all others would be read for nothing.
 */
export async function* seenBetween(
  afterId: number,
  untilId: number,
  audience: Audience,
  history: History,
): AsyncGenerator<{ event: StreamEvent; frame: Buffer }> {
  let page = history.recent.after(afterId) ?? (await readPage(afterId, untilId, audience, history));
  for (;;) {
    for (const event of page) {
      const frame = event.id > untilId ? null : frameFor(event, audience, history.visibility());
      if (frame) yield { event, frame };
    }
    const lastId = page.at(-1)?.id ?? untilId;
    if (lastId >= untilId) return;
    page = await readPage(lastId, untilId, audience, history);
  }
}

function readPage(
  afterId: number,
  untilId: number,
  { stream, rung }: Audience,
  { sequelize, visibility }: History,
): Promise<readonly StreamEvent[]> {
  const { reaches, kinds } = streams[stream];
  const range = { afterId, untilId, reaches, kinds: kinds(rung, visibility()) };
  return readEventsBetween(sequelize, range, pageSize);
}

/** 0 stands before the first event. */
const isKnown = async (id: number, { recent, models }: History): Promise<boolean> =>
  id === 0 || recent.after(id) !== undefined || (await wasStreamed(id, { models }));

function parseEventId(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}

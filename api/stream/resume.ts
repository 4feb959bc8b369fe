import type { Audience } from "./audience.ts";
import type { EventLogEntry, EventLogSource } from "./log-source.ts";
import type { RecentEvents } from "./recent-events.ts";

/** The limits of a replay. Beyond them, reading the state again is cheaper for both sides. */
const replayLimits = { events: 1_000, bytes: 4 * 1024 * 1024, ageMs: 10 * 60_000 };

/**
 * The reasons why a client must read the state again: its last event id is `malformed` or `unknown`; the missed
 * events are `too_many` or `too_old`; or messages without ids may have been lost (`notices`).
 */
export const resetReasons = ["malformed", "unknown", "too_many", "too_old", "notices"] as const;
export type ResetReason = (typeof resetReasons)[number];

/** The sources of missed events. */
export interface ReplaySources<Event extends EventLogEntry = EventLogEntry> {
  readonly recent: RecentEvents<Event>;
  readonly source: EventLogSource<Event>;
  /** Reads until all events stored before the call are in `recent`. */
  readonly drain: () => Promise<void>;
}

export interface MissedEvents {
  /** The id of the last event that the client received. */
  readonly lastId: number;
  readonly frames: readonly Buffer[];
  /** The id of the event in the last frame; `lastId` without frames. */
  readonly seenId: number;
  /** The id of the last event that was read, even if the audience does not see it. */
  readonly untilId: number;
}

export type ReplayResult = MissedEvents | { readonly reset: ResetReason };

/** Returns the missed events that the audience may see, or a reset if the id is unknown or they are too many. */
export async function replaySince<Event extends EventLogEntry>(
  given: string,
  audience: Audience,
  history: ReplaySources<Event>,
): Promise<ReplayResult> {
  const lastId = parseEventId(given);
  if (lastId === undefined) return { reset: "malformed" };
  // The process that served the client before may have read further than this process.
  if (lastId > history.recent.position) await history.drain();
  const untilId = history.recent.position;
  if (lastId > untilId || !(await isKnown(lastId, history))) return { reset: "unknown" };
  const frames: Buffer[] = [];
  let bytes = 0;
  let seenId = lastId;
  const oldest = Date.now() - replayLimits.ageMs;
  for await (const { event, frame } of readVisibleFrames(lastId, untilId, audience, history)) {
    if (event.createdAt.getTime() < oldest) return { reset: "too_old" };
    bytes += frame.length;
    const isTooMuch = frames.length === replayLimits.events || bytes > replayLimits.bytes;
    if (isTooMuch) return { reset: "too_many" };
    frames.push(frame);
    seenId = event.id;
  }
  return { lastId, frames, seenId, untilId };
}

/** Yields the frames that an audience sees between two ids, in pages. The query selects only visible kinds. */
export async function* readVisibleFrames<Event extends EventLogEntry>(
  afterId: number,
  untilId: number,
  audience: Audience,
  { recent, source }: ReplaySources<Event>,
): AsyncGenerator<{ event: Event; frame: Buffer }> {
  let page = recent.after(afterId) ?? (await source.readMissed(afterId, untilId, audience));
  for (;;) {
    for (const event of page) {
      const frame = event.id > untilId ? null : source.frameOf(event, audience);
      if (frame) yield { event, frame };
    }
    const lastId = page.at(-1)?.id ?? untilId;
    if (lastId >= untilId) return;
    page = await source.readMissed(lastId, untilId, audience);
  }
}

/** Returns true if an event with this id was streamed. The id 0 is valid too: it is before the first event. */
const isKnown = async <Event extends EventLogEntry>(
  id: number,
  { recent, source }: ReplaySources<Event>,
): Promise<boolean> => id === 0 || recent.after(id) !== undefined || (await source.wasStreamed(id));

function parseEventId(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}

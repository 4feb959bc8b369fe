import { isDeepStrictEqual } from "node:util";

import { projectEvent } from "../../shared/shard/streams/projection.ts";
import type { PayloadFields } from "../../shared/shard/visibility/view.ts";
import type { Visibility } from "../../shared/shard/visibility/visibility.ts";
import type { Block } from "../support/http/event-stream.ts";
import type { StoredEvent } from "./check-store.ts";
import type { Follower, StreamConnection } from "./follower.ts";
import type { History } from "./history.ts";

export interface StreamFindings {
  readonly name: string;
  readonly connections: number;
  readonly received: number;
  readonly resets: number;
}

/** The maximum number of events in a replay. Only a client that missed more may get a reset. */
const mostReplayed = 1_000;

/** Returns the fields of an event in this stream, or null if the stream does not contain it. */
type Carried = (event: StoredEvent) => PayloadFields | null;

export function streamProjectionOf(stream: Follower["stream"], visibility: Visibility): Carried {
  return stream === "public"
    ? (event) => projectEvent(event, "anonymous", visibility)
    : ({ reach, payload }) => (reach === "none" ? null : payload);
}

/**
 * Compares the blocks that a follower received over all its connections with the stored events. Ids
 * must grow, and each event since the follower's first hello must arrive once. Events that a
 * justified reset skipped may be missing.
 */
export function checkStream(
  follower: Follower,
  stored: readonly StoredEvent[],
  carried: Carried,
  history: History,
): StreamFindings {
  const { name, legs } = follower;
  const due = stored.flatMap((event) => {
    const payload = carried(event);
    return payload ? [{ event, payload }] : [];
  });
  const ids = due.map(({ event }) => event.id);
  const skipped = legs.flatMap((leg) => skippedBy(leg, name, ids, history));
  const received = checkReceived(follower, new Map(due.map((one) => [one.event.id, one])), history);
  const from = helloOf(legs[0])?.id ?? Infinity;
  const to = follower.lastEventId ?? 0;
  for (const id of ids) {
    const isSkipped = skipped.some(({ after, until }) => id > after && id <= until);
    if (id <= from || id > to || isSkipped || received.has(id)) continue;
    history.violate(`${name} missed an event`, { id });
  }
  history.claim(`${name} has the newest event`, (ids.at(-1) ?? 0) <= to, {
    to,
    newest: ids.at(-1),
  });
  return { name, connections: legs.length, received: received.size, resets: skipped.length };
}

const helloOf = (leg: StreamConnection | undefined): Block | undefined =>
  leg?.blocks.find(({ event }) => event === "hello");

interface Stretch {
  readonly after: number;
  readonly until: number;
}

/**
 * Returns the ranges of ids that a reset skipped. Reports a reset that was not justified. A reset with the reason
 * `notices` skips no ids.
 */
function skippedBy(
  leg: StreamConnection,
  name: string,
  ids: readonly number[],
  history: History,
): Stretch[] {
  const reset = leg.blocks.find(
    (block) => block.event === "reset" && reasonOf(block) !== "notices",
  );
  if (!reset) return [];
  const after = leg.asked ?? 0;
  const until = helloOf(leg)?.id ?? 0;
  const reason = reasonOf(reset);
  const missed = ids.filter((id) => id > after && id <= until).length;
  const isDue = reason === "too_many" && missed > mostReplayed;
  history.claim(`${name} is reset only when it missed too much`, isDue, { reason, missed, after });
  return [{ after, until }];
}

const reasonOf = ({ data }: Block): string => (data as { reason: string }).reason;

/** Requires received events to be of the stream, with growing ids. @returns the ids */
function checkReceived(
  { name, legs }: Follower,
  due: ReadonlyMap<number, { event: StoredEvent; payload: PayloadFields }>,
  history: History,
): Set<number> {
  const received = new Set<number>();
  let last = 0;
  for (const { id = 0, event, data } of legs.flatMap(({ blocks }) => blocks)) {
    if (event !== undefined || data === undefined) continue;
    history.claim(`the ids of ${name} rise`, id > last, { id, last });
    last = id;
    received.add(id);
    const stored = due.get(id);
    const isRight = stored !== undefined && isDeepStrictEqual(data, blockData(stored));
    history.claim(`${name} is sent what its stream carries`, isRight, { id, data });
  }
  return received;
}

const blockData = ({ event, payload }: { event: StoredEvent; payload: PayloadFields }): object => {
  const { id, kind, t, bootId, createdAt } = event;
  return { id, kind, t, bootId, payload, createdAt: createdAt.toISOString() };
};

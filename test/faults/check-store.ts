import { readFileSync } from "node:fs";

import type { EventReach } from "../../shared/shard/streams/projection.ts";
import type { PayloadFields } from "../../shared/shard/visibility/view.ts";
import { shardDialect } from "../simulator/stream/forms.ts";
import { survivalDialect } from "../simulator/survival/dialect.ts";
import type { History } from "./history.ts";
import type { LoggedEvent } from "./shard.ts";

/** The position of a stored event of any game server. */
export interface StoredEventPosition {
  readonly id: number;
  readonly epoch: string;
  readonly seq: number;
  readonly eventKey: string | null;
  readonly bootId: string | null;
  readonly kind: string;
  readonly t: number;
}

export interface StoredEvent extends StoredEventPosition {
  readonly reach: EventReach;
  readonly payload: PayloadFields;
  readonly createdAt: Date;
}

export const storedEventsSql = `
  select id, epoch, seq, event_key as "eventKey", boot_id as "bootId", kind, t, reach, payload,
         created_at as "createdAt"
  from shard_events order by id`;

export interface StoreFindings {
  readonly emitted: number;
  readonly stored: number;
  /** The number of events that were lost with a buffer before the service read them. */
  readonly lostWithBuffer: number;
}

/**
 * Compares the stored events with the shard's log. Each event must be stored once and in order.
 * Only events in announced gaps and lost buffers may be missing.
 */
export function checkStore(
  log: readonly LoggedEvent[],
  stored: readonly StoredEventPosition[],
  journal: string,
  history: History,
): StoreFindings {
  checkOnce(stored, history);
  checkOrder(stored, history);
  checkGenuine(log, stored, history);
  const lostWithBuffer = checkWhole(log, stored, readAcks(journal), history);
  return { emitted: log.length, stored: stored.length, lostWithBuffer };
}

const placeOf = ({ epoch, seq }: { epoch: string; seq: number }): string => `${epoch} ${seq}`;

function checkOnce(stored: readonly StoredEventPosition[], history: History): void {
  const places = new Set<string>();
  const keys = new Set<string>();
  for (const event of stored) {
    history.claim("a place is stored once", !places.has(placeOf(event)), event);
    places.add(placeOf(event));
    if (event.eventKey === null) continue;
    history.claim("an event key is stored once", !keys.has(event.eventKey), event);
    keys.add(event.eventKey);
  }
}

/**
 * Readers follow the ids. So ids must grow with seq, and no event of an epoch may follow an event of a later
 * epoch.
 */
function checkOrder(stored: readonly StoredEventPosition[], history: History): void {
  const lastSeqs = new Map<string, number>();
  let current = "";
  for (const { id, epoch, seq } of stored) {
    const isReturn = epoch !== current && lastSeqs.has(epoch);
    history.claim("a replaced epoch is over", !isReturn, { id, epoch, seq });
    history.claim("ids rise with seq", seq > (lastSeqs.get(epoch) ?? -1), { id, epoch, seq });
    lastSeqs.set(epoch, seq);
    current = epoch;
  }
}

/** Requires each stored event to be one that the shard sent and that the service may accept. */
function checkGenuine(
  log: readonly LoggedEvent[],
  stored: readonly StoredEventPosition[],
  history: History,
): void {
  const said = new Map(log.map((event) => [placeOf(event), event]));
  for (const event of stored) {
    const source = said.get(placeOf(event));
    const kind = source && kindStored(source);
    const isSame =
      source?.stored === true &&
      kind === event.kind &&
      source.t === event.t &&
      source.bootId === event.bootId &&
      source.eventKey === event.eventKey;
    history.claim("what is stored is what was said", isSame, { event, source });
  }
}

/**
 * Returns the kind under which an event is stored. A fault sends some events with an unknown kind, but the
 * shard's log contains their original kind.
 */
const kindStored = ({ form, kind }: LoggedEvent): string =>
  form === "unknownKind" ? (unknownKinds.get(kind) ?? kind) : kind;

/** The unknown kinds that a fault of the shard sends, by the kind that each replaces. */
const unknownKinds = new Map(
  [shardDialect, survivalDialect].map(({ chat, unknownKind }) => [chat("").kind, unknownKind.kind]),
);

/**
 * Requires that only events in announced gaps and lost buffers are missing.
 * @returns the number of events that were lost with a buffer
 */
function checkWhole(
  log: readonly LoggedEvent[],
  stored: readonly StoredEventPosition[],
  acks: ReadonlyMap<string, number>,
  history: History,
): number {
  const places = new Set(stored.map(placeOf));
  const keys = new Set(stored.map(({ eventKey }) => eventKey));
  const lastSeqs = new Map(stored.map(({ epoch, seq }) => [epoch, seq]));
  const currentEpoch = log.at(-1)?.epoch;
  let lostWithBuffer = 0;
  for (const event of log) {
    const { epoch, seq, eventKey, kind } = event;
    if (!event.stored || places.has(placeOf(event))) continue;
    if (eventKey !== null && keys.has(eventKey)) continue;
    const isUnread = seq > (lastSeqs.get(epoch) ?? 0) && seq > (acks.get(epoch) ?? 0);
    if (epoch !== currentEpoch && isUnread) lostWithBuffer += 1;
    else history.violate("an event is missing", { epoch, seq, kind });
  }
  return lostWithBuffer;
}

/**
 * Returns the highest seq of each epoch that the service acknowledged. Events up to it must be
 * stored.
 */
function readAcks(journal: string): Map<string, number> {
  const acks = new Map<string, number>();
  let epoch = "";
  for (const text of readFileSync(journal, "utf8").split("\n")) {
    if (!/^\{"(?:epoch|acked)"/.test(text)) continue;
    const line = JSON.parse(text) as { epoch?: string; acked?: number };
    epoch = line.epoch ?? epoch;
    if (line.acked !== undefined) acks.set(epoch, line.acked);
  }
  return acks;
}

import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { Cursor, StreamFrame } from "../../platform/bridge/frames.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { jsonArray, wordArray } from "../../platform/db/sql-text.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { Ownership } from "../../platform/ingest/ownership.ts";
import { lookBack } from "../log/look-back.ts";
import { audienceOf } from "../streams/projection.ts";
import { concernsPush } from "./announce-events.ts";
import {
  type CheckedEvent,
  type CheckedFrames,
  concernsState,
  storedPayload,
} from "./checked-frames.ts";
import {
  mayBeAwaited,
  newsOf,
  noNews,
  storingToldNews,
  takingUnlessAwaited,
  valuesOfNews,
} from "./insert-news.ts";
import { concernsGates } from "./tell-gates.ts";

export interface Insertion extends CheckedFrames {
  readonly frames: readonly StreamFrame[];
  /** The position after the frames; null when none of them had one. */
  readonly cursor: Cursor | null;
  /**
   * For events that rest on no state: with them their news are stored, unless a job must be ordered
   * for one of them.
   */
  readonly plainly: boolean;
}

/** What became of the events. */
export interface Inserted {
  /** False when another process owns the source: nothing was written. */
  readonly owned: boolean;
  /** Whether somebody waits for one of the events, of which a job must tell: nothing was written. */
  readonly awaited: boolean;
  /** The game process that was known before. */
  readonly bootId: string | null;
  /** How many events were new; the rest were stored before. */
  readonly stored: number;
  /** The ids of new events by their seq, where any of the events concerns a state, a gate or is pushed. */
  readonly ids: ReadonlyMap<number, number>;
}

interface InsertedRow extends Pick<IngestSource, "bootId"> {
  readonly owned: number;
  readonly awaited: boolean;
  readonly stored: number;
  readonly ids: number[] | null;
  readonly seqs: number[] | null;
}

/**
 * What full parts of the log hold of a batch; both are asked once, not event by event. Mostly they
 * hold nothing from its first event on, and null is compared with nothing.
 */
const notedSeqs = `(select range_agg(noted.seqs) from shard_event_seqs noted
  where noted.source = $1 and noted.epoch = $8 and noted.seqs && int8range($17, null))`;
const notedKeys = `array(select noted.event_key from shard_event_keys noted
  where noted.source = $1 and noted.event_key = any($10))`;
const isNotNoted = `(${notedSeqs} @> event.seq) is not true
  and (event.event_key is null or event.event_key <> all(${notedKeys}))`;

/**
 * Of parts that are not noted yet. Those that were, a moment ago, have no such indexes any more. Event
 * by event through the indexes: as a join the whole table might be read for each batch.
 */
const between = `held.id >= $23 and held.id < $24
  and held.id >= (select coalesce(max(until_id), 0) from shard_event_seqs) and held.source = $1`;
const isNotHeld = `(select true from shard_events held
      where ${between} and held.epoch = $8 and held.seq = event.seq limit 1) is null
    and (select true from shard_events held
      where ${between} and held.event_key = event.event_key limit 1) is null`;

/**
 * One statement for all: it checks the fence, moves the cursor, stores what is new and
 * notifies. The row of the source is locked first, so ids are given out in commit order, which is
 * what lets readers follow by a plain id cursor. Each part's own unique keys speak for that part
 * alone. What stands in the parts before is asked for: all that wrote before this writer has ended
 * when it begins, so nothing comes between the question and the insert.
 * @param isNew SQL of what an event must fulfil to be stored
 * @param withNews whether somebody may wait for one of the events: most batches are spared the question
 */
const storing = (isNew: string, withNews: boolean): string => `
  with owner as (
    select source, boot_id from ingest_sources where source = $1 and fence = $2 for no key update
  ), ${withNews ? takingUnlessAwaited : "taken as (select source from owner)"}, stored as (
    insert into shard_events (source, epoch, seq, event_key, boot_id, kind, t, payload, reach)
    select taken.source, $8, event.seq, event.event_key, event.boot_id, event.kind, event.t,
           event.payload, event.reach
    from taken, unnest($9::bigint[], $10::text[], $11::text[], $12::text[], $13::bigint[],
      $14::jsonb[], $15::text[]) with ordinality
      as event (seq, event_key, boot_id, kind, t, payload, reach, position)
    where ${isNew}
    order by event.position
    on conflict do nothing
    returning id, seq, kind, t, created_at
  ),${withNews ? ` ${storingToldNews},` : ""} moved as (
    update ingest_sources set
      epoch = coalesce($3, epoch), seq = coalesce($4, seq),
      received = received + $5 + $6, rejected = rejected + $6, gaps = gaps + $7,
      beat_at = clock_timestamp(),
      last_event_at = coalesce((select max(created_at) from stored), last_event_at)
    from taken
    where ingest_sources.source = taken.source
  )
  select (select count(*) from owner) as owned, (select boot_id from owner) as "bootId",
    ${withNews ? "(select awaited from waiting)" : "false"} as awaited, count(*) as stored,
    array_agg(id) filter (where $16) as ids, array_agg(seq) filter (where $16) as seqs,
    case when count(*) > 0
      then pg_notify('shard_events', json_build_object('lastId', max(id))::text) end
  from stored`;

const statement = { name: "insert-events", text: storing(isNotNoted, false) };
const tellingNews = { name: "insert-events-telling-news", text: storing(isNotNoted, true) };
/** Names all parts of the log, which takes its time. */
const lookingBack = {
  name: "insert-events-looking-back",
  text: storing(`${isNotNoted} and ${isNotHeld}`, true),
};

/** Stores events, the cursor and the counts. All events are of one epoch. */
export async function insertEvents(
  owner: Ownership,
  insertion: Insertion,
  connection: Sql,
): Promise<Inserted> {
  const found = await insert(owner, insertion, connection);
  const { owned = 0, awaited = false, bootId = null, stored = 0, ids, seqs } = found ?? {};
  const idBySeq = (seqs ?? []).map((seq, at) => [seq, ids?.[at] ?? 0] as const);
  return { owned: owned > 0, awaited, bootId, stored, ids: new Map(idBySeq) };
}

async function insert(
  owner: Ownership,
  insertion: Insertion,
  connection: Sql,
): Promise<InsertedRow | undefined> {
  const { events } = insertion;
  const back = await lookBack(owner, events.length, connection);
  const toStore = back ? firstOfEach(events) : events;
  const values = valuesOf(owner, insertion, toStore);
  const news = insertion.plainly ? newsOf(events) : noNews;
  if (!back && !mayBeAwaited(news)) return firstRow(connection, statement, values);
  const withNews = [...values, ...valuesOfNews(news)];
  if (!back) return firstRow(connection, tellingNews, withNews);
  return firstRow(connection, lookingBack, [...withNews, back.fromId, back.untilId]);
}

/** Of `$1` to `$17`. */
const valuesOf = (
  owner: Ownership,
  { events, rejected, frames, cursor, plainly }: Insertion,
  toStore: readonly CheckedEvent[],
): unknown[] => [
  owner.source,
  owner.fence,
  cursor?.epoch ?? null,
  cursor?.seq ?? null,
  events.length,
  rejected.length,
  frames.filter(({ type }) => type === "gap").length,
  events[0]?.frame.epoch ?? "",
  wordArray(toStore.map(({ frame }) => frame.seq)),
  toStore.map(({ frame }) => frame.eventKey),
  toStore.map(({ frame }) => frame.bootId),
  toStore.map(({ frame }) => frame.kind),
  wordArray(toStore.map(({ frame }) => frame.t)),
  jsonArray(toStore.map((event) => JSON.stringify(storedPayload(event)))),
  wordArray(toStore.map(({ frame, payload }) => audienceOf(frame.kind, payload))),
  !plainly && events.some(asksForIds),
  Math.min(...events.map(({ frame }) => frame.seq), Number.MAX_SAFE_INTEGER),
];

/** What a batch itself repeats: two of it may go to two parts, neither of which knows the other. */
function firstOfEach(events: readonly CheckedEvent[]): CheckedEvent[] {
  const known = new Set<string | number>();
  return events.filter(({ frame: { seq, eventKey } }) => {
    if (known.has(seq) || (eventKey !== null && known.has(eventKey))) return false;
    known.add(seq);
    if (eventKey !== null) known.add(eventKey);
    return true;
  });
}

const asksForIds = (event: CheckedEvent): boolean =>
  concernsState(event) || concernsPush(event) || concernsGates(event);

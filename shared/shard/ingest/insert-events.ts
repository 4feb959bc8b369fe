import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { Cursor, StreamFrame } from "../../bridge/frames.ts";
import { firstRow } from "../../db/rows.ts";
import type { Sql } from "../../db/sql.ts";
import { anyRunListens, storingNews } from "../../events/gates/emit-triggers.ts";
import type { Ownership } from "../../ingest/ownership.ts";
import { audienceOf } from "../streams/projection.ts";
import { accountsTold, concernsPush } from "./announce-events.ts";
import {
  type CheckedEvent,
  type CheckedFrames,
  concernsState,
  storedPayload,
} from "./checked-frames.ts";
import { concernsGates, toldOf } from "./tell-gates.ts";

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
 * One statement for all: it checks the fence, moves the cursor, stores what is new and
 * notifies. The row of the source is locked first, so ids are given out in commit order, which is
 * what lets readers follow by a plain id cursor.
 */
const statement = {
  name: "insert-events",
  text: `
  with owner as (
    select source, boot_id from ingest_sources where source = $1 and fence = $2 for update
  ), waiting as (
    select ${anyRunListens("$17::text[]")}
      or exists (select from shard_links where account_key = any($18::text[])) as awaited
  ), taken as (
    select source from owner, waiting where not awaited
  ), stored as (
    insert into shard_events (source, epoch, seq, event_key, boot_id, kind, t, payload, reach)
    select taken.source, $8, event.seq, event.event_key, event.boot_id, event.kind, event.t,
           event.payload, event.reach
    from taken, unnest($9::bigint[], $10::text[], $11::text[], $12::text[], $13::bigint[],
      $14::jsonb[], $15::text[]) with ordinality
      as event (seq, event_key, boot_id, kind, t, payload, reach, position)
    order by event.position
    on conflict do nothing
    returning id, seq, kind, t, created_at
  ), told as (
    select row_number() over (order by id) as place, kind as trigger, t, one.event_key, one.variables
    from stored join unnest($19::bigint[], $20::text[], $21::jsonb[])
      as one (seq, event_key, variables) using (seq)
  ), ${storingNews("$1")}, moved as (
    update ingest_sources set
      epoch = coalesce($3, epoch), seq = coalesce($4, seq),
      received = received + $5 + $6, rejected = rejected + $6, gaps = gaps + $7,
      beat_at = clock_timestamp(),
      last_event_at = coalesce((select max(created_at) from stored), last_event_at)
    from taken
    where ingest_sources.source = taken.source
  )
  select (select count(*) from owner) as owned, (select awaited from waiting) as awaited, (select boot_id from owner) as "bootId", count(*) as stored,
    array_agg(id) filter (where $16) as ids, array_agg(seq) filter (where $16) as seqs,
    case when count(*) > 0
      then pg_notify('shard_events', json_build_object('lastId', max(id))::text) end
  from stored`,
};

/** Stores events, the cursor and the counts. All events are of one epoch. */
export async function insertEvents(
  owner: Ownership,
  insertion: Insertion,
  connection: Sql,
): Promise<Inserted> {
  const values = [...valuesOf(owner, insertion), ...valuesOfNews(insertion)];
  const found = await firstRow<InsertedRow>(connection, statement, values);
  const { owned = 0, awaited = false, bootId = null, stored = 0, ids, seqs } = found ?? {};
  const idBySeq = (seqs ?? []).map((seq, at) => [seq, ids?.[at] ?? 0] as const);
  return { owned: owned > 0, awaited, bootId, stored, ids: new Map(idBySeq) };
}

/** Of `$1` to `$16`. */
const valuesOf = (
  owner: Ownership,
  { events, rejected, frames, cursor, plainly }: Insertion,
): unknown[] => [
  owner.source,
  owner.fence,
  cursor?.epoch ?? null,
  cursor?.seq ?? null,
  events.length,
  rejected.length,
  frames.filter(({ type }) => type === "gap").length,
  events[0]?.frame.epoch ?? "",
  events.map(({ frame }) => frame.seq),
  events.map(({ frame }) => frame.eventKey),
  events.map(({ frame }) => frame.bootId),
  events.map(({ frame }) => frame.kind),
  events.map(({ frame }) => frame.t),
  events.map((event) => JSON.stringify(storedPayload(event))),
  events.map(({ frame, payload }) => audienceOf(frame.kind, payload)),
  !plainly && events.some(asksForIds),
];

const asksForIds = (event: CheckedEvent): boolean =>
  concernsState(event) || concernsPush(event) || concernsGates(event);

/** Of `$17` to `$21`: what is waited for, by whom, and the news. */
function valuesOfNews({ events, plainly }: Insertion): unknown[] {
  const told = plainly ? toldOf(events) : [];
  return [
    [...new Set(told.map(({ trigger }) => trigger))],
    plainly ? accountsTold(events) : [],
    told.map(({ seq }) => seq),
    told.map(({ eventKey }) => eventKey),
    told.map(({ variables }) => JSON.stringify(variables)),
  ];
}

import type { Cursor } from "../../bridge/frames.ts";
import type { Sql } from "../../db/sql.ts";
import type { Ownership } from "../../ingest/ownership.ts";
import type { EventReach } from "../projection.ts";
import { type CheckedEvent, storedPayload } from "./checked-frames.ts";

export interface Insertion {
  readonly events: readonly CheckedEvent[];
  readonly reach: readonly EventReach[];
  /** The place the batch covers; null when none of its frames had one. */
  readonly cursor: Cursor | null;
  readonly rejected: number;
  readonly gaps: number;
  /** Whether the ids that were given out are asked for. */
  readonly wantsIds: boolean;
}

/** What became of a batch. */
export interface Inserted {
  /** False when another process owns the source: nothing was written. */
  readonly owned: boolean;
  /** The game process that was known before the batch. */
  readonly bootId: string | null;
  /** How many events were new; the rest were stored before. */
  readonly stored: number;
  /** The ids of new events by their place, where they were asked for. */
  readonly ids: ReadonlyMap<number, number>;
}

interface Row {
  readonly owned: number;
  readonly boot_id: string | null;
  readonly stored: number;
  readonly ids: number[] | null;
  readonly seqs: number[] | null;
}

/**
 * One statement for the whole batch: it checks the fence, moves the cursor, stores what is new and
 * notifies. The row of the source is locked first, so ids are given out in commit order, which is
 * what lets readers follow by a plain id cursor.
 */
const statement = `
  with owner as (
    select source, boot_id from ingest_sources where source = $1 and fence = $2 for update
  ), stored as (
    insert into shard_events (source, epoch, seq, event_key, boot_id, kind, t, payload, reach)
    select owner.source, $8, event.seq, event.event_key, event.boot_id, event.kind, event.t,
           event.payload, event.reach
    from owner, unnest($9::bigint[], $10::text[], $11::text[], $12::text[], $13::bigint[],
      $14::jsonb[], $15::text[]) with ordinality
      as event (seq, event_key, boot_id, kind, t, payload, reach, place)
    order by event.place
    on conflict do nothing
    returning id, seq, created_at
  ), moved as (
    update ingest_sources set
      epoch = coalesce($3, epoch), seq = coalesce($4, seq),
      received = received + $5 + $6, rejected = rejected + $6, gaps = gaps + $7,
      beat_at = clock_timestamp(),
      last_event_at = coalesce((select max(created_at) from stored), last_event_at)
    from owner
    where ingest_sources.source = owner.source
  )
  select (select count(*) from owner) as owned, (select boot_id from owner), count(*) as stored,
    array_agg(id) filter (where $16) as ids, array_agg(seq) filter (where $16) as seqs,
    case when count(*) > 0
      then pg_notify('shard_events', json_build_object('lastId', max(id))::text) end
  from stored`;

/** Stores a batch's events, its cursor and its counts. All events are of one epoch. */
export async function insertEvents(
  owner: Ownership,
  sql: Sql,
  batch: Insertion,
): Promise<Inserted> {
  const { events, reach, cursor, rejected, gaps, wantsIds } = batch;
  const { rows } = await sql.query<Row>({
    name: "insert-events",
    text: statement,
    values: [
      owner.source,
      owner.fence,
      cursor?.epoch ?? null,
      cursor?.seq ?? null,
      events.length,
      rejected,
      gaps,
      events[0]?.frame.epoch ?? "",
      events.map(({ frame }) => frame.seq),
      events.map(({ frame }) => frame.eventKey),
      events.map(({ frame }) => frame.bootId),
      events.map(({ frame }) => frame.kind),
      events.map(({ frame }) => frame.t),
      events.map((event) => JSON.stringify(storedPayload(event))),
      reach,
      wantsIds,
    ],
  });
  const { owned = 0, boot_id: bootId = null, stored = 0, ids, seqs } = rows[0] ?? {};
  const placed = (seqs ?? []).map((seq, place) => [seq, ids?.[place] ?? 0] as const);
  return { owned: owned > 0, bootId, stored, ids: new Map(placed) };
}

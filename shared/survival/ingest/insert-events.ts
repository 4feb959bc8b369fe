import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { Cursor, StreamFrame } from "../../platform/bridge/frames.ts";
import type { Bounds } from "../../platform/config/survival-bounds.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { jsonArray } from "../../platform/db/sql-text.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { Ownership } from "../../platform/ingest/ownership.ts";
import { coverPayloadText } from "../../platform/secret-texts/secret-finder.ts";
import { findSurvivalKind } from "../kinds/kinds.ts";
import { keptText } from "../kinds/stored-payload.ts";
import { leavingOut } from "../storage/left-out.ts";
import { today } from "../storage/room-of-day.ts";
import type { Kept } from "../storage/room.ts";
import {
  type CheckedEvent,
  type CheckedFrames,
  textWithoutPersonalFields,
} from "./checked-frames.ts";

export interface Insertion extends CheckedFrames {
  readonly serverId: number;
  readonly frames: readonly StreamFrame[];
  /** The position after the frames; null when none of them had one. */
  readonly cursor: Cursor | null;
  readonly bounds: Bounds;
}

/** What became of the events. */
export interface Inserted {
  /** False when another process owns the source: nothing was written. */
  readonly owned: boolean;
  /** The game process that was known before. */
  readonly bootId: string | null;
  /** The ids of new events by their seq; the rest were stored before, or left out for want of room. */
  readonly ids: ReadonlyMap<number, number>;
  /** What was kept of the server before. */
  readonly kept: Kept;
}

function storedText({ frame, payload }: CheckedEvent): string {
  const unstored = findSurvivalKind(frame.kind)?.unstored ?? [];
  const kept = Object.entries(payload).filter(([name]) => !unstored.includes(name));
  const stored = unstored.length > 0 ? Object.fromEntries(kept) : payload;
  return coverPayloadText(keptText(frame.kind, stored, textWithoutPersonalFields));
}

/** What comes with a key that was stored already is not stored again. */
function storedKey({ frame: { eventKey, kind }, payload }: CheckedEvent): string | null {
  const field = findSurvivalKind(kind)?.keyedWith;
  if (eventKey === null || field === undefined) return eventKey;
  return `${eventKey}:${String(payload[field])}`;
}

interface InsertedRow extends Pick<IngestSource, "bootId"> {
  readonly owned: number;
  readonly ids: number[] | null;
  readonly seqs: number[] | null;
  readonly kept: Kept | null;
}

/**
 * One statement for all: it checks the fence, moves the cursor and stores what is new and fits into the day.
 * The row of the source is locked first, so a server's ids are given out in commit order, and nobody else
 * counts what is kept of it.
 */
const statement = {
  name: "insert-survival-events",
  text: `
  with owner as (
    select source, boot_id from ingest_sources where source = $1 and fence = $2 for no key update
  ), today as (
    select ${today} as day
  ), used as (
    select coalesce(max(kept) filter (where part = 'events'), 0) as events,
      coalesce(max(kept) filter (where part = 'eventBytes'), 0) as bytes
    from survival_storage_days where server_id = $8 and day = (select day from today)
  ), given as (
    select event.*, sum(event.bytes) over (order by event.position) as bytes_so_far
    from owner, unnest($13::bigint[], $14::text[], $15::text[], $16::bigint[], $17::text[],
      $18::bigint[], $19::jsonb[], $20::integer[]) with ordinality
      as event (seq, event_key, boot_id, save_id, kind, t, payload, bytes, position)
  ), placed as (
    select given.*, case
      when used.events + position > $11 then 'events'
      when used.bytes + bytes_so_far > $12 then 'eventBytes' end as full_part
    from given, used
  ), stored as (
    insert into survival_events
      (server_id, epoch, seq, event_key, boot_id, save_id, kind, t, payload)
    select $8, $9, seq, event_key, boot_id, save_id, kind, t, payload
    from placed where full_part is null
    order by position
    on conflict do nothing
    returning id, seq, created_at
  ), counted as (
    insert into survival_storage_days as known (server_id, part, day, kept)
    select $8, part, day, kept from today, (
      select 'events' as part, count(*) as kept from stored
      union all select 'eventBytes', coalesce(sum(bytes), 0) from stored join placed using (seq)
    ) sums where kept > 0
    on conflict (server_id, part, day) do update set kept = known.kept + excluded.kept
  ), surplus as (
    select $8::integer as server_id, full_part as part, count(*) as count,
      case full_part when 'events' then $11::bigint else $12::bigint end as most
    from placed where full_part is not null group by full_part
  ), ${leavingOut("surplus")}, moved as (
    update ingest_sources set
      epoch = coalesce($3, epoch), seq = coalesce($4, seq),
      received = received + $5 + $6, rejected = rejected + $6, gaps = gaps + $7,
      rows_left_out = rows_left_out + $10,
      duplicates = duplicates + (select count(*) from placed where full_part is null)
        - (select count(*) from stored),
      beat_at = clock_timestamp(),
      last_event_at = coalesce((select max(created_at) from stored), last_event_at)
    from owner
    where ingest_sources.source = owner.source
  )
  select (select count(*) from owner) as owned, (select boot_id from owner) as "bootId",
    (select jsonb_object_agg(part, kept) from survival_storage where server_id = $8) as kept,
    array_agg(id) as ids, array_agg(seq) as seqs
  from stored`,
};

/** The columns of events, each as an array. */
function columnsOf(happenings: readonly CheckedEvent[]): unknown[] {
  const texts = happenings.map(storedText);
  return [
    happenings.map(({ frame }) => frame.seq),
    happenings.map(storedKey),
    happenings.map(({ frame }) => frame.bootId),
    happenings.map(({ frame }) => frame.saveId ?? null),
    happenings.map(({ frame }) => frame.kind),
    happenings.map(({ frame }) => frame.t),
    jsonArray(texts),
    texts.map((text) => Buffer.byteLength(text)),
  ];
}

/** Stores what happened, the cursor and the counts. All events are of one epoch. */
export async function insertEvents(
  owner: Ownership,
  { serverId, happenings, events, rejected, frames, cursor, bounds }: Insertion,
  connection: Sql,
): Promise<Inserted> {
  const found = await firstRow<InsertedRow>(connection, statement, [
    owner.source,
    owner.fence,
    cursor?.epoch ?? null,
    cursor?.seq ?? null,
    events.length,
    rejected.length,
    frames.filter(({ type }) => type === "gap").length,
    serverId,
    happenings[0]?.frame.epoch ?? "",
    events.reduce((sum, { rowsLeftOut }) => sum + rowsLeftOut, 0),
    bounds.events,
    bounds.eventBytes,
    ...columnsOf(happenings),
  ]);
  return found ? insertedOf(found) : nothing;
}

const nothing: Inserted = { owned: false, bootId: null, ids: new Map(), kept: {} };

const insertedOf = ({ owned, bootId, ids, seqs, kept }: InsertedRow): Inserted => ({
  owned: owned === 1,
  bootId,
  ids: new Map(seqs?.map((seq, at) => [seq, ids?.[at] as number])),
  kept: kept ?? {},
});

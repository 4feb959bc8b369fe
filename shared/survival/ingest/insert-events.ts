import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { Cursor, StreamFrame } from "../../bridge/frames.ts";
import { jsonArray } from "../../db/array-texts.ts";
import { firstRow } from "../../db/rows.ts";
import type { Sql } from "../../db/sql.ts";
import type { Ownership } from "../../ingest/ownership.ts";
import { coverPayloadText } from "../../secret-texts/cover-payload.ts";
import { findSurvivalKind } from "../kinds/kinds.ts";
import type { CheckedEvent, CheckedFrames } from "./checked-frames.ts";
import { textWithoutPersonalFields } from "./personal-fields.ts";

export interface Insertion extends CheckedFrames {
  readonly serverId: number;
  readonly frames: readonly StreamFrame[];
  /** The position after the frames; null when none of them had one. */
  readonly cursor: Cursor | null;
}

/** What became of the events. */
export interface Inserted {
  /** False when another process owns the source: nothing was written. */
  readonly owned: boolean;
  /** The game process that was known before. */
  readonly bootId: string | null;
  /** The ids of new events by their seq; the rest were stored before. */
  readonly ids: ReadonlyMap<number, number>;
}

function storedText({ frame, payload }: CheckedEvent): string {
  const unstored = findSurvivalKind(frame.kind)?.unstored ?? [];
  const kept = Object.entries(payload).filter(([name]) => !unstored.includes(name));
  const text = textWithoutPersonalFields(unstored.length > 0 ? Object.fromEntries(kept) : payload);
  return coverPayloadText(text);
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
}

/**
 * One statement for all: it checks the fence, moves the cursor and stores what is new. The row of the
 * source is locked first, so a server's ids are given out in commit order.
 */
const statement = {
  name: "insert-survival-events",
  text: `
  with owner as (
    select source, boot_id from ingest_sources where source = $1 and fence = $2 for update
  ), stored as (
    insert into survival_events
      (server_id, epoch, seq, event_key, boot_id, save_id, kind, t, payload)
    select $8, $9, event.seq, event.event_key, event.boot_id, event.save_id, event.kind, event.t,
           event.payload
    from owner, unnest($10::bigint[], $11::text[], $12::text[], $13::bigint[], $14::text[],
      $15::bigint[], $16::jsonb[]) with ordinality
      as event (seq, event_key, boot_id, save_id, kind, t, payload, position)
    order by event.position
    on conflict do nothing
    returning id, seq, created_at
  ), moved as (
    update ingest_sources set
      epoch = coalesce($3, epoch), seq = coalesce($4, seq),
      received = received + $5 + $6, rejected = rejected + $6, gaps = gaps + $7,
      rows_left_out = rows_left_out + $17,
      duplicates = duplicates + cardinality($10::bigint[]) - (select count(*) from stored),
      beat_at = clock_timestamp(),
      last_event_at = coalesce((select max(created_at) from stored), last_event_at)
    from owner
    where ingest_sources.source = owner.source
  )
  select (select count(*) from owner) as owned, (select boot_id from owner) as "bootId",
    array_agg(id) as ids, array_agg(seq) as seqs
  from stored`,
};

/** Stores what happened, the cursor and the counts. All events are of one epoch. */
export async function insertEvents(
  owner: Ownership,
  { serverId, happenings, events, rejected, frames, cursor }: Insertion,
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
    happenings.map(({ frame }) => frame.seq),
    happenings.map(storedKey),
    happenings.map(({ frame }) => frame.bootId),
    happenings.map(({ frame }) => frame.saveId ?? null),
    happenings.map(({ frame }) => frame.kind),
    happenings.map(({ frame }) => frame.t),
    jsonArray(happenings.map(storedText)),
    events.reduce((sum, { rowsLeftOut }) => sum + rowsLeftOut, 0),
  ]);
  const { ids, seqs } = found ?? {};
  return {
    owned: found?.owned === 1,
    bootId: found?.bootId ?? null,
    ids: new Map(seqs?.map((seq, at) => [seq, ids?.[at] as number])),
  };
}

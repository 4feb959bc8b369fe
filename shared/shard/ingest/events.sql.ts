import { anyRunListens, storingNews } from "../../facts/emit-triggers.ts";
import { numberParams } from "../../platform/db/named-params.ts";

/** Values of the statements that store a part. Arrays are columns, with a value for each event. */
export interface EventValues {
  readonly source: string;
  readonly fence: number;
  /** The position after the part; null leaves the stored one. */
  readonly cursorEpoch: string | null;
  readonly cursorSeq: number | null;
  readonly given: number;
  readonly rejected: number;
  readonly gaps: number;
  /** Of all events. */
  readonly epoch: string;
  readonly firstSeq: number;
  readonly seqs: string;
  readonly eventKeys: readonly (string | null)[];
  readonly bootIds: readonly (string | null)[];
  readonly kinds: readonly string[];
  readonly times: string;
  readonly payloads: string;
  readonly reaches: string;
  readonly asksForIds: boolean;
  /** Triggers that runs may wait for, and game accounts whose owners may be told. */
  readonly triggers: readonly string[];
  readonly accounts: readonly string[];
  /** The news for runs, with the `seq` of its event. */
  readonly newsSeqs: readonly number[];
  readonly newsKeys: readonly string[];
  readonly newsVariables: string;
  /** Ids between which parts of the log may hold events that are not noted. */
  readonly fromId: number;
  readonly untilId: number;
}

/**
 * What full parts of the log hold of a batch; both are asked once, not event by event. Mostly they
 * hold nothing from its first event on, and null is compared with nothing.
 */
const notedSeqs = `(select range_agg(noted.seqs) from shard_event_seqs noted
  where noted.source = :source and noted.epoch = :epoch and noted.seqs && int8range(:firstSeq, null))`;
const notedKeys = `array(select noted.event_key from shard_event_keys noted
  where noted.source = :source and noted.event_key = any(:eventKeys))`;
const isNotNoted = `(${notedSeqs} @> event.seq) is not true
  and (event.event_key is null or event.event_key <> all(${notedKeys}))`;

/**
 * Of parts that are not noted yet. Those that were, a moment ago, have no such indexes any more. Event
 * by event through the indexes: as a join the whole table might be read for each batch.
 */
const between = `held.id >= :fromId and held.id < :untilId and held.source = :source
  and held.id >= (select coalesce(max(until_id), 0) from shard_event_seqs)`;
const isNotHeld = `(select true from shard_events held
      where ${between} and held.epoch = :epoch and held.seq = event.seq limit 1) is null
    and (select true from shard_events held
      where ${between} and held.event_key = event.event_key limit 1) is null`;

/** CTEs of a statement that stores news: `taken` is empty where somebody waits for an event. */
const takingUnlessAwaited = `waiting as (
    select ${anyRunListens(":triggers::text[]")}
      or exists (select from shard_links where account_key = any(:accounts::text[])) as awaited
  ), taken as (
    select source from owner, waiting where not awaited
  )`;
const storingToldNews = `told as (
    select row_number() over (order by id) as place, kind as trigger, t, one.event_key, one.variables
    from stored join unnest(:newsSeqs::bigint[], :newsKeys::text[], :newsVariables::jsonb[])
      as one (seq, event_key, variables) using (seq)
  ), ${storingNews(":source")},`;

/**
 * Checks the fence, moves the cursor, stores what is new and notifies. The row of the source is
 * locked first, so ids are given out in the order of the commits, which is what lets readers follow by
 * a plain id cursor. Unique keys hold within one part of the log. The parts before are asked for: all
 * that wrote before this writer has ended, so nothing comes between the question and the insert.
 * @param isNew what an event must fulfil to be stored
 * @param withNews whether somebody may wait for one of the events: most batches are spared the question
 */
const storing = (isNew: string, withNews: boolean): string => `
  with owner as (
    select source, boot_id from ingest_sources
    where source = :source and fence = :fence for no key update
  ), ${withNews ? takingUnlessAwaited : "taken as (select source from owner)"}, stored as (
    insert into shard_events (source, epoch, seq, event_key, boot_id, kind, t, payload, reach)
    select taken.source, :epoch, event.seq, event.event_key, event.boot_id, event.kind, event.t,
           event.payload, event.reach
    from taken, unnest(:seqs::bigint[], :eventKeys::text[], :bootIds::text[], :kinds::text[],
      :times::bigint[], :payloads::jsonb[], :reaches::text[]) with ordinality
      as event (seq, event_key, boot_id, kind, t, payload, reach, position)
    where ${isNew}
    order by event.position
    on conflict do nothing
    returning id, seq, kind, t, created_at
  ), ${withNews ? storingToldNews : ""} moved as (
    update ingest_sources set
      epoch = coalesce(:cursorEpoch, epoch), seq = coalesce(:cursorSeq, seq),
      received = received + :given + :rejected, rejected = rejected + :rejected,
      gaps = gaps + :gaps,
      duplicates = duplicates + :given - (select count(*) from stored),
      beat_at = clock_timestamp(),
      last_event_at = coalesce((select max(created_at) from stored), last_event_at)
    from taken
    where ingest_sources.source = taken.source
  )
  select (select count(*) from owner) as owned, (select boot_id from owner) as "bootId",
    ${withNews ? "(select awaited from waiting)" : "false"} as awaited,
    array_agg(id) filter (where :asksForIds) as ids,
    array_agg(seq) filter (where :asksForIds) as seqs,
    case when count(*) > 0
      then pg_notify('shard_events', json_build_object('lastId', max(id))::text) end
  from stored`;

/** Stores events that nobody may wait for. */
export const storeEvents = numberParams<EventValues>("store-events", storing(isNotNoted, false));

/** Stores events with the news of them, unless a job must be ordered for one of them. */
export const storeWithNews = numberParams<EventValues>(
  "store-events-with-news",
  storing(isNotNoted, true),
);

/** The same near the end of a part of the log. It names all parts of the log, which takes its time. */
export const storeLookingBack = numberParams<EventValues>(
  "store-events-looking-back",
  storing(`${isNotNoted} and ${isNotHeld}`, true),
);

/**
 * Corrects the reach of events for which it rests on the state that they met. The least id keeps the
 * statement from former parts of the log, which may be locked to be changed.
 */
export const correctReach = `
  update shard_events set reach = met.reach
  from unnest($1::bigint[], $2::text[]) as met (id, reach)
  where shard_events.id = met.id and shard_events.id >= $3 and shard_events.reach <> met.reach`;

import { hasListeningRunSql, insertTriggerEventsSql } from "../../facts/emit-triggers.ts";
import { createNamedStatement } from "../../platform/db/named-statements.ts";

/** The parameters of the statements that store frames. An array has one value per event. */
export interface EventValues {
  readonly source: string;
  readonly fence: number;
  /** The position of the last frame to store; null keeps the stored position. */
  readonly cursorEpoch: string | null;
  readonly cursorSeq: number | null;
  readonly given: number;
  readonly rejected: number;
  readonly gaps: number;
  /** The epoch of all events. */
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
  /** Triggers that runs may wait for, and game accounts whose owners may be notified. */
  readonly triggers: readonly string[];
  readonly accounts: readonly string[];
  /** The rows for `event_news`; `newsSeqs` holds the `seq` of each row's event. */
  readonly newsSeqs: readonly number[];
  readonly newsKeys: readonly string[];
  readonly newsVariables: string;
  /** A range of ids whose events are searched for duplicates, because they may be missing in the dedupe tables. */
  readonly fromId: number;
  readonly untilId: number;
}

/**
 * Select the sequence numbers and keys that are in the dedupe tables, once per batch and not per event. Usually
 * the tables contain neither the number of the first event nor a later one; then the result is null.
 */
const dedupeSeqsSql = `(select range_agg(noted.seqs) from shard_event_seqs noted
  where noted.source = :source and noted.epoch = :epoch and noted.seqs && int8range(:firstSeq, null))`;
const dedupeKeysSql = `array(select noted.event_key from shard_event_keys noted
  where noted.source = :source and noted.event_key = any(:eventKeys))`;
const isNotInDedupeTablesSql = `(${dedupeSeqsSql} @> event.seq) is not true
  and (event.event_key is null or event.event_key <> all(${dedupeKeysSql}))`;

/**
 * A condition for partitions whose keys are not in the dedupe tables yet; only these have unique indexes. The
 * subqueries per event use those indexes, while a join might read the whole table for each batch.
 */
const between = `held.id >= :fromId and held.id < :untilId and held.source = :source
  and held.id >= (select coalesce(max(until_id), 0) from shard_event_seqs)`;
const isNotInPartitionsSql = `(select true from shard_events held
      where ${between} and held.epoch = :epoch and held.seq = event.seq limit 1) is null
    and (select true from shard_events held
      where ${between} and held.event_key = event.event_key limit 1) is null`;

/**
 * CTEs for storing events and their rows for runs. If a run or a push needs one of the events, the events must
 * be stored in a transaction, so `taken` is then empty and the statement stores nothing.
 */
const ifNotAwaitedSql = `waiting as (
    select ${hasListeningRunSql(":triggers::text[]")}
      or exists (select from shard_links where account_key = any(:accounts::text[])) as awaited
  ), taken as (
    select source from owner, waiting where not awaited
  )`;
const storeTriggerEventsSql = `told as (
    select row_number() over (order by id) as place, kind as trigger, t, one.event_key, one.variables
    from stored join unnest(:newsSeqs::bigint[], :newsKeys::text[], :newsVariables::jsonb[])
      as one (seq, event_key, variables) using (seq)
  ), ${insertTriggerEventsSql(":source")},`;

/**
 * Checks the fence, moves the cursor, stores new events and notifies. It locks the row of the source first, so
 * ids are in commit order and readers can use a plain id cursor. Unique keys are valid only within one
 * partition, so earlier partitions are searched too. All earlier writers have ended by then, so no event is
 * inserted between the search and this insert.
 * @param isNew condition for an event to be stored
 * @param withNews true if a run or a push may need one of the events; most batches skip that query
 */
const storeEventsSql = (isNew: string, withNews: boolean): string => `
  with owner as (
    select source, boot_id from ingest_sources
    where source = :source and fence = :fence for no key update
  ), ${withNews ? ifNotAwaitedSql : "taken as (select source from owner)"}, stored as (
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
  ), ${withNews ? storeTriggerEventsSql : ""} moved as (
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

/** Stores events that no run waits for and no push announces. */
export const storePlainEventsSql = createNamedStatement<EventValues>(
  "store-events",
  storeEventsSql(isNotInDedupeTablesSql, false),
);

/**
 * Stores events and their rows in `event_news`, without a transaction. If a run waits for one of the events or
 * a push must announce it, other statements must follow in the same transaction. The statement then stores
 * nothing and returns `awaited`, and the caller stores the batch in a transaction.
 */
export const storeEventsWithTriggersSql = createNamedStatement<EventValues>(
  "store-events-with-news",
  storeEventsSql(isNotInDedupeTablesSql, true),
);

/** Stores events near the end of a partition. It is slower, because it searches other partitions too. */
export const storeEventsNearPartitionEndSql = createNamedStatement<EventValues>(
  "store-events-looking-back",
  storeEventsSql(`${isNotInDedupeTablesSql} and ${isNotInPartitionsSql}`, true),
);

/**
 * Sets the reach (public, staff or none) of stored events whose reach depends on the live state before them. `$3`
 * is the lowest id of the batch: it excludes earlier partitions, which may be locked.
 */
export const updateEventReachSql = `
  update shard_events set reach = met.reach
  from unnest($1::bigint[], $2::text[]) as met (id, reach)
  where shard_events.id = met.id and shard_events.id >= $3 and shard_events.reach <> met.reach`;

import { createNamedStatement } from "../../platform/db/named-statements.ts";
import { storeBootSql } from "../../platform/ingest/sources.sql.ts";
import { feedKinds } from "../feed/feed-text.ts";
import { todaySql } from "../storage/daily-quota.ts";
import { recordOmissionsSql } from "../storage/omissions.ts";

/** Values of the statement that stores a batch. Arrays are columns with one value per event. */
interface EventValues {
  readonly source: string;
  readonly fence: number;
  /** The position after the batch; null keeps the stored position. */
  readonly cursorEpoch: string | null;
  readonly cursorSeq: number | null;
  readonly given: number;
  readonly rejected: number;
  readonly gaps: number;
  readonly serverId: number;
  /** The epoch of all events of the batch. */
  readonly epoch: string;
  readonly rowsLeftOut: number;
  /** Maximum number and size of stored events per day. */
  readonly mostEvents: number;
  readonly mostBytes: number;
  readonly seqs: readonly number[];
  readonly eventKeys: readonly (string | null)[];
  readonly bootIds: readonly (string | null)[];
  readonly saveIds: readonly (number | null)[];
  readonly kinds: readonly string[];
  readonly times: readonly number[];
  readonly payloads: string;
  readonly sizes: readonly number[];
}

const isInFeedSql = `kind in (${feedKinds.map((kind) => `'${kind}'`).join(", ")})`;

/**
 * Checks the fence, moves the cursor and stores new events within the daily limit. It locks the row of the source
 * first, so a server's ids are in commit order, and no other statement changes the server's counts.
 */
export const storeSurvivalEventsSql = createNamedStatement<EventValues>(
  "store-survival-events",
  `
  with owner as (
    select source, boot_id from ingest_sources where source = :source and fence = :fence for no key update
  ), today as (
    select ${todaySql} as day
  ), used as (
    select coalesce(max(kept) filter (where part = 'events'), 0) as events,
      coalesce(max(kept) filter (where part = 'eventBytes'), 0) as bytes
    from survival_storage_days where server_id = :serverId and day = (select day from today)
  ), given as (
    select event.*, sum(event.bytes) over (order by event.position) as bytes_so_far
    from owner, unnest(:seqs::bigint[], :eventKeys::text[], :bootIds::text[], :saveIds::bigint[],
      :kinds::text[], :times::bigint[], :payloads::jsonb[], :sizes::integer[]) with ordinality
      as event (seq, event_key, boot_id, save_id, kind, t, payload, bytes, position)
  ), placed as (
    select given.*, case
      when used.events + position > :mostEvents then 'events'
      when used.bytes + bytes_so_far > :mostBytes then 'eventBytes' end as full_part
    from given, used
  ), stored as (
    insert into survival_events
      (server_id, epoch, seq, event_key, boot_id, save_id, kind, t, payload)
    select :serverId, :epoch, seq, event_key, boot_id, save_id, kind, t, payload
    from placed where full_part is null
    order by position
    on conflict do nothing
    returning id, seq, created_at, kind
  ), counted as (
    insert into survival_storage_days as known (server_id, part, day, kept)
    select :serverId, part, day, kept from today, (
      select 'events' as part, count(*) as kept from stored
      union all select 'eventBytes', coalesce(sum(bytes), 0) from stored join placed using (seq)
    ) sums where kept > 0
    on conflict (server_id, part, day) do update set kept = known.kept + excluded.kept
  ), surplus as (
    select :serverId::integer as server_id, full_part as part, count(*) as count,
      case full_part when 'events' then :mostEvents::bigint else :mostBytes::bigint end as most
    from placed where full_part is not null group by full_part
  ), ${recordOmissionsSql("surplus")}, moved as (
    update ingest_sources set
      epoch = coalesce(:cursorEpoch, epoch), seq = coalesce(:cursorSeq, seq),
      received = received + :given + :rejected, rejected = rejected + :rejected, gaps = gaps + :gaps,
      rows_left_out = rows_left_out + :rowsLeftOut,
      duplicates = duplicates + (select count(*) from placed where full_part is null)
        - (select count(*) from stored),
      beat_at = clock_timestamp(),
      last_event_at = coalesce((select max(created_at) from stored), last_event_at)
    from owner
    where ingest_sources.source = owner.source
  )
  select (select count(*) from owner) as owned, (select boot_id from owner) as "bootId",
    false as awaited,
    (select jsonb_object_agg(part, kept) from survival_storage where server_id = :serverId) as kept,
    array_agg(id) as ids, array_agg(seq) as seqs,
    case when count(*) filter (where ${isInFeedSql}) > 0 then pg_notify('survival_events',
      json_build_object('serverId', :serverId::integer,
        'lastId', max(id) filter (where ${isInFeedSql}))::text) end
  from stored`,
);

/** Stores the new game process and removes all players, because the former process ended. */
export const switchGameProcessSql = `
  with left_behind as (
    delete from survival_presence where server_id = $3
  ), emptied as (
    update survival_server_states set status = null, online_since = null where server_id = $3
  )
  ${storeBootSql}`;

export const expireLedgerEntrySql = `
  with last as (
    select id, state, ended_at from survival_ledger where server_id = $1 and what = $2 and ref = $3
    order by state = 'pushed', id desc limit 1
  ), ended as (
    update survival_ledger
    set state = 'expired', reason = $4, ended_at = to_timestamp($5::bigint / 1000.0)
    from last where survival_ledger.id = last.id and last.state in ('pushed', 'confirmed')
  )
  select not exists (
    select from last
    where $6::boolean or state in ('pushed', 'confirmed')
      or ended_at = to_timestamp($5::bigint / 1000.0)) as "isUnknown"`;

export const insertExpiredLedgerEntrySql = `
  insert into survival_ledger (server_id, what, ref, state, reason, ended_at, pushed_at, boot_id)
  values ($1, $2, $3, 'expired', $4, to_timestamp($5::bigint / 1000.0),
    to_timestamp($6::bigint / 1000.0), $7)`;

export const expireParticipationSql = `update survival_participations set state = 'expired', closed_at = clock_timestamp()
     where id::text = $1 and server_id = $2 and state in ('opening', 'open')`;

export const expireLeaseSql = `
  update survival_zone_leases
  set state = 'expired', reason = $3, ended_at = to_timestamp($4::float8 / 1000.0)
  where lease_id::text = $1 and server_id = $2 and state in ('opening', 'open', 'closing')`;

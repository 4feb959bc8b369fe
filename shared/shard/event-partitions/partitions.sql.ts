import { type EventPartition, temporaryTables } from "./partitions.ts";

/** Returns SQL that stores the number of events of a full or rewritten partition. */
const recordCountSql = (name: string, events: number): string =>
  `comment on table ${name} is '${events} events'`;

export const attachPartitionSql = ({
  name,
  fromId,
  untilId,
}: Omit<EventPartition, "written">): string =>
  `alter table shard_events attach partition ${name}
     for values from (${fromId ?? "minvalue"}) to (${untilId})`;

export const insertEventKeysSql = (name: string): string =>
  `insert into shard_event_keys (source, event_key, until_id)
     select source, event_key, $1::bigint from ${name} where event_key is not null
     order by event_key collate "C"
     on conflict (event_key, source) do update set until_id = excluded.until_id`;

export const insertEventSeqsSql = (name: string): string =>
  `insert into shard_event_seqs (source, epoch, seqs, until_id)
     select source, epoch, int8multirange(int8range(min(seq), max(seq), '[]')), $1::bigint
     from ${name} group by source, epoch`;

export const insertEmptySeqsSql = `insert into shard_event_seqs (source, epoch, seqs, until_id)
     select 'shard', '', '{}', $1::bigint
     where not exists (select from shard_event_seqs where until_id = $1)`;

export const selectWrittenCountSql = (name: string): string =>
  `select coalesce(max(id) + 1 - $1::bigint, 0)::float8 as count from ${name}`;

/** Stores the number of events of a full partition and drops the indexes that only ingest needs. */
export const markPartitionFullSql = (name: string, events: number): string =>
  `${recordCountSql(name, events)};
     alter table ${name} drop constraint if exists ${name}_place;
     drop index if exists ${name}_place, ${name}_key`;

const { copy, changes } = temporaryTables;

/** Writes the events of a partition to the copy. @param within SQL condition on their ids */
export const writePartitionCopySql = ({ name, untilId }: EventPartition, within: string): string =>
  `drop table if exists ${copy};
     create table ${copy} (like shard_events including all excluding identity);
     alter table ${copy} add constraint within check (${within});
     insert into ${copy} select * from ${name} order by id;
     analyze ${copy};
     delete from shard_event_keys noted where until_id = ${untilId} and not exists (
       select from ${copy} held
       where held.source = noted.source and held.event_key = noted.event_key)`;

export const selectWrittenCopySql = `select pg_current_xact_id()::xid::text as by, count(*)::float8 as left from ${copy}`;

export const selectOlderSnapshotSql = `select from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()
         and age(backend_xmin) >= age($1::text::xid) limit 1`;

export function exchangePartitionCopySql(part: EventPartition, left: number): string {
  const { name } = part;
  return `drop table ${name};
     alter table ${copy} rename to ${name};
     ${attachPartitionSql(part)};
     alter table ${name} drop constraint within;
     ${recordCountSql(name, left)}`;
}

export const dropCopySql = `drop table if exists ${copy}`;

const trackingFunction = "note_shard_events_changed";

// Drop the trigger first: it writes to the table, so without the table every change of the partition would fail.
export const dropChangeTableSql = `drop function if exists ${trackingFunction} cascade; drop table if exists ${changes}`;

export const recordChangesSql = (name: string): string =>
  `${dropChangeTableSql};
     create table ${changes} (id bigint not null);
     create function ${trackingFunction}() returns trigger language plpgsql as '
       begin
         insert into ${changes} values (coalesce(new.id, old.id));
         return null;
       end';
     create trigger ${trackingFunction} after insert or update or delete on ${name}
       for each row execute function ${trackingFunction}()`;

export const selectChangeSql = `select from ${changes} limit 1`;

import type { BackupTable } from "./format.ts";

/** Makes the text format of values independent of the server's settings. */
export const textFormatSql = `
  set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local bytea_output = 'hex'; set local extra_float_digits = 1;
  set local synchronize_seqscans = off; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`;

/** Selects tables and their columns without generated columns, which the database computes again. */
export const selectTablesSql = `
  select quote_ident(nspname) || '.' || quote_ident(relname) as name,
    array(select quote_ident(attname) from pg_attribute
      where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = ''
      order by attnum) as columns,
    array(select quote_ident(other_space.nspname) || '.' || quote_ident(other.relname)
      from pg_constraint
      join pg_class other on other.oid = confrelid
      join pg_namespace other_space on other_space.oid = other.relnamespace
      where conrelid = class.oid and contype = 'f' and other_space.nspname = 'public') as "refersTo"
  from pg_class class join pg_namespace space on space.oid = relnamespace
  where (nspname = 'public' and relkind in ('r', 'p') and not relispartition
      and relname <> all($2)
      and not exists (select from pg_depend where objid = class.oid and deptype = 'e'))
    or class.oid = to_regclass($1)
  order by nspname desc, relname`;

export const selectSequencesSql = `select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name
     from pg_sequences where schemaname = 'public' order by 1`;

export const selectLastValueSql = (name: string): string =>
  `select last_value::text as value, is_called as "isUsed" from ${name}`;

export const selectQueueSchemaSql = "select version from pgboss.version";

export const selectMigrationsSql = "select name from migrations order by name";

export const lockSchemaSql = "select pg_advisory_lock($1)";

export const selectUsersTableSql = "select to_regclass('public.users') as name";

export const countUsersSql = "select count(*)::integer as users from users";

export const setSequenceSql = `
  select setval(seqrelid::regclass, least($2::bigint + $3::bigint, seqmax), $4)
  from pg_sequence where seqrelid = to_regclass($1)`;

/**
 * Disables triggers during a restore, because the restored rows already contain their effects, or enables them.
 * Only a superuser could set session_replication_role instead.
 */
export const switchTriggersSql = (
  how: "disable" | "enable",
  tables: readonly BackupTable[],
): string => tables.map(({ name }) => `alter table ${name} ${how} trigger user`).join("; ");

/**
 * Creates the queues that restored jobs refer to and the migration step does not create: pg-boss's internal queue
 * and queues of earlier releases.
 */
export const createMissingQueuesSql = `
  select pgboss.create_queue(name, '{"policy": "standard"}')
  from (select distinct name from pgboss.job) held
  where name not in (select name from pgboss.queue)`;

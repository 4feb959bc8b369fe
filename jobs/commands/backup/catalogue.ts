import { firstRow, rows } from "../../../shared/platform/db/rows.ts";
import type { SqlClient } from "../../../shared/platform/db/sql.ts";
import { temporaryTables } from "../../../shared/shard/event-partitions/partitions.ts";
import type { BackedUpTable, SequenceValue } from "./format.ts";

/** Makes the text format of values independent of the server's settings. */
export const textFormatSql = `
  set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local bytea_output = 'hex'; set local extra_float_digits = 1;
  set local synchronize_seqscans = off; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`;

/** The table with the jobs of all queues. The queues themselves are created by the migration step. */
const jobs = "pgboss.job";

type Row = BackedUpTable & { readonly refersTo: readonly string[] };

/** Tables that a backup omits. The header lists the migrations, and temporary data may be outdated at a restore. */
const omittedTables: readonly string[] = ["migrations", ...Object.values(temporaryTables)];

/** Returns every table of the service except omitted ones. Referenced tables come first. */
export async function readTables(sql: SqlClient): Promise<BackedUpTable[]> {
  const tables = await rows<Row>(sql, tablesSql, [jobs, omittedTables]);
  const ordered: BackedUpTable[] = [];
  const isDone = (name: string) => ordered.some((table) => table.name === name);
  while (ordered.length < tables.length) {
    const next = tables.find(
      ({ name, refersTo }) =>
        !isDone(name) && refersTo.every((other) => other === name || isDone(other)),
    );
    if (!next) throw new Error("tables refer to each other in a circle");
    ordered.push({ name: next.name, columns: next.columns });
  }
  return ordered;
}

/** Selects tables and their columns without generated columns, which the database computes again. */
const tablesSql = `
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

export async function readSequences(sql: SqlClient): Promise<SequenceValue[]> {
  const names = await rows<{ name: string }>(
    sql,
    `select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name
     from pg_sequences where schemaname = 'public' order by 1`,
  );
  const sequences: SequenceValue[] = [];
  for (const { name } of names) {
    const counted = await firstRow<{ value: string; isUsed: boolean }>(
      sql,
      `select last_value::text as value, is_called as "isUsed" from ${name}`,
    );
    if (counted) sequences.push({ name, ...counted });
  }
  return sequences;
}

export async function readQueueSchema(sql: SqlClient): Promise<number> {
  const schema = await firstRow<{ version: number }>(sql, "select version from pgboss.version");
  return schema?.version ?? 0;
}

export async function readMigrations(sql: SqlClient): Promise<string[]> {
  const applied = await rows<{ name: string }>(sql, "select name from migrations order by name");
  return applied.map(({ name }) => name);
}

import { firstRow, rows } from "../../../shared/platform/db/rows.ts";
import type { SqlClient } from "../../../shared/platform/db/sql.ts";
import { temporaryTables } from "../../../shared/shard/event-partitions/partitions.ts";
import {
  selectLastValueSql,
  selectMigrationsSql,
  selectQueueSchemaSql,
  selectSequencesSql,
  selectTablesSql,
} from "./backup.sql.ts";
import type { BackupTable, SequenceValue } from "./format.ts";

/** The table with the jobs of all queues. The queues themselves are created by the migration step. */
const jobs = "pgboss.job";

type Row = BackupTable & { readonly refersTo: readonly string[] };

/**
 * Tables that a backup omits: its header already lists the migrations, and temporary data may be outdated at a
 * restore.
 */
const omittedTables: readonly string[] = ["migrations", ...Object.values(temporaryTables)];

/** Returns every table of the service except omitted ones. Referenced tables come first. */
export async function readTables(sql: SqlClient): Promise<BackupTable[]> {
  const tables = await rows<Row>(sql, selectTablesSql, [jobs, omittedTables]);
  const ordered: BackupTable[] = [];
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

export async function readSequences(sql: SqlClient): Promise<SequenceValue[]> {
  const names = await rows<{ name: string }>(sql, selectSequencesSql);
  const sequences: SequenceValue[] = [];
  for (const { name } of names) {
    const counted = await firstRow<{ value: string; isUsed: boolean }>(
      sql,
      selectLastValueSql(name),
    );
    if (counted) sequences.push({ name, ...counted });
  }
  return sequences;
}

export async function readQueueSchema(sql: SqlClient): Promise<number> {
  const schema = await firstRow<{ version: number }>(sql, selectQueueSchemaSql);
  return schema?.version ?? 0;
}

export async function readMigrations(sql: SqlClient): Promise<string[]> {
  const applied = await rows<{ name: string }>(sql, selectMigrationsSql);
  return applied.map(({ name }) => name);
}

import type { SiteContext } from "../../../shared/ops/site-context.ts";
import { inTransaction } from "../../../shared/platform/db/transaction.ts";
import { query } from "./query.ts";

export interface RowSnapshot {
  /** Restores all saved rows and reloads the caches of the server. */
  restore(): Promise<void>;
}

interface Table {
  readonly name: string;
  readonly columns: string;
}

/** Selects the service's tables, with all their columns except generated ones. */
const tables = `
  select quote_ident(table_name) as name, string_agg(quote_ident(column_name), ', ') as columns
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
  group by table_name`;

/**
 * Saves all rows of the database. Restoring them is much faster than a new database and server for
 * each test.
 */
export async function snapshotRows(context: SiteContext): Promise<RowSnapshot> {
  const all = await query<Table>({ context }, tables);
  await query({ context }, `create schema kept`);
  for (const { name } of all) {
    await query({ context }, `create table kept.${name} as table public.${name}`);
  }
  // The order of the tables does not matter: references are not checked during the restore, and at its end all
  // are valid.
  const restoring = all.map(
    ({ name, columns }) =>
      `delete from public.${name};
       insert into public.${name} (${columns}) overriding system value
       select ${columns} from kept.${name};`,
  );
  const restoreAll = `
    set local session_replication_role = replica;
    delete from pgboss.job;
    ${restoring.join("\n")}`;
  return {
    restore: async () => {
      await inTransaction(context.sequelize, (transaction) =>
        context.sequelize.query(restoreAll, { transaction }),
      );
      const { visibility, settings, siteMode } = context;
      for (const value of [visibility, settings, siteMode]) await value.reload();
    },
  };
}

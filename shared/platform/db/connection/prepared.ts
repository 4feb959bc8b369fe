import type { QueryResultRow } from "pg";
import type { Sequelize } from "sequelize";

import type { Config } from "../../config/config.ts";
import type { PreparedStatement } from "../named-statements.ts";
import { onPoolConnection } from "../sql.ts";
import { isPooled } from "./session-settings.ts";

/** The pool, and whether it goes through a pooler of the host's. */
interface PreparedOn {
  readonly sequelize: Sequelize;
  readonly config: Config;
}

/**
 * Runs a statement of very many requests on a connection of the pool, outside any transaction.
 * Reading and planning the SQL anew each time would cost the database several times the answer.
 * @returns the rows
 */
export async function queryPrepared<Row extends QueryResultRow>(
  { name, text }: PreparedStatement,
  values: readonly unknown[],
  { sequelize, config }: PreparedOn,
): Promise<Row[]> {
  // A transaction pooler may hand the next statement to a connection that never heard the name.
  const given = { text, values: [...values], ...(!isPooled(config) && { name }) };
  const { rows } = await onPoolConnection(sequelize, (sql) => sql.query<Row>(given));
  return rows;
}

import type { QueryResultRow } from "pg";
import type { Sequelize } from "sequelize";

import type { Config } from "../../config/config.ts";
import type { PreparedStatement } from "../named-statements.ts";
import { onPoolConnection } from "../sql.ts";
import { hasPooler } from "./session-settings.ts";

interface PreparedContext {
  readonly sequelize: Sequelize;
  readonly config: Config;
}

/**
 * Runs a frequent statement on a connection of the pool, outside any transaction. The statement is
 * prepared, because planning it each time would take several times as long as running it.
 */
export async function queryPrepared<Row extends QueryResultRow>(
  { name, text }: PreparedStatement,
  values: readonly unknown[],
  { sequelize, config }: PreparedContext,
): Promise<Row[]> {
  // A transaction pooler may run the next statement on a connection that lacks the prepared statement.
  const given = { text, values: [...values], ...(!hasPooler(config) && { name }) };
  const { rows } = await onPoolConnection(sequelize, (sql) => sql.query<Row>(given));
  return rows;
}

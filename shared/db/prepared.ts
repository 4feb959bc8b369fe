import type { QueryResultRow } from "pg";

import type { Context } from "../context.ts";
import type { Sql } from "./sql.ts";

/** A statement that is prepared once a connection, under a name of its own. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Runs a statement of very many requests on a connection of the pool, outside any transaction.
 * Reading and planning the SQL anew each time would cost the database several times the answer.
 * @returns the rows
 */
export async function queryPrepared<Row extends QueryResultRow>(
  { name, text }: PreparedStatement,
  values: readonly unknown[],
  { sequelize, config }: Pick<Context, "sequelize" | "config">,
): Promise<Row[]> {
  // A transaction pooler may hand the next statement to a connection that never heard the name.
  const isPooled = config.DATABASE_LISTEN_URL !== undefined;
  const { connectionManager: pool } = sequelize;
  const connection = await pool.getConnection({ type: "read" });
  try {
    const given = { text, values: [...values], ...(!isPooled && { name }) };
    const { rows } = await (connection as Sql).query<Row>(given);
    return rows;
  } finally {
    pool.releaseConnection(connection);
  }
}

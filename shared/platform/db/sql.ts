import type { QueryConfig, QueryResult, QueryResultRow, Submittable } from "pg";
import type { Sequelize } from "sequelize";

/** A pg client; it runs SQL text with `$1` parameters. */
export interface SqlClient {
  /** If a query has a `name`, each connection prepares the query only once. */
  query<Row extends QueryResultRow>(
    text: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
  /** Runs a stream's statement. The stream itself reports the result. */
  query<Stream extends Submittable>(stream: Stream): Stream;
}

/** Runs `work` on an exclusive connection of the pool, outside any transaction. */
export async function onPoolConnection<T>(
  { connectionManager: pool }: Sequelize,
  work: (sql: SqlClient) => Promise<T>,
): Promise<T> {
  const connection = await pool.getConnection({ type: "write" });
  try {
    // For PostgreSQL, the pool's connections are pg clients.
    return await work(connection as SqlClient);
  } finally {
    pool.releaseConnection(connection);
  }
}

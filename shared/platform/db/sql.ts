import type { QueryConfig, QueryResult, QueryResultRow, Submittable } from "pg";
import type { Sequelize } from "sequelize";

/** What runs SQL text with `$1` parameters: a client of pg. */
export interface Sql {
  /** A query with a `name` is prepared once a connection. */
  query<Row extends QueryResultRow>(
    text: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
  /** Has a stream's statement run; the stream itself says how it went. */
  query<Stream extends Submittable>(stream: Stream): Stream;
}

/** Runs `work` on a connection of the pool that it has to itself, outside any transaction. */
export async function onPoolConnection<T>(
  { connectionManager: pool }: Sequelize,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const connection = await pool.getConnection({ type: "write" });
  try {
    // With PostgreSQL the pool's connections are clients of pg.
    return await work(connection as Sql);
  } finally {
    pool.releaseConnection(connection);
  }
}

import type { QueryConfig, QueryResult, QueryResultRow, Submittable } from "pg";
import type { Transaction } from "sequelize";

/** What runs SQL text with `$1` parameters: a pg client, or a Sequelize transaction's own. */
export interface Sql {
  /** A query with a `name` is prepared once a connection. */
  query<Row extends QueryResultRow>(
    text: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
  /** Has a stream's statement run; the stream itself says how it went. */
  query<Stream extends Submittable>(stream: Stream): Stream;
}

/** The connection underneath a Sequelize transaction, for SQL written by hand and for pg-boss. */
export function sqlOf(transaction: Transaction): Sql {
  return (transaction as unknown as { connection: Sql }).connection;
}

import type { QueryConfig, QueryResult, QueryResultRow } from "pg";
import type { Transaction } from "sequelize";

/** What runs SQL text with `$1` parameters: a pg client, or a Sequelize transaction's own. */
export interface Sql {
  /** A query with a `name` is prepared once a connection. */
  query<Row extends QueryResultRow>(
    text: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<Row>>;
}

/** The connection underneath a Sequelize transaction, for SQL written by hand and for pg-boss. */
export function sqlOf(transaction: Transaction): Sql {
  return (transaction as unknown as { connection: Sql }).connection;
}

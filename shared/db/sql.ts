import type { QueryResult, QueryResultRow } from "pg";
import type { Transaction } from "sequelize";

/** What runs SQL text with `$1` parameters: a pg client, or a Sequelize transaction's own. */
export interface Sql {
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<Row>>;
}

/** The connection underneath a Sequelize transaction, for SQL written by hand and for pg-boss. */
export function sqlOf(transaction: Transaction): Sql {
  return (transaction as unknown as { connection: Sql }).connection;
}

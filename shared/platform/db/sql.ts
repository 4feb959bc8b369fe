import type { QueryConfig, QueryResult, QueryResultRow, Submittable } from "pg";

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

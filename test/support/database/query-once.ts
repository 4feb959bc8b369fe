import { Client, type QueryResultRow } from "pg";

/** Runs a statement on a new connection, so that faults of other connections do not affect it. */
export async function queryOnce<Row extends QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client(url);
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

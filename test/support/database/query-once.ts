import { Client, type QueryResultRow } from "pg";

/** One statement on a connection of its own, so that nothing that befell another can have spoiled it. */
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

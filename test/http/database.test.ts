import { Client } from "pg";
import { describe, expect, it } from "vitest";

import { createTestDatabase } from "../support/database/database.ts";

describe("the test database", () => {
  it("is a separate copy with all migrations", async () => {
    const database = await createTestDatabase();
    const client = new Client(database.url);
    await client.connect();
    const { rows } = await client.query("select source, state from ingest_sources");
    await client.end();
    await database.drop();
    expect(rows).toEqual([{ source: "shard", state: "disconnected" }]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createWorkerClientClass } from "../../shared/platform/queue/queue.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe("a database connection of a worker", () => {
  it("prepares the statement that takes jobs, and no other statement", async () => {
    const Client = createWorkerClientClass({ statementMs: 5_000 });
    const client = new Client(database.url);
    await client.connect();
    try {
      const take = "\n  WITH\n  next AS (select 1 as id) select id from next";
      for (let time = 0; time < 2; time++) {
        expect((await client.query(take)).rows).toEqual([{ id: 1 }]);
        expect((await client.query("select 2 as id")).rows).toEqual([{ id: 2 }]);
      }
      const { rows } = await client.query(
        "select statement, generic_plans::integer as plans from pg_prepared_statements",
      );
      expect(rows).toEqual([{ statement: take, plans: 2 }]);
    } finally {
      await client.end();
    }
  });
});

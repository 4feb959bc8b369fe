import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Client } from "pg";

import { migrate, migrateDown } from "../../migrations/migrate.ts";
import { migrationNames } from "../../shared/ops/schema.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { until } from "../support/wait.ts";

let database: TestDatabase;
let other: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  other = new Client(database.url);
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await database.drop();
});

/** How many sessions wait for the lock that lets one at a time change the schema. */
const waiting = async () => {
  const { rows } = await other.query<{ count: number }>(
    `select count(*)::integer as count from pg_locks
     where locktype = 'advisory' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows[0]?.count;
};

describe("the schema", () => {
  it("is changed by one at a time, who takes back as who brings forward", async () => {
    const newest = (await migrationNames()).at(-1);
    await other.query("select pg_advisory_lock(7102026)");
    const undoing = migrateDown(database.url);
    await until("it waits for its turn", async () => (await waiting()) === 1);
    await other.query("select pg_advisory_unlock_all()");
    expect(await undoing).toEqual([newest]);
    expect(await migrate(database.url)).toEqual([newest]);
    expect(await migrate(database.url)).toEqual([]);
  });
});

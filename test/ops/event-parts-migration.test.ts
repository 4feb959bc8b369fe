import { Client } from "pg";
import { Sequelize } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { migrate, migrateDown } from "../../migrations/migrate.ts";
import { listMigrationNames } from "../../shared/ops/schema.ts";
import { copyFullPartitionKeys } from "../../shared/shard/event-partitions/note-full-partitions.ts";
import { shrinkPartitions } from "../../shared/shard/event-partitions/shrink-partitions.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database/database.ts";

let database: TestDatabase;
let client: Client;
const partsMigrations = /^008[789]-/;

beforeAll(async () => {
  database = await createEmptyDatabase();
  const names = await listMigrationNames();
  await migrate(
    database.url,
    names.filter((name) => !partsMigrations.test(name)),
  );
  client = new Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/**
 * Stores an event with the statement of the previous release, which was prepared before the
 * migration.
 * @returns true if the event was new
 */
async function storeAsBefore(epoch: string, seq: number, key: string): Promise<boolean> {
  const { rowCount } = await client.query({
    name: "insert-events",
    text: `insert into shard_events (source, epoch, seq, event_key, boot_id, kind, t, payload, reach)
     values ('shard', $1, $2, $3, null, 'champ.start', 1, '{}', 'public')
     on conflict do nothing returning id, seq, kind, t, created_at`,
    values: [epoch, seq, key],
  });
  return rowCount === 1;
}

async function takeBack(): Promise<void> {
  for (let undone = ""; !undone.startsWith("0089-");) {
    undone = (await migrateDown(database.url))[0] ?? "0089-";
  }
}

/** Returns a checksum of all events. It does not depend on their table and order. */
const sumOfRows = async () =>
  (
    await client.query(
      `select count(*)::integer, min(id)::integer, max(id)::integer,
         sum(hashtextextended(event::text, 0))::text as sum from shard_events event`,
    )
  ).rows;

const nextId = async () =>
  (await client.query("select last_value::integer from shard_events_id_seq")).rows;

const stored = async () =>
  (await client.query<{ key: string }>("select event_key as key from shard_events order by id"))
    .rows;
const fileOf = async (table: string) =>
  (await client.query("select pg_relation_filenode($1::regclass) as file", [table])).rows;

const filesOfIndexes = async (table: string) =>
  (
    await client.query(
      `select pg_relation_filenode(indexrelid) as file from pg_index
       where indrelid = $1::regclass order by 1`,
      [table],
    )
  ).rows;

describe("the migration that partitions the event log", () => {
  it("leaves stored rows unchanged, and the previous release can still store events", async () => {
    expect(await storeAsBefore("one", 1, "a")).toBe(true);
    const file = await fileOf("shard_events");
    const indexes = await filesOfIndexes("shard_events");
    const ran = await migrate(database.url);
    expect(ran).toEqual((await listMigrationNames()).filter((name) => partsMigrations.test(name)));
    expect(await fileOf("shard_events_0")).toEqual(file);
    expect(await filesOfIndexes("shard_events_0")).toEqual(indexes);
    expect(await storeAsBefore("one", 1, "b")).toBe(false);
    expect(await storeAsBefore("two", 1, "a")).toBe(false);
    expect(await storeAsBefore("two", 2, "b")).toBe(true);
    expect(await stored()).toEqual([{ key: "a" }, { key: "b" }]);
    const { rows } = await client.query("select max(id)::integer from shard_events");
    expect(rows).toEqual([{ max: 4 }]);
  });

  it("can be reverted without losing rows", async () => {
    await takeBack();
    expect(await storeAsBefore("one", 1, "c")).toBe(false);
    expect(await storeAsBefore("three", 1, "b")).toBe(false);
    expect(await storeAsBefore("three", 1, "c")).toBe(true);
    expect(await stored()).toEqual([{ key: "a" }, { key: "b" }, { key: "c" }]);
    await migrate(database.url);
    expect(await stored()).toEqual([{ key: "a" }, { key: "b" }, { key: "c" }]);
  });

  it("can be reverted with closed, filling and empty partitions", async () => {
    const define = { underscored: true, timestamps: false };
    const sequelize = new Sequelize(database.url, { logging: false, define });
    const makeFrom = async (id: number, kind: string): Promise<void> => {
      await client.query("select setval('shard_events_id_seq', $1, false)", [id]);
      await client.query(
        `insert into shard_events (source, epoch, seq, event_key, kind, t, payload, reach)
         select 'shard', $1::text, seq, concat($1::text, ' ', seq), $1::text, seq,
           jsonb_build_object('level', seq), 'public' from generate_series(1, 5000) seq`,
        [kind],
      );
    };
    for (const id of [10, 2_000_000, 3_000_000, 4_998_000]) await makeFrom(id, `from ${id}`);
    expect(await copyFullPartitionKeys(sequelize)).toBe(4);
    await client.query("delete from shard_events where id between 100 and 4999");
    expect(await shrinkPartitions(sequelize)).toEqual({ dropped: 0, rewritten: 2 });
    await sequelize.close();
    const [sum, next] = [await sumOfRows(), await nextId()];
    expect(sum).toEqual([{ count: 15_103, min: 1, max: 5_002_999, sum: expect.any(String) }]);
    await takeBack();
    expect(await sumOfRows()).toEqual(sum);
    expect(await nextId()).toEqual(next);
    expect(await storeAsBefore("from 2000000", 7, "new")).toBe(false);
    expect(await storeAsBefore("new", 7, "from 49980007")).toBe(true);
    expect(await storeAsBefore("new", 8, "from 4998000 7")).toBe(false);
  });
});

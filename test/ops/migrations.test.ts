import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { migrate, migrateDown } from "../../migrations/migrate.ts";
import { release } from "../../migrations/release.ts";
import { listMigrationNames } from "../../shared/ops/schema.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { createLogger } from "../../shared/platform/log.ts";
import { createPgBoss } from "../../shared/platform/queue/queue.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";
import { locksHere } from "../support/database/locks-here.ts";
import { testEnvironment } from "../support/service/server.ts";

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

/** Returns the number of sessions that wait for the advisory lock of migrations. */
const waiting = async () => {
  const { rows } = await other.query<{ count: number }>(
    `select count(*)::integer as count from ${locksHere}
     where locktype = 'advisory' and not granted`,
  );
  return rows[0]?.count;
};

/** Changes a setting of the role in this database. New sessions start with it. */
const setRole = (change: string) =>
  other.query(`do $$ begin
    execute format('alter role current_user in database %I ${change}', current_database());
  end $$`);

/** Ends the sessions that wait for the table `migrations`. @returns their number */
const endWhoWaits = async () => {
  const { rowCount } = await other.query(
    `select pg_terminate_backend(pid) from ${locksHere}
     where relation = 'migrations'::regclass and not granted`,
  );
  return rowCount;
};

describe("the schema", () => {
  it("is migrated by one process at a time, forward and backward", async () => {
    const newest = (await listMigrationNames()).at(-1);
    await other.query("select pg_advisory_lock(7102026)");
    const undoing = migrateDown(database.url);
    await waitUntil("it waits for its turn", async () => (await waiting()) === 1);
    await other.query("select pg_advisory_unlock_all()");
    expect(await undoing).toEqual([newest]);
    expect(await migrate(database.url)).toEqual([newest]);
    expect(await migrate(database.url)).toEqual([]);
  });

  it("is migrated only after a running backup has ended, whatever timeouts the role has", async () => {
    await other.query("select pg_advisory_lock_shared(7102026)");
    await setRole("set lock_timeout = 1");
    const changing = migrate(database.url).then(
      () => "ran",
      (error: Error) => error.message,
    );
    await waitUntil("it waits for its turn", async () => (await waiting()) === 1);
    await other.query("select pg_advisory_unlock_all()");
    expect(await changing).toBe("ran");
    await setRole("reset lock_timeout");
  });

  it("is unchanged if a migration run is killed between a change and its record", async () => {
    const newest = await migrateDown(database.url);
    await other.query("begin; lock table migrations in exclusive mode");
    const killed = migrate(database.url).then(
      () => "ran",
      (error: Error) => error.message,
    );
    await waitUntil("it has come to its note", async () => (await endWhoWaits()) === 1);
    expect(await killed).toMatch(/terminat/);
    await other.query("commit");
    expect(await migrate(database.url)).toEqual(newest);
  });
});

describe("a database that forbids extensions", () => {
  it("is refused with instructions before anything is created in it", async () => {
    const name = `forbidding_${process.pid}`;
    const admin = new Client(process.env["TEST_POSTGRES_URL"]);
    await admin.connect();
    await admin.query(`create role ${name} login`);
    await admin.query(`create database ${name} template template0`);
    const url = new URL(process.env["TEST_POSTGRES_URL"] ?? "");
    url.pathname = `/${name}`;
    const owner = new Client(url.href);
    await owner.connect();
    await owner.query(`grant all on schema public to ${name}`);
    url.username = name;
    try {
      await expect(migrate(url.href)).rejects.toThrow(
        /^the searches need PostgreSQL's extension pg_trgm, and this database refuses it \(permission denied to create extension "pg_trgm"\): have its administrator run/,
      );
      const { rows } = await owner.query("select 1 from pg_tables where schemaname = 'public'");
      expect(rows).toEqual([]);
      // After an administrator has created the extension, the role can migrate without further
      // rights.
      await owner.query("create extension pg_trgm");
      expect(await migrate(url.href)).toEqual(await listMigrationNames());
    } finally {
      await owner.end();
      await admin.query(`drop database ${name} with (force)`);
      await admin.query(`drop role ${name}`);
      await admin.end();
    }
  });
});

describe("the statistics history of pg-boss queues", () => {
  const silent = createLogger("test", "silent");
  const history = async () => {
    const { rows } = await other.query("select name from pgboss.queue_stats");
    return rows.length;
  };
  /** Inserts rows of two past days, which earlier releases stored. */
  const leaveRows = () =>
    other.query(`
      create table if not exists pgboss.queue_stats_20200101 partition of pgboss.queue_stats
        for values from ('2020-01-01 00:00:00+00') to ('2020-01-02 00:00:00+00');
      create table if not exists pgboss.queue_stats_20200102 partition of pgboss.queue_stats
        for values from ('2020-01-02 00:00:00+00') to ('2020-01-03 00:00:00+00');
      insert into pgboss.queue_stats (name, captured_on)
        values ('one', '2020-01-01 12:00:00+00'), ('two', '2020-01-02 12:00:00+00')`);

  it("is not written while the queues are supervised", async () => {
    const config = loadConfig(testEnvironment(database.url));
    const boss = createPgBoss(config, silent, { works: true, supervises: true });
    await boss.start();
    await boss.supervise();
    await boss.stop({ graceful: false });
    expect(await history()).toBe(0);
    const { rows } = await other.query("select 1 from pgboss.queue where monitor_on is not null");
    expect(rows).not.toEqual([]);
  });

  it("is deleted by a release, except for a locked partition, which the next release deletes", async () => {
    const config = loadConfig(testEnvironment(database.url));
    await leaveRows();
    await other.query("begin; lock table pgboss.queue_stats_20200102 in row exclusive mode");
    await release(config, silent);
    expect(await history()).toBe(1);
    await other.query("commit");
    await release(config, silent);
    expect(await history()).toBe(0);
  });
});

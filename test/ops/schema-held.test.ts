import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { pruneEventsJob } from "../../jobs/shard/prune-events.job.ts";
import { migrate } from "../../migrations/migrate.ts";
import { release } from "../../migrations/release.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { withSchemaLock, schemaLockKey } from "../../shared/platform/db/connection/schema-lock.ts";
import { createLogger } from "../../shared/platform/log.ts";
import { queueGroups } from "../../shared/platform/queue/queues.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database/database.ts";
import { locksHere } from "../support/database/locks-here.ts";
import { startTestServer, testEnvironment } from "../support/service/server.ts";
import { startTestWorker } from "../support/service/worker.ts";
import { startTestIngest } from "../support/shard/ingest.ts";

/**
 * Makes the database record each change of the schema, and in which modes the session that makes the change holds
 * the schema lock.
 */
const watchSchema = `
  create schema watch;
  create table watch.changes (command text not null, on_object text, modes text[] not null);
  create function watch.modes() returns text[] language sql as $$
    select coalesce(array_agg(distinct mode order by mode), '{}') from ${locksHere}
    where locktype = 'advisory' and granted and classid = 0 and objid = ${schemaLockKey} $$;
  create function watch.note_change() returns event_trigger language plpgsql as $$
  begin
    insert into watch.changes select command_tag, object_identity, watch.modes()
      from pg_event_trigger_ddl_commands() where schema_name is distinct from 'pg_temp';
  end $$;
  create function watch.note_drop() returns event_trigger language plpgsql as $$
  begin
    insert into watch.changes select tg_tag, object_identity, watch.modes()
      from pg_event_trigger_dropped_objects() where original and not is_temporary;
  end $$;
  create event trigger note_change on ddl_command_end execute function watch.note_change();
  create event trigger note_drop on sql_drop execute function watch.note_drop()`;

let database: TestDatabase;
let other: Client;
beforeAll(async () => {
  database = await createEmptyDatabase();
  other = new Client(database.url);
  await other.connect();
  await other.query(watchSchema);
});
afterAll(async () => {
  await other.end();
  await database.drop();
});

interface SchemaChange {
  readonly command: string;
  readonly on_object: string | null;
  readonly modes: readonly string[];
}

/** Deletes the recorded changes of the schema and returns them. */
async function takeChanges(): Promise<SchemaChange[]> {
  const { rows } = await other.query<SchemaChange>("delete from watch.changes returning *");
  return rows;
}

const commandsOf = (changes: readonly SchemaChange[]): string[] =>
  [...new Set(changes.map(({ command }) => command))].toSorted();

const withoutLock = (changes: readonly SchemaChange[], mode: string): SchemaChange[] =>
  changes.filter(({ modes }) => !modes.includes(mode));

const releaseNow = () =>
  release(loadConfig(testEnvironment(database.url)), createLogger("test", "silent"));

/** Returns the number of sessions that wait for a lock. */
const waiting = async () => {
  const { rows } = await other.query<{ count: number }>(
    `select count(distinct pid)::integer as count from ${locksHere} where not granted`,
  );
  return rows[0]?.count;
};

const triggers = async () => {
  const { rows } = await other.query<{ name: string }>(
    "select tgname as name from pg_trigger where tgrelid = 'pgboss.job'::regclass and tgname = 'keep_paused_jobs'",
  );
  return rows.length;
};

describe("a statement that changes the schema", () => {
  it("runs on an empty database, and only while the release holds the schema lock exclusively", async () => {
    await releaseNow();
    const changes = await takeChanges();
    expect(commandsOf(changes)).toEqual(
      expect.arrayContaining(["CREATE FUNCTION", "CREATE TABLE", "CREATE TRIGGER"]),
    );
    expect(changes.map(({ on_object: object }) => object)).toEqual(
      expect.arrayContaining(["public.migrations", "pgboss.job", "keep_paused_jobs on pgboss.job"]),
    );
    expect(withoutLock(changes, "ExclusiveLock")).toEqual([]);
  });

  it("creates a missing trigger or queue only while the release holds the schema lock", async () => {
    await other.query(`drop trigger keep_paused_jobs on pgboss.job;
      select pgboss.delete_queue('push.send')`);
    await takeChanges();
    await releaseNow();
    const changes = await takeChanges();
    expect(changes.map(({ on_object: object }) => object)).toEqual(
      expect.arrayContaining(["keep_paused_jobs on pgboss.job"]),
    );
    expect(commandsOf(changes)).toContain("CREATE TABLE");
    expect(withoutLock(changes, "ExclusiveLock")).toEqual([]);
    expect(await triggers()).toBe(1);
  });

  it("does not run on another connection after the connection with the schema lock is lost", async () => {
    const work = withSchemaLock(database.url, async ({ sequelize }) => {
      await sequelize.query("begin");
      await sequelize.query("create table first_half (id integer)");
      await other.query(
        `select pg_terminate_backend(pid) from ${locksHere}
         where locktype = 'advisory' and classid = 0 and objid = ${schemaLockKey}`,
      );
      // The first query on a lost connection fails, and later ones use other connections.
      for (let at = 0; at < 3; at += 1) await sequelize.query("select 1").catch(() => undefined);
      await sequelize.query("create table second_half (id integer)");
    });
    await expect(work).rejects.toThrow(
      "the database connection with the lock on the schema was lost",
    );
    expect(await takeChanges()).toEqual([]);
    const { rows } = await other.query("select to_regclass('second_half') as made");
    expect(rows).toEqual([{ made: null }]);
  });

  it("is never run by a starting process", async () => {
    const server = await startTestServer({ database });
    const worker = await startTestWorker(server, queueGroups, { supervises: true });
    const ingest = await startTestIngest(server.context);
    await ingest.stop();
    await worker.stop();
    expect(await takeChanges()).toEqual([]);
    await server.stop();
  });

  it("runs in a started process only with a shared schema lock, and not during a release", async () => {
    const server = await startTestServer({ database });
    const signal = new AbortController().signal;
    const prune = () => pruneEventsJob.run({}, server.context, { jobId: "test", signal });
    await other.query(`
      insert into shard_events (source, epoch, seq, kind, t, payload, reach)
        select 'shard', 'one', seq, case when seq <= 300 then 'presence.online' else 'champ.start' end,
          1, '{}', 'public' from generate_series(1, 400) seq;
      select setval('shard_events_id_seq', 2000000, false);
      insert into shard_events (source, epoch, seq, kind, t, payload, reach)
        values ('shard', 'two', 1, 'champ.boss', 1, '{}', 'public')`);
    await other.query("select pg_advisory_lock($1)", [schemaLockKey]);
    expect(await prune()).toMatchObject({ made: 0, noted: 0, dropped: 0, rewritten: 0 });
    await other.query("select pg_advisory_unlock_all()");
    expect(await takeChanges()).toEqual([]);
    expect(await prune()).toMatchObject({ noted: 1 });
    await other.query(
      "update shard_events set created_at = now() - interval '2 days' where kind = 'presence.online'",
    );
    expect(await prune()).toMatchObject({ rewritten: 1 });
    const changes = await takeChanges();
    expect(commandsOf(changes)).toEqual(
      expect.arrayContaining(["ALTER TABLE", "CREATE TABLE", "CREATE TRIGGER", "DROP TABLE"]),
    );
    expect(withoutLock(changes, "ShareLock")).toEqual([]);
    await server.stop();
  });
});

it("two releases that start at once take turns, and both succeed", async () => {
  await other.query("drop trigger keep_paused_jobs on pgboss.job");
  // Creating the trigger must wait for this lock, so both releases are running at the same time.
  await other.query("begin; lock table pgboss.job in row exclusive mode");
  const both = Promise.allSettled([releaseNow(), releaseNow()]);
  await waitUntil("both wait", async () => (await waiting()) === 2);
  await other.query("commit");
  expect((await both).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await triggers()).toBe(1);
  expect(await migrate(database.url)).toEqual([]);
});

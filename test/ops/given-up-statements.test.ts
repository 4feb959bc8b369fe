import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { readHealth, createReadinessChecks } from "../../shared/ops/health.ts";
import { startContext } from "../../shared/ops/start-context.ts";
import { createClient } from "../../shared/platform/db/connection/client.ts";
import { createConnectionPool } from "../../shared/platform/db/connection/connection.ts";
import { setRoleTimeouts } from "../../shared/platform/db/connection/role-timeouts.ts";
import { withSchemaLock } from "../../shared/platform/db/connection/schema-lock.ts";
import {
  sessionSettings,
  sessionSettingsSql,
} from "../../shared/platform/db/connection/session-settings.ts";
import { takeTransactionLock } from "../../shared/platform/db/lock.ts";
import { type Database, firstRow, rows } from "../../shared/platform/db/rows.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import {
  acquireSourceOwnership,
  type SourceOwnership,
} from "../../shared/platform/ingest/ownership.ts";
import { startHeartbeat } from "../../shared/platform/job-records/processes.ts";
import { createLogger } from "../../shared/platform/log.ts";
import { createPgBoss } from "../../shared/platform/queue/queue.ts";
import { readShardStatus } from "../../shared/shard/public/status.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { changeIngestSource, changeSidecarLink } from "../support/factories/shard.ts";
import { startMuteProxy } from "../support/network/mute-proxy.ts";
import { startRecordingProxy } from "../support/network/recording-proxy.ts";
import { startTlsProxy } from "../support/network/tls-proxy.ts";
import { startApiProcess, startProgram } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const log = createLogger("test", "silent");
let server: TestServer;
let admin: Client;

beforeAll(async () => {
  server = await startTestServer({ environment: { DATABASE_TIMEOUT: "3s" } });
  admin = new Client(server.database.url);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await server.stop();
});

/** Returns the number of connections that run a statement with this text. */
async function countRunning(word: string): Promise<number> {
  const { rows: counted } = await admin.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and state = 'active' and pid <> pg_backend_pid()
       and position(lower($1) in lower(query)) > 0`,
    [word],
  );
  return counted[0]?.count ?? 0;
}

const ownerOf = (patienceMs: number): Promise<SourceOwnership> => {
  const { url } = server.database;
  const signal = new AbortController().signal;
  return acquireSourceOwnership({ url, source: "shard", log, signal, patienceMs });
};

describe("a statement that its client abandons", () => {
  it("is ended by the server even if its connection no longer transfers data", async () => {
    const proxy = await startMuteProxy(server.database.url);
    const own = await startTestServer({
      database: server.database,
      environment: { DATABASE_URL: proxy.url, DATABASE_TIMEOUT: "3s" },
    });
    const asked = rows(own.context.sequelize, "select pg_sleep(600) as given_up");
    asked.catch(() => undefined);
    await waitUntil("it runs", async () => (await countRunning("given_up")) === 1);
    proxy.mute();
    await expect(asked).rejects.toThrow("PostgreSQL did not answer for 3000 ms");
    await waitUntil("nobody works for it", async () => (await countRunning("given_up")) === 0);
    await own.stop();
    await proxy.stop();
  });

  it("is canceled by the server while it waits for a lock", async () => {
    const { sequelize } = server.context;
    await admin.query("begin");
    await admin.query("lock settings in access exclusive mode");
    const asked = rows(sequelize, "select key from settings");
    await expect(asked).rejects.toThrow("canceling statement due to lock timeout");
    await admin.query("rollback");
  });

  it.each([
    ["without TLS", (url: string) => Promise.resolve({ url, stop: () => Promise.resolve() })],
    ["over TLS", startTlsProxy],
  ])(
    "is canceled at the client's request, %s, if no timeout of the server ends it",
    async (_, startWay) => {
      const way = await startWay(server.database.url);
      const patience = { statementMs: 4_000 };
      const client = createClient({ url: way.url, applicationName: "asking", patience });
      await client.connect();
      await client.query("set statement_timeout = 0");
      const asked = client.query("select pg_sleep(600) as asked_for_its_end");
      await expect(asked).rejects.toThrow("canceling statement due to user request");
      // The connection must be usable afterwards.
      expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
      await client.end();
      await way.stop();
    },
  );

  it("is canceled at the client's request if it is a commit that takes longer than the client waits", async () => {
    await admin.query("create table slow_commits (id integer)");
    await admin.query(`create function sleep_on() returns trigger language plpgsql as
      'begin perform pg_sleep(600); return null; end'`);
    await admin.query(`create constraint trigger sleep_on after insert on slow_commits
      deferrable initially deferred for each row execute function sleep_on()`);
    const patience = { statementMs: 900_000, idleMs: 4_000 };
    const client = createClient({ url: server.database.url, applicationName: "asking", patience });
    await client.connect();
    await client.query("begin");
    await client.query("insert into slow_commits values (1)");
    await expect(client.query("COMMIT;")).rejects.toThrow(
      "canceling statement due to user request",
    );
    await client.end();
    expect((await admin.query("select from slow_commits")).rowCount).toBe(0);
  });

  it("releases its locks if its transaction stays idle", async () => {
    const { sequelize } = server.context;
    const left = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const standing = inTransaction(sequelize, async (transaction) => {
      await takeTransactionLock("visibility", transaction);
      held.resolve();
      await left.promise;
    });
    standing.catch(() => undefined);
    await held.promise;
    await admin.query("begin");
    await admin.query("set local lock_timeout = '30s'");
    await admin.query("select pg_advisory_xact_lock(3, 0)");
    await admin.query("rollback");
    // Sequelize warns about the lost connection on the console.
    const told = vi.spyOn(console, "warn").mockReturnValue();
    left.resolve();
    await expect(standing).rejects.toThrow(/connection/);
    told.mockRestore();
  });
});

const asSet = (settings: object) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));

/** Reads session settings, in the units in which they are set. */
const settingsOn = async (database: Database) =>
  (
    await firstRow<{ settings: object }>(
      database,
      `select jsonb_object_agg(name, case when name in
           ('tcp_keepalives_idle', 'tcp_keepalives_interval') then setting || unit else setting end
         ) as settings
       from pg_settings where name = any($1)`,
      [Object.keys(sessionSettings({ statementMs: 1 }))],
    )
  )?.settings;

describe("the timeouts of a database session", () => {
  it("are slightly shorter than the timeout of a request", async () => {
    const set = {
      statement_timeout: "2700",
      lock_timeout: "2400",
      idle_in_transaction_session_timeout: "2700",
      client_connection_check_interval: "2000",
      tcp_keepalives_idle: "10s",
      tcp_keepalives_interval: "5s",
      tcp_keepalives_count: "3",
    };
    expect(await settingsOn(server.context.sequelize)).toEqual(set);
    const { config } = server.context;
    const boss = createPgBoss(config, log);
    await boss.start();
    const { rows: told } = await boss.getDb().executeSql("show statement_timeout");
    expect(told).toEqual([{ statement_timeout: "2700ms" }]);
    await boss.stop({ graceful: false });
  });

  it("allow a worker longer statements, but not longer idle transactions", async () => {
    const { context, parts } = await startContext(server.context.config, "worker", {
      statementMs: 900_000,
    });
    expect(await settingsOn(context.sequelize)).toMatchObject({
      statement_timeout: "810000",
      lock_timeout: "720000",
      idle_in_transaction_session_timeout: "2700",
    });
    for (const part of parts.toReversed()) await part.stop();
  });

  it("are set by the first statement on every connection that a process opens", async () => {
    const proxy = await startRecordingProxy(server.database.url);
    const environment = { DATABASE_URL: proxy.url, DATABASE_TIMEOUT: "3s" };
    const { database } = server;
    const programs = [
      await startApiProcess(database, environment),
      await startProgram("ingest", { database, environment }),
      await startProgram("worker", { database, environment }),
    ];
    const begun = (name: string) =>
      proxy.connections.filter((one) => one.name.startsWith(`guildhall ${name}`));
    const hears = (word: string) => () =>
      begun("queue").some(({ statements }) => statements.some((text) => text.startsWith(word)));
    await waitUntil("jobs are heard of", hears("LISTEN"));
    // A process that has lost its connections opens a new connection to watch the database.
    proxy.cut();
    await waitUntil("each looks", () => begun("watch").length >= programs.length);
    await Promise.all(programs.map((program) => program.stop()));
    const names = ["web", "ingest", "worker", "queue", "listen", "watch"];
    expect(names.filter((name) => begun(name).length === 0)).toEqual([]);
    const expected = (name: string) => {
      if (name === "guildhall worker") return { statementMs: 900_000, idleMs: 3_000 };
      if (name === "guildhall watch") return { statementMs: 2_000 };
      if (/^guildhall (listen|ingest .+)$/.test(name)) return { statementMs: 10_000 };
      return { statementMs: 3_000 };
    };
    const others = proxy.connections
      // Leave out connections that were cut before their first statement.
      .filter(({ statements }) => statements.length > 0)
      .map(({ name, statements: [first] }) => ({ name, first }))
      .filter(({ name, first }) => first !== sessionSettingsSql(expected(name)));
    expect(others).toEqual([]);
    await proxy.stop();
  });

  it("apply to the connection of the process that owns an event source", async () => {
    const owner = await ownerOf(10_000);
    expect(await owner.run(settingsOn)).toEqual(asSet(sessionSettings({ statementMs: 10_000 })));
    await owner.release();
  });
});

describe("a release behind a transaction pooler", () => {
  it("stores the timeouts in the database role, and requests do not set them", async () => {
    const { url } = server.database;
    const environment = { DATABASE_TIMEOUT: "5s", DATABASE_LISTEN_URL: url };
    const own = await startTestServer({ database: server.database, environment });
    const { config } = own.context;
    expect(await settingsOn(own.context.sequelize)).toMatchObject({ statement_timeout: "0" });
    await withSchemaLock(config.DATABASE_URL, (held) => setRoleTimeouts(config, log, held));
    const later = new Client(url);
    await later.connect();
    expect(await settingsOn(later)).toEqual(asSet(sessionSettings({ statementMs: 5_000 })));
    await later.end();
    await own.stop();
  });
});

describe("a process on a read-only server", () => {
  it("is not ready", async () => {
    const { rows: named } = await admin.query<{ name: string }>(
      "select current_database() as name",
    );
    await admin.query(`alter database ${named[0]?.name} set default_transaction_read_only = on`);
    const sequelize = createConnectionPool(server.context.config, "later");
    const readiness = createReadinessChecks({ ...server.context, sequelize }, () => "working");
    const { status, checks } = await readHealth("web", "ready", readiness);
    expect({ status, database: checks["database"] }).toEqual({
      status: "failing",
      database: { ok: false, ms: expect.any(Number), detail: "the database server is read-only" },
    });
    await sequelize.close();
    await admin.query(`alter database ${named[0]?.name} reset default_transaction_read_only`);
    await waitUntil("it is known", () => server.context.database.trouble === undefined);
  });
});

describe("the heartbeat of a process", () => {
  it("updates only its own row, and sends no second update while the first waits", async () => {
    const patient = await startTestServer({ database: server.database });
    const row = await startHeartbeat(patient.context, "web");
    // Open another connection for the lock: statistics do not change within a transaction.
    const holder = new Client(server.database.url);
    await holder.connect();
    await holder.query("set idle_in_transaction_session_timeout = 0");
    await holder.query("begin");
    await holder.query("select from processes where id = $1 for update", [row.id]);
    const heldAt = performance.now();
    const touches = () => countRunning('update "processes"');
    await waitUntil("it waits", async () => (await touches()) === 1);
    await waitUntil("two more are due", () => performance.now() - heldAt > 16_000);
    expect(await touches()).toBe(1);
    await holder.end();
    await row.stop();
    await patient.stop();
  });
});

describe("the state of the link to the shard", () => {
  it("is reconnecting while the link's process waits for a lock and sends no heartbeat", async () => {
    await changeSidecarLink(server, { enabled: true });
    const { sequelize } = server.context;
    const status = async () => (await readShardStatus(sequelize)).status;
    const owner = await ownerOf(300_000);
    await changeIngestSource(server, { state: "connected" });
    expect(await status()).toBe("connected");
    await admin.query("begin");
    await admin.query("select pg_advisory_xact_lock(3, 0)");
    const waiting = owner.run((sql) => sql.query("select pg_advisory_lock(3, 0)"));
    await waitUntil("it is told", async () => (await status()) === "reconnecting");
    await admin.query("rollback");
    await waiting;
    await waitUntil("it beats again", async () => (await status()) === "connected");
    await owner.release();
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { waitUntil } from "../support/clock/wait.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";
import { queryOnce } from "../support/database/query-once.ts";
import { type BreakingProxy, startBreakingProxy } from "../support/network/breaking-proxy.ts";
import { takeFreePort } from "../support/network/ports.ts";
import { ChildProgram } from "../support/service/own-process.ts";
import { testEnvironment } from "../support/service/server.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

interface Program {
  readonly program: ChildProgram;
  readonly isReady: () => Promise<boolean>;
}

/**
 * Prepares a program whose database connections go through the proxy. The caller starts the
 * program.
 */
async function programBy(proxy: BreakingProxy, file: string): Promise<Program> {
  const [port, internalPort] = [await takeFreePort(), await takeFreePort()];
  const readyAt = `http://127.0.0.1:${internalPort}/internal/health?probe=ready`;
  const program = new ChildProgram({
    name: file,
    file,
    readyAt,
    environment: {
      ...testEnvironment(proxy.url),
      LOG_LEVEL: "info",
      HOST: "127.0.0.1",
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
    },
  });
  return { program, isReady: async () => (await fetch(readyAt)).ok };
}

/**
 * Statements that each process executes at its start, by a part of their texts. The tests cut the connection at
 * each statement.
 */
const moments = {
  "jobs/worker.ts": [
    "server_version_num",
    "select name from migrations",
    "pgboss.version",
    "listen echo",
    "site_mode",
    'INTO "processes"',
    "send-it",
    "paused_queues",
  ],
  "jobs/ingest.ts": ['INTO "processes"', "from survival_servers where enabled"],
  "api/server.ts": ['INTO "processes"', "from shard_events"],
};

describe("a database that is restarted while a process starts", () => {
  const cases = Object.entries(moments).flatMap(([file, texts]) =>
    texts.map((text) => ({ file, text })),
  );

  it.each(cases)("makes $file wait for the database at `$text`", async ({ file, text }) => {
    const proxy = await startBreakingProxy(database.url);
    const { program } = await programBy(proxy, file);
    proxy.breakAt(text);
    let isOver = false;
    const started = program.start().finally(() => (isOver = true));
    started.catch(() => undefined);
    await waitUntil("it waits", () => program.said.includes("waiting up to 60 s: ") || isOver);
    expect(isOver).toBe(false);
    proxy.mend();
    await started;
    expect(program.deaths).toEqual([]);
    expect(await program.stop()).toBe(0);
    await proxy.stop();
  });
});

describe("a worker that loses its LISTEN connection while it starts", () => {
  it("opens a new connection before it takes jobs", async () => {
    const proxy = await startBreakingProxy(database.url);
    const { program } = await programBy(proxy, "jobs/worker.ts");
    proxy.endAt('LISTEN "');
    await program.start();
    expect(proxy.countBroken()).toBe(1);
    const listening = await queryOnce(
      database.url,
      `select from pg_stat_activity where datname = current_database()
         and application_name = 'guildhall queue' and query ~ '^LISTEN|pg_listening_channels'`,
    );
    expect(listening).toHaveLength(1);
    expect(program.deaths).toEqual([]);
    expect(await program.stop()).toBe(0);
    await proxy.stop();
  });
});

describe("a database that is restarted while a process runs", () => {
  it.each(Object.keys(moments))(
    "does not end %s, although new connections fail too",
    async (file) => {
      const proxy = await startBreakingProxy(database.url);
      const { program, isReady } = await programBy(proxy, file);
      await program.start();
      proxy.breakGreeted();
      const before = proxy.countBroken();
      const isStruck = () => proxy.countBroken() > before + 10 || !program.runs;
      await waitUntil("its new connections end too", isStruck);
      proxy.mend();
      await waitUntil("it is ready again", async () => !program.runs || (await isReady()));
      expect(program.deaths).toEqual([]);
      expect(await program.stop()).toBe(0);
      await proxy.stop();
    },
  );
});

describe("a database that is unavailable while a process stops", () => {
  it.each(Object.keys(moments))("does not keep %s from stopping in order", async (file) => {
    const proxy = await startBreakingProxy(database.url);
    const { program } = await programBy(proxy, file);
    await program.start();
    proxy.break();
    expect(await program.stop()).toBe(0);
    expect(program.said).not.toMatch(
      /"(uncaught|unhandled rejection|the process did not stop in time and ends now)"/,
    );
    await proxy.stop();
  });
});

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { Client } from "pg";
import type { Sequelize } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runChecks } from "../../jobs/commands/run-checks.ts";
import { readHealth, createReadinessChecks } from "../../shared/ops/health.ts";
import { requireServerVersion } from "../../shared/platform/db/server.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";
import { startVersionProxy } from "../support/network/version-proxy.ts";
import { startTestServer, testEnvironment, type TestServer } from "../support/service/server.ts";

const project = path.join(import.meta.dirname, "../..");
const programs = ["api/server.ts", "jobs/ingest.ts", "jobs/worker.ts"];

/** Runs a program and waits for its end. */
function run(file: string, environment: NodeJS.ProcessEnv, cwd = project) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: process.env["PATH"], ...environment };
    execFile(process.execPath, [path.join(project, file)], { env, cwd }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

async function change(text: string, { url }: TestDatabase): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(text);
  await client.end();
}

/** Deletes the record of a migration, so that the migration is applied again. */
const forget = (migration: string, database: TestDatabase) =>
  change(`delete from migrations where name = '${migration}'`, database);

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

/** Starts a program in a folder without an `.env` file. Collects its log lines. */
function startLogging(file: string, environment: NodeJS.ProcessEnv) {
  const env = { PATH: process.env["PATH"], ...environment, LOG_LEVEL: "info" };
  const child = spawn(process.execPath, [path.join(project, file)], { env, cwd: tmpdir() });
  children.push(child);
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  const logged = () =>
    text
      .split("\n")
      .filter((line) => line.endsWith("}"))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const stop = async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    const [code] = (await ended) as [number | null];
    return code;
  };
  return { logged, stop, code: () => child.exitCode };
}

describe("a process without its schema", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each(programs)("%s names the missing migrations and exits", async (file) => {
    await forget("0002-shard", database);
    const environment = {
      ...testEnvironment(database.url),
      LOG_LEVEL: "info",
      SCHEMA_WAIT: "0s",
    };
    const { code, stdout, stderr } = await run(file, environment);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      level: "fatal",
      msg: "cannot start",
      err: { message: "the schema lacks 0002-shard: run npm run migrate" },
    });
  });
});

describe("processes that start together with a release", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await forget("0019-internal-ports", database);
    await change("alter table processes drop column internal_port", database);
    await change("drop schema pgboss cascade", database);
  });
  afterAll(() => database.drop());

  it("wait for the schema and the queues, log the wait once, and use separate health ports", async () => {
    const environment = { ...testEnvironment(database.url), PORT: "0" };
    const started = [...programs, "jobs/worker.ts"].map((file) => startLogging(file, environment));
    const wait = {
      level: "warn",
      msg: "waiting up to 60 s: the schema lacks 0019-internal-ports, queues: run npm run migrate",
    };
    for (const { logged } of started) await waitUntil("it waits", () => logged().length > 0);
    const release = await run("jobs/commands/migrate.ts", environment);
    expect(release.code).toBe(0);
    for (const { logged } of started) {
      await waitUntil("it works", () => logged().some(({ internalPort }) => internalPort));
    }
    const said = started.map(({ logged }) => {
      return logged().filter(({ level, internalPort }) => level !== "info" || internalPort);
    });
    expect(said).toEqual(
      ["web", "ingest", "worker", "worker"].map((process) => [
        expect.objectContaining({ ...wait, process }),
        expect.objectContaining({ level: "info", process, internalPort: expect.any(Number) }),
      ]),
    );
    const answers = said.map(async ([, { internalPort } = {}]) => {
      const response = await fetch(`http://127.0.0.1:${String(internalPort)}/internal/health`);
      return [response.status, await response.json()];
    });
    const ready = [200, expect.objectContaining({ status: "ok" })];
    expect(await Promise.all(answers)).toEqual([ready, ready, ready, ready]);
    const findings = await runChecks(environment);
    for (const [place, [, { internalPort } = {}]] of said.entries()) {
      const kind = ["web", "ingest", "worker", "worker"][place];
      expect(findings.find(({ name }) => name === kind)).toEqual({
        name: kind,
        status: "ok",
        detail: expect.stringContaining(`, health on port ${String(internalPort)}`),
      });
    }
    expect(await Promise.all(started.map(({ stop }) => stop()))).toEqual([0, 0, 0, 0]);
  });
});

describe("a PostgreSQL version that is too old", () => {
  /**
   * Returns a connection that reports this version of the server. Each process checks the version
   * at its start.
   */
  const serverOf = (version: string, number: number) =>
    ({ query: () => Promise.resolve({ rows: [{ version, number }] }) }) as unknown as Sequelize;

  it("is rejected with an error that names the required version", async () => {
    await expect(requireServerVersion(serverOf("15.18 (Debian)", 150_018))).rejects.toThrow(
      "the database is PostgreSQL 15.18 (Debian): upgrade it to 16 or newer",
    );
    await requireServerVersion(serverOf("16.0", 160_000));
  });

  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each(["jobs/commands/migrate.ts", ...programs])("is rejected by %s", async (file) => {
    const old = await startVersionProxy(database.url, 15);
    const started = startLogging(file, { ...testEnvironment(old.url), PORT: "0" });
    const isAtWork = () => started.logged().some(({ level }) => level === "info");
    await waitUntil("it ends or goes to work", () => started.code() !== null || isAtWork());
    expect(started.logged()).toEqual([
      expect.objectContaining({
        level: "fatal",
        err: expect.objectContaining({
          message: `the database is PostgreSQL ${old.version}: upgrade it to 16 or newer`,
        }),
      }),
    ]);
    await waitUntil("it has ended", () => started.code() !== null);
    expect(started.code()).toBe(1);
    await old.stop();
  });

  it("is any version below 16, and version 16 is accepted", async () => {
    const young = await startVersionProxy(database.url, 16);
    const { code, stdout } = await run("jobs/commands/migrate.ts", {
      ...testEnvironment(young.url),
      LOG_LEVEL: "info",
    });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("queues are up to date"),
    });
    await young.stop();
  });
});

describe("the environment of a process", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "guildhall-env-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([...programs, "jobs/commands/migrate.ts"])(
    "%s reports invalid variables, exits with 78, and reads `.env` only for variables that are not set",
    async (file) => {
      writeFileSync(path.join(folder, ".env"), "PORT=none\nSSE_MAX=none\nDATABASE_POOL=none\n");
      const environment = { ...testEnvironment("postgres://none"), SSE_MAX: "0" };
      const { code, stderr } = await run(file, environment, folder);
      expect([code, stderr.trim().split("\n")]).toEqual([
        78,
        [
          "The environment variables are not valid:",
          expect.stringContaining("PORT must be a number"),
          expect.stringContaining("SSE_MAX must be greater than or equal to 1"),
        ],
      ]);
    },
  );
});

describe("the readiness of a process", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const ask = async () => {
    const { status, checks } = await readHealth(
      "web",
      "ready",
      createReadinessChecks(server.context, () => "working"),
    );
    const failing = Object.entries(checks).filter(([, { ok }]) => !ok);
    return { status, failing: failing.map(([name, { detail }]) => `${name}: ${detail}`) };
  };
  const query = (text: string) => server.context.sequelize.query(text);

  it("depends on the database, the schema, LISTEN and whether the process is stopping", async () => {
    const { checks } = await readHealth(
      "web",
      "ready",
      createReadinessChecks(server.context, () => "stopping"),
    );
    expect(Object.keys(checks)).toEqual(["eventLoop", "database", "schema", "listen", "phase"]);
    expect(checks["phase"]).toMatchObject({ ok: false, detail: "the process is stopping" });
    expect(await ask()).toEqual({ status: "ok", failing: [] });
  });

  it("fails if a migration or the queue schema is missing, but not if there is a newer migration", async () => {
    await query("update migrations set name = '9999-later' where name = '0001-foundation'");
    await query("alter schema pgboss rename to elsewhere");
    expect(await ask()).toEqual({
      status: "failing",
      failing: ["schema: the schema lacks 0001-foundation, queues: run npm run migrate"],
    });
    await query("alter schema elsewhere rename to pgboss");
    await query("insert into migrations (name) values ('0001-foundation')");
    expect(await ask()).toEqual({ status: "ok", failing: [] });
  });
});

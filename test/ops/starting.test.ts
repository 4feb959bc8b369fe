import { execFile } from "node:child_process";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Client } from "pg";

import { readHealth, readinessOf } from "../../shared/ops/health.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startTestServer, testEnvironment, type TestServer } from "../support/server.ts";

const project = path.join(import.meta.dirname, "../..");
const programs = ["api/server.ts", "jobs/ingest.ts", "jobs/worker.ts"];

/** Runs a program of ours to its end. */
function run(file: string, environment: NodeJS.ProcessEnv) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const env = { PATH: process.env["PATH"], ...environment };
    execFile(process.execPath, [path.join(project, file)], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

/** Has a migration count as one that was never applied. */
async function forget(migration: string, { url }: TestDatabase): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query("delete from migrations where name = $1", [migration]);
  await client.end();
}

describe("a process", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each([...programs, "migrations/run.ts"])(
    "%s names every fault of its environment, and ends with 78",
    async (file) => {
      const environment = { ...testEnvironment(database.url), PORT: "none", SSE_MAX: "0" };
      const { code, stderr } = await run(file, environment);
      const [first, ...faults] = stderr.trim().split("\n");
      expect([code, first]).toEqual([78, "The environment is not right:"]);
      expect(faults.map((fault) => fault.trim().split(" ")[0])).toEqual(["PORT", "SSE_MAX"]);
    },
  );

  it.each(programs)("%s says which migrations it waits for, and ends", async (file) => {
    await forget("0002-shard", database);
    const environment = { ...testEnvironment(database.url), LOG_LEVEL: "info" };
    const { code, stdout, stderr } = await run(file, environment);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      level: "fatal",
      msg: "cannot start",
      err: { message: "the schema lacks 0002-shard: run npm run migrate" },
    });
  });
});

describe("a process's readiness", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const ask = async () => {
    const { status, checks } = await readHealth(
      "web",
      "ready",
      readinessOf(server.context, () => "working"),
    );
    const failing = Object.entries(checks).filter(([, { ok }]) => !ok);
    return { status, failing: failing.map(([name, { detail }]) => `${name}: ${detail}`) };
  };
  const query = (text: string) => server.context.sequelize.query(text);

  it("rests on database, schema, LISTEN and phase", async () => {
    const { checks } = await readHealth(
      "web",
      "ready",
      readinessOf(server.context, () => "stopping"),
    );
    expect(Object.keys(checks)).toEqual(["eventLoop", "database", "schema", "listen", "phase"]);
    expect(checks["phase"]).toMatchObject({ ok: false, detail: "the process is stopping" });
    expect(await ask()).toEqual({ status: "ok", failing: [] });
  });

  it("fails while a migration or the queue's schema is lacking, and not beside a newer one", async () => {
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

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runChecks } from "../../jobs/commands/run-checks.ts";
import { readHealth, createReadinessChecks } from "../../shared/ops/health.ts";
import { createClient } from "../../shared/platform/db/connection/client.ts";
import {
  type ImportTestSite,
  startImportTestSite,
  writeFiles,
} from "../imports/import-test-site.ts";
import { buildTextTable } from "../imports/tables.ts";
import { createTestUser, signIn, type TestUser } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";
import {
  startTransactionPooler,
  type TransactionPooler,
} from "../support/database/transaction-pooler.ts";
import { callRoute } from "../support/http/call.ts";
import { openStream } from "../support/http/event-stream.ts";
import { sendSimultaneously } from "../support/races/at-once.ts";
import { startTestServer, testEnvironment } from "../support/service/server.ts";
import { ingestTestEvents } from "../support/shard/planted-events.ts";

describe("behind a transaction pooler with DATABASE_LISTEN_URL", () => {
  let database: TestDatabase;
  let pooler: TransactionPooler;
  let ground: ImportTestSite;
  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await startTransactionPooler(database.url);
    const environment = { DATABASE_URL: pooler.url, DATABASE_LISTEN_URL: database.url };
    ground = await startImportTestSite({ database, environment });
  });
  afterAll(async () => {
    await ground.stop();
    await pooler.stop();
    await database.drop();
  });

  it("forty users sign in at once, and each gets a working session", async () => {
    const { server } = ground;
    const users: TestUser[] = [];
    // Create the users one after another: hashing forty passwords at once takes too long.
    while (users.length < 40) users.push(await createTestUser(server));
    const answers = await sendSimultaneously(
      users.map(({ username, password }) => ({
        url: server.url,
        route: "POST /auth/login",
        body: { username, password },
      })),
    );
    expect(answers.map(({ status }) => status)).toEqual(users.map(() => 200));
    const known = await Promise.all(
      answers.map(({ cookies: [cookie = ""] }) =>
        callRoute(server, "GET /auth/me", { headers: { cookie } }),
      ),
    );
    expect(known.map(({ body }) => body)).toEqual(
      users.map(({ username }) => expect.objectContaining({ username })),
    );
    expect(pooler.violations).toEqual([]);
  });

  it("an import succeeds", async () => {
    const { folder } = ground;
    await writeFiles(folder, { "Cliloc.enu": buildTextTable([[500_000, "First"]]) });
    await ground.ask("PUT /admin/shard/clilocs/path", { path: folder });
    const { status, body } = await ground.ask("POST /admin/shard/clilocs/import", {});
    expect({ status, body }).toEqual({
      status: 200,
      body: expect.objectContaining({ status: "imported", count: 1 }),
    });
    expect(pooler.violations).toEqual([]);
  });

  it("the server cancels the statement that one client abandons, and no statement of another client", async () => {
    const holder = createClient({
      url: database.url,
      applicationName: "holding",
      patience: { statementMs: null },
    });
    await holder.connect();
    await holder.query("begin; lock wiki_categories in access exclusive mode");
    const asking = (statementMs: number) =>
      createClient({
        url: pooler.url,
        applicationName: "asking",
        patience: { statementMs, isPooled: true },
      });
    const [patient, hasty] = [asking(60_000), asking(4_000)];
    await Promise.all([patient.connect(), hasty.connect()]);
    const later = patient.query("select from wiki_categories limit 0");
    await expect(hasty.query("select from wiki_categories")).rejects.toThrow(
      "canceling statement due to user request",
    );
    expect((await hasty.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    await holder.query("rollback");
    expect((await later).rows).toEqual([]);
    await Promise.all([patient, hasty, holder].map((client) => client.end()));
  });

  it("an event stream receives events, also after a reconnect", async () => {
    const { server } = ground;
    const url = `${server.url}/api/v1/admin/shardlink/stream`;
    const { headers } = await signIn(server, { role: "admin" });
    const stream = await openStream(url, { headers });
    const chat = (text: string) => ({
      kind: "chat.message",
      payload: { channel: "General", name: "Ann", serial: "0x0000A001", text },
    });
    await ingestTestEvents(server.context, [chat("first")]);
    const { id } = await stream.waitFor(({ data }) => JSON.stringify(data ?? "").includes("first"));
    stream.close();
    await ingestTestEvents(server.context, [chat("second")]);
    const back = await openStream(url, { headers, lastEventId: id });
    await back.waitFor(({ data }) => JSON.stringify(data ?? "").includes("second"));
    back.close();
    expect(pooler.violations).toEqual([]);
  });
});

describe("npm run doctor on poolers", () => {
  let database: TestDatabase;
  let pooler: TransactionPooler;
  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await startTransactionPooler(database.url);
  });
  afterAll(async () => {
    await pooler.stop();
    await database.drop();
  });

  const find = async (environment: NodeJS.ProcessEnv, check = "pooler") => {
    const findings = await runChecks({ ...testEnvironment(database.url), ...environment });
    return findings.find(({ name }) => name === check);
  };
  const sessions = "each connection has its own session and keeps its named statements";

  it("reports a direct connection as a connection with sessions, whatever the other settings are", async () => {
    const found = { name: "pooler", status: "ok" };
    expect(await find({})).toEqual({ ...found, detail: sessions });
    expect(await find({ DATABASE_LISTEN_URL: database.url })).toEqual({
      ...found,
      detail: `${sessions}; the service uses none`,
    });
  });

  it("detects a transaction pooler, and names the variable to set if that is unset", async () => {
    const DATABASE_URL = pooler.url;
    const detail = "a transaction pooler, which loses named statements";
    expect(await find({ DATABASE_URL })).toEqual({
      name: "pooler",
      status: "fault",
      detail,
      fix: "set DATABASE_LISTEN_URL to a direct connection",
    });
    expect(await find({ DATABASE_URL, DATABASE_LISTEN_URL: database.url })).toEqual({
      name: "pooler",
      status: "ok",
      detail: `${detail}; the service uses none`,
    });
  });

  it("counts only the connections that bypass a pooler against the server's limit", async () => {
    const given = { DATABASE_URL: database.url, DATABASE_POOL: "100" };
    expect(await find(given, "connections")).toMatchObject({
      status: "fault",
      detail: expect.stringMatching(
        /^PostgreSQL allows \d+ connections, but the processes may use up to 317$/,
      ),
    });
    // Direct connections are used for LISTEN, by ingest for all work, and by workers for everything except
    // enqueuing jobs.
    const pooled = { ...given, DATABASE_URL: pooler.url, DATABASE_LISTEN_URL: database.url };
    expect(await find(pooled, "connections")).toMatchObject({
      status: "ok",
      detail: expect.stringMatching(
        /^PostgreSQL allows \d+ connections, and the processes use at most 111, in addition to those of the pooler$/,
      ),
    });
  });
});

describe("behind a transaction pooler without DATABASE_LISTEN_URL", () => {
  it("a process is not ready, because it receives no notifications", async () => {
    const database = await createTestDatabase();
    const pooler = await startTransactionPooler(database.url, { serverConnections: 1 });
    const heard = await startTestServer({ database });
    const echoes: string[] = [];
    heard.context.listener.on("echo", ({ to }) => echoes.push(to));
    const deaf = await startTestServer({ database, environment: { DATABASE_URL: pooler.url } });
    const own = () => echoes.filter((to) => echoes.indexOf(to) !== echoes.lastIndexOf(to));
    await waitUntil("all that asked have asked again", () => new Set(own()).size > 1);
    const answers = [deaf, heard].map(async ({ context }) => {
      const readiness = createReadinessChecks(context, () => "working");
      return (await readHealth("web", "ready", readiness)).checks["listen"];
    });
    expect(await Promise.all(answers)).toEqual([
      {
        ok: false,
        ms: expect.any(Number),
        detail: "the LISTEN connection does not receive its own notifications",
      },
      { ok: true, ms: expect.any(Number), detail: expect.stringMatching(/ms old$/) },
    ]);
    await deaf.stop();
    await heard.stop();
    await pooler.stop();
    await database.drop();
  });
});

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ensureFirstAdmin } from "../../jobs/commands/accounts/first-admin.ts";
import { findMisspelledVariables } from "../../jobs/commands/checks/environment.ts";
import { readOldSnapshots } from "../../jobs/commands/checks/snapshots.ts";
import { runChecks, type NamedDoctorResult } from "../../jobs/commands/run-checks.ts";
import { clockNowPlus } from "../../models/queries/clock.ts";
import { startHeartbeat } from "../../shared/platform/job-records/processes.ts";
import type { Stoppable } from "../../shared/platform/process/process.ts";
import { groupsWithQueues, queueGroups } from "../../shared/platform/queue/queues.ts";
import { sealSidecarToken } from "../../shared/shard/sidecar/sidecar-link.ts";
import { startSimulator } from "../simulator/simulator.ts";
import { query } from "../support/database/query.ts";
import { changeIngestSource, changeSidecarLink } from "../support/factories/shard.ts";
import { buildSurvivalServer, changeSurvivalSource } from "../support/factories/survival.ts";
import { MailTrap } from "../support/network/mail-trap.ts";
import { startTestServer, testEnvironment, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  server = await startTestServer();
  environment = testEnvironment(server.database.url);
});
afterAll(() => server.stop());

async function find(name: string, given = environment): Promise<NamedDoctorResult | undefined> {
  return (await runChecks(given)).find((finding) => finding.name === name);
}

describe("npm run doctor", () => {
  it("lists every step that remains to be done on a newly prepared database", async () => {
    const findings = await runChecks(environment);
    const faults = findings.filter(({ status }) => status === "fault");
    expect(faults.map(({ name, fix }) => ({ name, fix }))).toEqual([
      { name: "web", fix: "start it: npm run web" },
      { name: "ingest", fix: "start it: npm run ingest" },
      { name: "worker", fix: "start it: npm run worker" },
      { name: "first admin", fix: "npm run user -- add NAME --role admin" },
    ]);
  });

  it("reports no fault once everything runs", async () => {
    await ensureFirstAdmin(server.context);
    const rows = await startProcesses();
    const findings = await runChecks(environment);
    await Promise.all(rows.map((row) => row.stop()));
    expect(findings.map(({ name, status }) => `${name} ${status}`)).toEqual([
      "environment ok",
      "database ok",
      "connections ok",
      "pooler ok",
      "listen ok",
      "clock ok",
      "snapshots ok",
      "migrations ok",
      "queues ok",
      "event log ok",
      "web ok",
      "ingest ok",
      "worker ok",
      "forwarded skipped",
      "bridge skipped",
      "stream skipped",
      "survival servers ok",
      "mail skipped",
      "first admin ok",
    ]);
  });

  it("finds the transaction that keeps PostgreSQL from removing dead rows", async () => {
    const holder = new Client(server.database.url);
    await holder.connect();
    try {
      await holder.query("set application_name = 'report'");
      await holder.query("begin isolation level repeatable read");
      const { rows } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
      const [{ pid } = { pid: 0 }] = rows;
      expect(await readOldSnapshots(server.context.sequelize, 0)).toContainEqual({
        holder: `the transaction of report (process ${pid})`,
        seconds: expect.any(Number),
        end: `select pg_terminate_backend(${pid})`,
      });
      await holder.query("commit");
      const left = await readOldSnapshots(server.context.sequelize, 0);
      expect(left.filter(({ end }) => end.includes(`(${pid})`))).toEqual([]);
    } finally {
      await holder.end();
    }
  });

  it("reports that forwarded addresses are ignored while no proxy is trusted", async () => {
    expect(await find("forwarded")).toEqual({
      name: "forwarded",
      status: "skipped",
      detail:
        "TRUST_PROXY is false, so X-Forwarded-For is ignored; set TRUST_PROXY if clients come through a proxy",
    });
    expect(await find("forwarded", { ...environment, TRUST_PROXY: "loopback" })).toEqual({
      name: "forwarded",
      status: "ok",
      detail: "all addresses that proxies sent in the last day were valid",
    });
  });

  it("reports queue groups without a worker", async () => {
    const row = await startHeartbeat(server.context, "worker", ["upkeep", "mail"]);
    expect(await find("worker")).toMatchObject({
      status: "fault",
      detail: "no worker runs the jobs of the groups imports, push, events",
    });
    await row.stop();
  });

  it("requires no worker for a queue group that has no queues", async () => {
    const row = await startHeartbeat(server.context, "worker", groupsWithQueues);
    expect(queueGroups).toEqual(expect.arrayContaining([...groupsWithQueues]));
    expect(await find("worker")).toMatchObject({ status: "ok" });
    await row.stop();
  });

  it("reports a process that runs another version", async () => {
    const row = await startHeartbeat(server.context, "web");
    const changes = { version: "0.0.1", host: "elsewhere" };
    await server.context.models.ServiceProcess.update(changes, { where: { kind: "web" } });
    expect(await find("web")).toMatchObject({
      status: "fault",
      detail: expect.stringContaining("the process on elsewhere has version 0.0.1"),
    });
    await row.stop();
  });

  it("reports a LISTEN connection that does not receive notifications", async () => {
    // Notifications do not reach other databases. So a listener on another database hears nothing,
    // like one behind a pooler.
    const deaf = Object.assign(new URL(server.database.url), { pathname: "/postgres" });
    const given = { ...environment, DATABASE_LISTEN_URL: deaf.href };
    expect(await find("listen", given)).toMatchObject({
      status: "fault",
      detail: "a notification was sent and did not arrive",
      fix: "set DATABASE_LISTEN_URL to a direct connection to the server and database of DATABASE_URL",
    });
  });

  it("reports pending migrations and migrations of a newer version", async () => {
    await query(server, "update migrations set name = '9999-later' where name = '0001-foundation'");
    expect(await find("migrations")).toMatchObject({
      status: "fault",
      detail: "1 pending: 0001-foundation",
      fix: "npm run migrate",
    });
    await query(server, "insert into migrations (name) values ('0001-foundation')");
    expect(await find("migrations")).toMatchObject({
      status: "fault",
      detail: "the database has migrations of a newer version: 9999-later",
    });
    await query(server, "delete from migrations where name = '9999-later'");
  });

  it("reports a queue that was never created", async () => {
    await query(server, "select pgboss.delete_queue('ops.prune-processes')");
    expect(await find("queues")).toMatchObject({
      status: "fault",
      detail: "missing queues: ops.prune-processes",
      fix: "npm run migrate",
    });
  });

  it("reports an event log whose partitions are not created ahead", async () => {
    await query(server, "select setval('shard_events_id_seq', 4200000)");
    expect(await find("event log")).toMatchObject({
      status: "fault",
      detail: "0 empty partitions are ready, 3 full ones are not closed",
      fix: "see the job shard.prune-events on /api/queues, which runs every hour",
    });
    await query(server, "select setval('shard_events_id_seq', 1, false)");
    expect(await find("event log")).toMatchObject({
      status: "ok",
      detail: "3 empty partitions are ready, 0 full ones are not closed",
    });
  });

  it("reports that max_connections is too low for the pools", async () => {
    const given = { ...environment, DATABASE_POOL: "100" };
    expect(await find("connections", given)).toMatchObject({
      status: "fault",
      fix: "lower DATABASE_POOL, or raise max_connections",
    });
  });

  it("tests the connection to the mail server", async () => {
    const trap = await MailTrap.start();
    const given = { ...environment, SMTP_URL: trap.url };
    expect(await find("mail", given)).toMatchObject({ status: "ok" });
    await trap.stop();
    expect(await find("mail", given)).toMatchObject({
      status: "fault",
      detail: expect.stringContaining("ECONNREFUSED"),
    });
  });
});

describe("npm run doctor for a linked shard", () => {
  const link = (baseUrl: string, token: string, protocol = 8) =>
    changeSidecarLink(server, {
      baseUrl,
      wsUrl: "ws://127.0.0.1:1",
      tokenSealed: sealSidecarToken(token, server.config.SECRETS_KEYS),
      protocol,
      enabled: true,
    });

  it("reports the sidecar's protocol, a wrong token and an unreachable sidecar", async () => {
    const simulator = await startSimulator({ world: "small", token: "right" });
    try {
      await link(simulator.baseUrl, "right");
      expect(await find("bridge")).toMatchObject({
        status: "ok",
        detail: `protocol 8, ${simulator.baseUrl}`,
      });
      await link(simulator.baseUrl, "wrong");
      expect(await find("bridge")).toMatchObject({
        status: "fault",
        detail: "the sidecar refused the token",
        fix: "save the token of the sidecar: PUT /api/v1/admin/shardlink/config",
      });
      await link(simulator.baseUrl, "right", 7);
      expect(await find("bridge")).toMatchObject({
        status: "fault",
        detail: "the sidecar speaks protocol 8, this link is set to 7",
      });
    } finally {
      await simulator.stop();
    }
    expect(await find("bridge")).toMatchObject({ status: "fault", detail: "ECONNREFUSED" });
  });

  it("reports a game server that is down while its sidecar runs", async () => {
    const simulator = await startSimulator({ world: "small", token: "right", boot: false });
    await link(simulator.baseUrl, "right");
    const finding = await find("bridge");
    await simulator.stop();
    expect(finding).toMatchObject({ status: "fault", fix: "start the game server" });
  });

  it("reports a token whose encryption key is gone", async () => {
    await link("http://127.0.0.1:1", "right");
    const given = {
      ...environment,
      SECRETS_KEYS: `other:${Buffer.alloc(32, 9).toString("base64")}`,
    };
    expect(await find("bridge", given)).toMatchObject({
      status: "fault",
      fix: expect.stringContaining("bring the key back to SECRETS_KEYS"),
    });
  });

  it("names the process that reads the stream, and reports if that process falls silent", async () => {
    const held = (ageSeconds: number) =>
      changeIngestSource(server, {
        state: "connected",
        reason: null,
        owner: "here:1",
        beatAt: clockNowPlus(-1_000 * ageSeconds),
      });
    await held(1);
    expect(await find("stream")).toEqual({
      name: "stream",
      status: "ok",
      detail: "here:1 reads the stream, last event never",
    });
    await held(60);
    expect(await find("stream")).toEqual({
      name: "stream",
      status: "fault",
      detail: "here:1 read the stream and no longer reports",
      fix: "npm run ingest",
    });
  });

  it("reports survival servers that reached a storage limit in the last day", async () => {
    const { id, slug } = await buildSurvivalServer(server);
    await query(
      server,
      `insert into survival_storage (server_id, part, left_out, left_out_at)
       values ($1, 'sightings', 3, now()), ($1, 'clans', 3, now() - interval '25 hours')`,
      id,
    );
    expect(await find("survival servers")).toEqual({
      name: "survival servers",
      status: "fault",
      detail: `rows above a storage bound were not stored in the last day: sightings of ${slug}`,
      fix: "check what the server sends, and disable the server or raise the bound in SURVIVAL_BOUNDS",
    });
    await server.context.models.SurvivalServer.destroy({ where: { id } });
    expect(await find("survival servers")).toMatchObject({ status: "ok" });
  });

  it("reports survival servers that accept Steam links but announce codes without a hash", async () => {
    const counts = { enabled: true, listed: true, acceptsLinks: true };
    const { id: serverId, slug } = await buildSurvivalServer(server, counts);
    const { SurvivalServer, SurvivalServerState } = server.context.models;
    await SurvivalServerState.create({ serverId, linkUnhashedAt: clockNowPlus(-1_000) });
    expect(await find("survival servers")).toEqual({
      name: "survival servers",
      status: "fault",
      detail: `plugins send codes for Steam links without a hash, so the codes do not work: ${slug}`,
      fix: "update the plugins of these servers",
    });
    await SurvivalServerState.update({ linkMintedAt: clockNowPlus(0) }, { where: { serverId } });
    expect(await find("survival servers")).toMatchObject({ status: "ok" });
    await SurvivalServer.destroy({ where: { id: serverId } });
  });

  it("reports a console that is not connected, and gives advice for its fault", async () => {
    const linked = { kind: "webrcon", rconHost: "rust.example.org", enabled: true } as const;
    const { id, slug } = await buildSurvivalServer(server, linked);
    const found = (rest: string) => `${slug}, kind webrcon, rust.example.org:28016, ${rest}`;
    const fixed = (fix: string) => expect.stringContaining(fix) as string;
    expect(await find("survival servers")).toMatchObject({
      status: "fault",
      detail: expect.stringContaining("no ingest process has connected yet") as string,
    });
    const beatAt = clockNowPlus(0);
    const refused = { state: "error", reason: "the console refused the password", beatAt } as const;
    await changeSurvivalSource(server, id, refused);
    expect(await find("survival servers")).toMatchObject({
      status: "fault",
      detail: found("error: the console refused the password"),
      fix: fixed("save rconPassword"),
    });
    await changeSurvivalSource(server, id, { state: "reconnecting", reason: "ECONNREFUSED" });
    expect(await find("survival servers")).toMatchObject({
      status: "fault",
      detail: found("reconnecting: ECONNREFUSED"),
      fix: fixed("start the game server with +rcon.web 1"),
    });
    await server.context.models.SurvivalServer.destroy({ where: { id } });
    expect(await find("survival servers")).toMatchObject({ status: "ok" });
  });

  it("reports why the stream is not connected", async () => {
    const reason = "the sidecar refused the token";
    await changeIngestSource(server, { state: "error", reason });
    expect(await find("stream")).toMatchObject({
      status: "fault",
      detail: "error: the sidecar refused the token",
    });
  });

  it("reports an unanswered status query once, and another error of ingest separately", async () => {
    const address = { statusHost: "127.0.0.1", statusPort: 1 };
    await changeSidecarLink(server, { kind: "status", ...address, enabled: true });
    const reason = "connect ECONNREFUSED 127.0.0.1:1";
    await changeIngestSource(server, { state: "reconnecting", reason });
    const ofLink = async () => [await find("bridge"), await find("stream")];
    const bridge = { name: "bridge", status: "fault", detail: `kind status: ${reason}` };
    const waits = "has the same fault as the check bridge";
    expect(await ofLink()).toMatchObject([
      bridge,
      { name: "stream", status: "skipped", detail: waits },
    ]);
    await changeIngestSource(server, { reason: "getaddrinfo ENOTFOUND play.example.org" });
    expect(await ofLink()).toMatchObject([
      bridge,
      {
        name: "stream",
        status: "fault",
        detail: "reconnecting: getaddrinfo ENOTFOUND play.example.org",
      },
    ]);
  });
});

describe("npm run doctor without a usable environment or database", () => {
  it("reports the fault of the environment and skips the other checks", async () => {
    const findings = await runChecks({ ...environment, PORT: "none" });
    const [first, ...rest] = findings;
    expect(first).toMatchObject({ name: "environment", status: "fault" });
    expect(first?.detail).toContain("PORT must be a number");
    expect(new Set(rest.map(({ status, detail }) => `${status}: ${detail}`))).toEqual(
      new Set(["skipped: cannot run before the fault above is corrected"]),
    );
  });

  it.each([
    [
      "postgres://guildhall@127.0.0.1:1/x",
      "start PostgreSQL, or correct host and port in DATABASE_URL",
    ],
    ["postgres://guildhall@host.invalid/x", "correct the host in DATABASE_URL"],
  ])("explains what is wrong with the database %s", async (url, fix) => {
    expect(await find("database", { ...environment, DATABASE_URL: url })).toMatchObject({
      status: "fault",
      fix,
    });
  });

  it("reports that the database does not exist", async () => {
    const url = Object.assign(new URL(server.database.url), { pathname: "/nowhere" });
    expect(await find("database", { ...environment, DATABASE_URL: url.href })).toMatchObject({
      status: "fault",
      fix: "create the database that DATABASE_URL names, or correct its name",
    });
  });

  it("advises to set DATABASE_URL or run npm start if neither gives a database", async () => {
    const { DATABASE_URL: _, ...without } = environment;
    expect(await find("database", without)).toEqual({
      name: "database",
      status: "fault",
      detail: "DATABASE_URL is not set, and no database of npm start runs here",
      fix: "run npm start, or set DATABASE_URL",
    });
  });

  it.each([
    ["ALOWED_ORIGINS", "ALLOWED_ORIGINS"],
    ["DATABSE_URL", "DATABASE_URL"],
    ["SMTP_ULR", "SMTP_URL"],
    ["TRUST_PROXYS", "TRUST_PROXY"],
    ["BCRYPT-COST", "BCRYPT_COST"],
  ])("recognizes %s as a misspelled %s", (given, meant) => {
    expect(findMisspelledVariables({ [given]: "x" })).toEqual([{ given, meant }]);
    expect(findMisspelledVariables({ [given]: "x", [meant]: "y" })).toEqual([]);
  });

  it("ignores unknown variables that resemble none of the service's variables", () => {
    expect(findMisspelledVariables({ PATH: "x", HOSTNAME: "x", POST: "x", SSE_MAX: "1" })).toEqual(
      [],
    );
  });
});

describe("npm run doctor as a program", () => {
  const program = path.join(import.meta.dirname, "../../jobs/commands/doctor.ts");
  const folder = mkdtempSync(path.join(tmpdir(), "guildhall-doctor-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function runDoctor(...given: string[]): Promise<{ code: number; stdout: string }> {
    const options = { cwd: folder, env: { PATH: process.env["PATH"], ...environment } };
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [program, ...given], options);
      return { code: 0, stdout };
    } catch (error) {
      return error as { code: number; stdout: string };
    }
  }

  it("prints a table with a fix under each fault and exits with 1", async () => {
    const { code, stdout } = await runDoctor();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✓ environment {2}NODE_ENV is test$/m);
    expect(stdout).toMatch(
      /^✗ worker {7}no process has reported for 20 s\n {13}→ start it: npm run worker$/m,
    );
  });

  it("exits with 0 if nothing is wrong, and can print its report as JSON", async () => {
    await changeSidecarLink(server, { enabled: false });
    const rows = await startProcesses();
    await query(
      server,
      "select pgboss.create_queue('ops.prune-processes', '{\"policy\":\"exclusive\"}')",
    );
    const { code, stdout } = await runDoctor("--json");
    await Promise.all(rows.map((row) => row.stop()));
    const report = JSON.parse(stdout) as { ok: boolean; checks: NamedDoctorResult[] };
    expect({ code, ok: report.ok }).toEqual({ code: 0, ok: true });
    expect(report.checks).toContainEqual({ name: "web", status: "ok", detail: expect.any(String) });
  });
});

const startProcesses = (): Promise<Stoppable[]> =>
  Promise.all([
    startHeartbeat(server.context, "web"),
    startHeartbeat(server.context, "ingest"),
    startHeartbeat(server.context, "worker", queueGroups),
  ]);

import { randomUUID } from "node:crypto";

import { QueryTypes } from "sequelize";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { clockNow } from "../../models/queries/clock.ts";
import { runWithImportLease } from "../../shared/imports/runs/runs.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import {
  createProgressReporter,
  JobCancelledError,
} from "../../shared/platform/job-records/progress.ts";
import { createPgBoss } from "../../shared/platform/queue/queue.ts";
import { queues } from "../../shared/platform/queue/queues.ts";
import { logIn, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { changeJob, type JobChanges } from "../support/database/change-job.ts";
import { buildImportRun } from "../support/factories/ops.ts";
import { activityOf } from "../support/factories/site.ts";
import { callRoute } from "../support/http/call.ts";
import { openStream } from "../support/http/event-stream.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());

const ask = async (path: string, method = "GET") => {
  const { headers } = admin;
  const { status, body } = await callRoute(server, `${method} /admin/jobs${path}`, { headers });
  return { status, body: body as Record<string, unknown> };
};

const queue = "ops.prune-processes";
const enqueue = async (): Promise<string> =>
  (await server.context.queue.enqueue(queue, {}, { key: randomUUID() })) ?? "";

const setState = (id: string, state: NonNullable<JobChanges["state"]>) =>
  changeJob(server, id, { state, output: { message: "it broke" } });

const linesAbout = (targetId: string) =>
  activityOf(server, { targetId }, ["actorId", "action", "detail"]);

describe("GET /admin/jobs", () => {
  it("lists every queue of the catalog, including empty ones", async () => {
    const { status, body } = await ask("");
    expect(status).toBe(200);
    const listed = body["queues"] as { name: string }[];
    expect(listed.map(({ name }) => name).toSorted()).toEqual(Object.keys(queues).toSorted());
    expect(listed.find(({ name }) => name === "shard.prune-events")).toEqual({
      name: "shard.prune-events",
      group: "upkeep",
      depth: 0,
      retrying: 0,
      active: 0,
      failed: 0,
      cancelled: 0,
      oldestSeconds: null,
      completedLastHour: 0,
      failedLastHour: 0,
      workers: 0,
      schedule: "17 * * * *",
      scheduleInWords: "At 17 minutes past the hour",
      paused: null,
    });
  });

  it("counts waiting and failed jobs", async () => {
    const [waiting, failed] = [await enqueue(), await enqueue()];
    await setState(failed, "failed");
    const { body } = await ask("");
    const listed = body["queues"] as { name: string }[];
    expect(listed.find(({ name }) => name === queue)).toMatchObject({ depth: 1, failed: 1 });
    for (const id of [waiting, failed]) await setState(id, "completed");
  });

  it("lists the jobs of a state, with the reason of a failure", async () => {
    const id = await enqueue();
    await setState(id, "failed");
    const { body } = await ask("?state=failed");
    expect(body["jobs"]).toEqual([
      {
        id,
        queue,
        state: "failed",
        data: {},
        output: { message: "it broke" },
        attempts: 0,
        retryLimit: 3,
        createdAt: anyTime,
        startedAt: null,
        completedAt: anyTime,
        nextTryAt: null,
        progress: null,
      },
    ]);
    await setState(id, "completed");
  });

  it.each([
    ["auth.send-mail", { letter: "emailChanged", userId: 1, email: "someone@example.org" }],
    ["auth.order-reset-mails", { email: "someone@example.org", address: "203.0.113.7" }],
  ] as const)("hides the e-mail addresses in jobs of %s", async (name, payload) => {
    const id = (await server.context.queue.enqueue(name, payload)) ?? "";
    const { body } = await ask("?state=created");
    const listed = (body["jobs"] as { id: string }[]).find((job) => job.id === id);
    const alone = (await ask(`/${id}`)).body["job"];
    expect([listed, alone]).toEqual(Array(2).fill(expect.objectContaining({ id, data: null })));
  });

  it("answers 400 to an unknown state and names the field", async () => {
    const { status, body } = await ask("?state=lost");
    expect([status, (body["errors"] as { path: string }[])[0]?.path]).toEqual([400, "state"]);
  });
});

describe("GET /admin/jobs/:id", () => {
  it("answers 404 to an unknown id and 400 to a malformed one", async () => {
    expect(await ask(`/${randomUUID()}`)).toEqual({ status: 404, body: { error: "Unknown job" } });
    expect((await ask("/7")).status).toBe(400);
  });

  it("answers 400 to an id with brackets or colons, also for retry and cancel", async () => {
    const id = randomUUID();
    for (const written of [`{${id}}`, `[${id}]`, `(${id})`, id.replaceAll("-", ":")]) {
      const path = `/${encodeURIComponent(written)}`;
      const answers = [ask(path), ask(`${path}/retry`, "POST"), ask(`${path}/cancel`, "POST")];
      for (const answered of await Promise.all(answers)) {
        expect(answered).toMatchObject({ status: 400, body: { errors: [{ path: "id" }] } });
      }
    }
  });

  it("shows the progress of a job and sends it to the administrators' stream", async () => {
    const id = await enqueue();
    const stream = await openStream(`${server.url}/api/v1/admin/shardlink/stream`, {
      headers: admin.headers,
    });
    await stream.waitFor(({ event }) => event === "hello");
    const report = reportOf(id);
    await report("reading", 3, 10, "bytes");
    const { data } = await stream.waitFor(({ event }) => event === "job.progress");
    stream.close();
    expect(data).toEqual({ jobId: id, queue, phase: "reading", done: 3, total: 10, unit: "bytes" });
    const { body } = await ask(`/${id}`);
    expect((body["job"] as { progress: unknown }).progress).toEqual({
      phase: "reading",
      done: 3,
      total: 10,
      unit: "bytes",
      startedAt: anyTime,
      updatedAt: anyTime,
    });
    const { startedAt } = (body["job"] as { progress: { startedAt: string } }).progress;
    expect(Math.abs(Date.parse(startedAt) - Date.now())).toBeLessThan(60_000);
  });

  it("keeps the start time of a job's progress across reports", async () => {
    const id = await enqueue();
    const report = reportOf(id);
    const progress = async () =>
      ((await ask(`/${id}`)).body["job"] as { progress: Record<string, unknown> }).progress;
    await report("reading", 1, 2, "files");
    const first = await progress();
    await report("writing", 5);
    const { updatedAt } = await progress();
    expect(await progress()).toEqual({
      phase: "writing",
      done: 5,
      total: null,
      unit: "entries",
      startedAt: first["startedAt"],
      updatedAt,
    });
    expect(updatedAt).not.toBe(first["updatedAt"]);
  });

  it("shows a new phase at once after many reports of the previous phase", async () => {
    const id = await enqueue();
    const report = reportOf(id);
    for (let done = 0; done <= 50; done++) await report("reading", done, 50);
    await report("writing", 1, 2);
    const { body } = await ask(`/${id}`);
    expect(body["job"]).toMatchObject({
      progress: { phase: "writing", done: 1, total: 2, unit: "entries" },
    });
  });
});

describe("the progress of a job", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is written at most once a second within a phase, and at once in a new phase", async () => {
    let written = 0;
    const report = createProgressReporter("job", queue, () => Promise.resolve(void (written += 1)));
    const clock = vi.spyOn(performance, "now");
    const counts: number[] = [];
    for (const [phase, ms] of [
      ["reading", 0],
      ["reading", 999],
      ["reading", 1_000],
      ["reading", 1_999],
      ["writing", 1_999],
      ["writing", 2_998],
    ] as const) {
      clock.mockReturnValueOnce(ms);
      await report(phase, 1);
      counts.push(written);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3]);
  });
});

/** Returns the function with which the job's latest attempt reports its progress. */
const reportOf = (id: string) =>
  createProgressReporter(id, queue, (work) => inTransaction(server.context.sequelize, work));

describe("POST /admin/jobs/:id/retry", () => {
  it("runs a failed job again and writes an activity entry", async () => {
    const id = await enqueue();
    await setState(id, "failed");
    const { status, body } = await ask(`/${id}/retry`, "POST");
    expect(status).toBe(200);
    expect(body["job"]).toMatchObject({ id, state: "retry" });
    expect(await linesAbout(id)).toEqual([
      { actorId: admin.userId, action: "job.retried", detail: { queue } },
    ]);
  });

  it("runs a canceled job again", async () => {
    const id = await enqueue();
    await ask(`/${id}/cancel`, "POST");
    const { status, body } = await ask(`/${id}/retry`, "POST");
    expect([status, body["job"]]).toMatchObject([200, { id, state: "created", completedAt: null }]);
  });

  it.each(["failed", "cancelled"] as const)(
    "answers 409 if an equal job waits, and leaves the %s job unchanged, without an activity entry",
    async (state) => {
      const key = randomUUID();
      const id = (await server.context.queue.enqueue(queue, {}, { key })) ?? "";
      await setState(id, state);
      await server.context.queue.enqueue(queue, {}, { key });
      expect(await ask(`/${id}/retry`, "POST")).toEqual({
        status: 409,
        body: { error: "A job for the same task is already waiting or running" },
      });
      expect((await ask(`/${id}`)).body["job"]).toMatchObject({ state });
      expect(await linesAbout(id)).toEqual([]);
    },
  );

  it("answers 409 while the job waits", async () => {
    const id = await enqueue();
    const answer = await ask(`/${id}/retry`, "POST");
    expect(answer).toEqual({ status: 409, body: { error: "The job is created" } });
  });
});

describe("POST /admin/jobs/:id/cancel", () => {
  it("cancels a waiting job", async () => {
    const id = await enqueue();
    const { status, body } = await ask(`/${id}/cancel`, "POST");
    expect([status, body["job"]]).toMatchObject([200, { id, state: "cancelled" }]);
    const again = await ask(`/${id}/cancel`, "POST");
    expect(again).toEqual({ status: 409, body: { error: "The job is cancelled" } });
  });

  it("answers 409 if the job completes at the same moment, without an activity entry", async () => {
    const id = await enqueue();
    await setState(id, "active");
    const { sequelize } = server.context;
    const ending = await sequelize.transaction();
    await sequelize.query("update pgboss.job set state = 'completed' where id = $1", {
      bind: [id],
      transaction: ending,
    });
    const asked = ask(`/${id}/cancel`, "POST");
    await waitUntil("the request waits for the worker", async () => {
      const [waiting] = await sequelize.query(
        `select from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and query like '%pgboss.job%'`,
      );
      return waiting.length > 0;
    });
    await ending.commit();
    expect(await asked).toEqual({ status: 409, body: { error: "The job is completed" } });
    expect(await linesAbout(id)).toEqual([]);
  });

  it("answers 409 for an import that finishes at the same moment while its job is active", async () => {
    const id = await enqueue();
    await setState(id, "active");
    const run = await buildImportRun(server, { jobId: id });
    const { sequelize } = server.context;
    const finishing = await sequelize.transaction();
    await sequelize.query("select from pgboss.job where id = $1 for share", {
      bind: [id],
      transaction: finishing,
    });
    const result = { status: "imported" };
    await run.update({ result, finishedAt: clockNow() }, { transaction: finishing });
    const asked = ask(`/${id}/cancel`, "POST");
    await waitUntilLockWaits(server);
    await finishing.commit();
    expect(await asked).toEqual({ status: 409, body: { error: "The import is finished" } });
    expect((await ask(`/${id}`)).body["job"]).toMatchObject({ state: "active" });
    expect(await linesAbout(id)).toEqual([]);
  });

  it("ends a running job at its next progress report", async () => {
    const id = await enqueue();
    await setState(id, "active");
    await buildImportRun(server, { jobId: id });
    const report = createProgressReporter(id, queue, (work) =>
      runWithImportLease({ jobId: id, attempt: 0 }, work, server.context.sequelize),
    );
    await report("reading", 1);
    await ask(`/${id}/cancel`, "POST");
    await expect(report("writing", 1)).rejects.toThrow(JobCancelledError);
    expect((await ask(`/${id}`)).body["job"]).toMatchObject({ progress: { phase: "reading" } });
  });
});

describe("a job whose attempt fails during the request", () => {
  /**
   * Fails the attempt in an open transaction, sends the request, and then commits the transaction.
   * @returns the answer to the request
   */
  async function askMeanwhile(what: string, retryLimit: number) {
    const id = await enqueue();
    await setState(id, "active");
    await changeJob(server, id, { retryLimit });
    const { config, log, sequelize } = server.context;
    const boss = createPgBoss(config, log);
    await boss.start();
    const failing = await sequelize.transaction();
    const executeSql = async (text: string, bind?: unknown[]) => {
      const options = { bind: bind ?? [], transaction: failing, type: QueryTypes.SELECT };
      return { rows: await sequelize.query(text, options) };
    };
    await boss.fail(queue, id, {}, { db: { executeSql } });
    const asked = ask(`/${id}/${what}`, "POST");
    await waitUntilLockWaits(server);
    await failing.commit();
    await boss.stop({ graceful: false });
    return { id, ...(await asked) };
  }

  it("can be canceled if it would be retried", async () => {
    const { id, status, body } = await askMeanwhile("cancel", 1);
    expect([status, body["job"]]).toMatchObject([200, { id, state: "cancelled" }]);
  });

  it("cannot be canceled if the failed attempt was its last", async () => {
    const { status, body } = await askMeanwhile("cancel", 0);
    expect([status, body]).toEqual([409, { error: "The job is failed" }]);
  });

  it("can be retried after the attempt failed", async () => {
    const { id, status, body } = await askMeanwhile("retry", 0);
    expect([status, body["job"]]).toMatchObject([200, { id, state: "retry" }]);
  });
});

describe("GET /api/queues", () => {
  const open = (headers: Readonly<Record<string, string>>) =>
    fetch(`${server.url}/api/queues`, { headers: { ...headers, accept: "text/html" } });
  const script = '<script type="module" src="/console/files/app.ts">';

  it("is a page of the console for administrators", async () => {
    const page = await open(admin.headers);
    expect([page.status, page.headers.get("content-type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    expect(page.headers.get("content-security-policy")).toContain("style-src 'self';");
    expect(page.headers.get("cache-control")).toContain("no-store");
    expect(await page.text()).toContain(script);
    const refused = await fetch(`${server.url}/api/queues`);
    expect([refused.status, await refused.json()]).toEqual([401, { error: "Not authenticated" }]);
  });

  it("answers a refused browser with the console page, so that the user can sign in", async () => {
    const moderator = await signIn(server, { role: "moderator" });
    for (const [headers, status, code] of [
      [{}, 401, "not_authenticated"],
      [moderator.headers, 403, "role_required"],
    ] as const) {
      const refused = await open(headers);
      expect([refused.status, refused.headers.get("x-error-code")]).toEqual([status, code]);
      expect(refused.headers.get("cache-control")).toContain("no-store");
      expect(await refused.text()).toContain(script);
    }
  });

  it("sends the console while the site is in maintenance or closed", async () => {
    const setMode = (site_mode: string) =>
      callRoute(server, "PUT /admin/site-mode", { headers: admin.headers, body: { site_mode } });
    for (const mode of ["maintenance", "closed"]) {
      await setMode(mode);
      const refused = await open({});
      expect([refused.status, refused.headers.get("x-error-code")]).toEqual([503, `site_${mode}`]);
      expect(await refused.text()).toContain(script);
      const shown = await open({ cookie: await logIn(server, admin) });
      expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining(script)]);
    }
    await setMode("live");
  });

  it("is an unknown path if the console is switched off", async () => {
    const off = await startTestServer({ environment: { CONSOLE: "off" } });
    try {
      for (const path of ["/api/queues", "/api/queues/"]) {
        const answer = await fetch(off.url + path, { headers: { accept: "text/html" } });
        expect([answer.status, await answer.json()]).toEqual([404, { error: "Not found" }]);
      }
    } finally {
      await off.stop();
    }
  });
});

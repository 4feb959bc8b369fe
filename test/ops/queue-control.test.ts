import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Listener } from "../../shared/platform/notify/listener.ts";
import { createPgBoss } from "../../shared/platform/queue/queue.ts";
import { queues } from "../../shared/platform/queue/queues.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { changeJob } from "../support/database/change-job.ts";
import { forgetJobs } from "../support/database/forget-jobs.ts";
import { query } from "../support/database/query.ts";
import { buildJobProgress, buildProcess } from "../support/factories/ops.ts";
import { activityOf } from "../support/factories/site.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker } from "../support/service/worker.ts";

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
const post = (queue: string, what: string) => ask(`/queues/${queue}/${what}`, "POST");

const queue = "ops.prune-processes";
const other = "auth.prune-credentials";
const enqueue = async (name: typeof queue | typeof other = queue, key: string = randomUUID()) =>
  (await server.context.queue.enqueue(name, {}, { key })) ?? "";

const stateOf = async (id: string) =>
  ((await ask(`/${id}`)).body["job"] as { state: string } | undefined)?.state;

const fail = (id: string, output?: object) =>
  changeJob(server, id, { state: "failed", ...(output && { output }) });

const forget = () => forgetJobs(server, "%");

/**
 * Enqueues a marker job and waits until it is done. By then the worker has seen all jobs enqueued before the
 * marker.
 */
async function untilMarkerDone(): Promise<void> {
  const marker = await enqueue(other);
  await waitUntil("the marker is done", async () => (await stateOf(marker)) === "completed");
}

const linesAbout = (targetId: string) =>
  activityOf(server, { targetType: "queue", targetId }, ["actorId", "action", "detail"]);

const forgetLines = () =>
  server.context.models.ActivityEntry.destroy({ where: { targetType: "queue" } });

const idle = {
  name: queue,
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
  schedule: "41 * * * *",
  scheduleInWords: "At 41 minutes past the hour",
  paused: null,
};

describe("POST /admin/jobs/queues/:queue/pause and resume", () => {
  it("stop a worker from taking jobs, let running jobs end, and let the worker continue", async () => {
    const worker = await startTestWorker(server, ["upkeep"]);
    const holding = await server.context.sequelize.transaction();
    await server.context.sequelize.query("lock table processes in exclusive mode", {
      transaction: holding,
    });
    const running = await enqueue();
    await waitUntil("it runs", async () => (await stateOf(running)) === "active");
    expect((await post(queue, "pause")).body).toMatchObject({ queue: { name: queue, active: 1 } });
    await holding.commit();
    await waitUntil("it ends", async () => (await stateOf(running)) === "completed");
    let waiting = "";
    await waitUntil("the worker has obeyed", async () => {
      waiting = await enqueue();
      await untilMarkerDone();
      return (await stateOf(waiting)) === "created";
    });
    await worker.stop();
    const later = await startTestWorker(server, ["upkeep"]);
    await untilMarkerDone();
    expect(await stateOf(waiting)).toBe("created");
    expect((await post(queue, "resume")).status).toBe(200);
    await waitUntil("it is taken", async () => (await stateOf(waiting)) === "completed");
    await later.stop();
    await forget();
  });

  it("apply to every job after the answer, even if a worker misses the notification", async () => {
    const { config, log } = server.context;
    const listener = new Listener({ url: server.database.url, log });
    const deaf = await startTestWorker({ context: { ...server.context, listener } }, ["upkeep"]);
    await untilMarkerDone();
    expect((await post(queue, "pause")).status).toBe(200);
    const waiting: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      waiting.push(await enqueue());
      await untilMarkerDone();
    }
    const boss = createPgBoss(config, log);
    await boss.start();
    expect(await boss.fetch(queue)).toEqual([]);
    await boss.stop({ graceful: false });
    expect(await Promise.all(waiting.map(stateOf))).toEqual(["created", "created", "created"]);
    expect((await post(queue, "resume")).status).toBe(200);
    await waitUntil("they are taken", async () => {
      const states = await Promise.all(waiting.map(stateOf));
      return states.every((state) => state === "completed");
    });
    await deaf.stop();
    await forget();
  });

  it("answer with the state of the queue, log the user, and change nothing when repeated", async () => {
    await forgetLines();
    const paused = { ...idle, paused: { at: anyTime, by: admin.username } };
    for (const _ of [1, 2]) {
      expect(await post(queue, "pause")).toEqual({ status: 200, body: { queue: paused } });
    }
    const { body } = await ask("");
    const listed = body["queues"] as { name: string; paused: unknown }[];
    expect(listed.filter((one) => one.paused !== null)).toEqual([paused]);
    for (const _ of [1, 2]) {
      expect(await post(queue, "resume")).toEqual({ status: 200, body: { queue: idle } });
    }
    expect(await linesAbout(queue)).toEqual([
      { actorId: admin.userId, action: "queue.paused", detail: {} },
      { actorId: admin.userId, action: "queue.resumed", detail: {} },
    ]);
  });

  it("work for every queue of the catalog", async () => {
    for (const name of Object.keys(queues)) {
      expect((await post(name, "pause")).body).toMatchObject({
        queue: { name, paused: { at: anyTime } },
      });
      expect((await post(name, "resume")).body).toMatchObject({ queue: { name, paused: null } });
    }
  });

  it("make an import of a paused queue fail with instructions", async () => {
    await buildProcess(server);
    await post("imports.clilocs", "pause");
    const { headers } = admin;
    const answered = await callRoute(server, "POST /admin/shard/clilocs/import", { headers });
    expect(answered.body).toMatchObject({
      status: "unavailable",
      code: "UNAVAILABLE",
      reason: "The queue imports.clilocs is paused: resume it",
    });
    expect(await server.context.models.ImportRun.count()).toBe(0);
    await post("imports.clilocs", "resume");
  });
});

describe("POST /admin/jobs/queues/:queue/retry-failed", () => {
  it("runs the failed jobs of that queue again, and no other jobs", async () => {
    const [one, two, done, elsewhere] = [
      await enqueue(),
      await enqueue(),
      await enqueue(),
      await enqueue(other),
    ];
    for (const id of [one, two, elsewhere]) await fail(id);
    await changeJob(server, done, { state: "completed" });
    expect(await post(queue, "retry-failed")).toEqual({ status: 200, body: { retried: 2 } });
    const states = await Promise.all([one, two, done, elsewhere].map(stateOf));
    expect(states).toEqual(["retry", "retry", "completed", "failed"]);
    expect(await post(queue, "retry-failed")).toEqual({ status: 200, body: { retried: 0 } });
    await forget();
  });

  it("retries only the newest of equal jobs of an exclusive queue, and none of them if an equal job waits", async () => {
    const [key, taken] = [randomUUID(), randomUUID()];
    const older = await enqueue(queue, key);
    await fail(older);
    await query(server, "update pgboss.job set created_on = created_on - interval '1 minute'");
    const newer = await enqueue(queue, key);
    await fail(newer);
    const sameKeyAsWaiting = await enqueue(queue, taken);
    await fail(sameKeyAsWaiting);
    const waiting = await enqueue(queue, taken);
    expect(await post(queue, "retry-failed")).toEqual({ status: 200, body: { retried: 1 } });
    const states = await Promise.all([older, newer, sameKeyAsWaiting, waiting].map(stateOf));
    expect(states).toEqual(["failed", "retry", "failed", "created"]);
    await forget();
  });
});

describe("POST /admin/jobs/queues/:queue/discard-failed", () => {
  it("removes the failed jobs of that queue with their progress, and writes an activity entry", async () => {
    await forgetLines();
    const [failed, waiting, elsewhere] = [await enqueue(), await enqueue(), await enqueue(other)];
    for (const id of [failed, elsewhere]) await fail(id);
    for (const id of [failed, waiting]) {
      await buildJobProgress(server, { jobId: id, queue });
    }
    expect(await post(queue, "discard-failed")).toEqual({ status: 200, body: { discarded: 1 } });
    expect((await ask(`/${failed}`)).status).toBe(404);
    expect([await stateOf(waiting), await stateOf(elsewhere)]).toEqual(["created", "failed"]);
    const left = await server.context.models.JobProgress.findAll();
    expect(left.map(({ jobId }) => jobId)).toEqual([waiting]);
    expect(await linesAbout(queue)).toEqual([
      { actorId: admin.userId, action: "queue.failed_discarded", detail: { jobs: 1 } },
    ]);
    await forget();
  });
});

it.each(["pause", "resume", "retry-failed", "discard-failed"])(
  "%s of an unknown queue is answered 404, even if pg-boss or JavaScript uses the name",
  async (what) => {
    for (const name of ["lost", "__pgboss__send-it", "constructor", "a".repeat(65)]) {
      const { status } = await post(name, what);
      expect(status).toBe(name.length > 64 ? 400 : 404);
    }
  },
);

describe("GET /admin/jobs with a state", () => {
  it("groups equal failures, the latest group first, independent of the listed page of jobs", async () => {
    const made: string[] = [];
    for (const message of ["No route", "No route", "Refused"]) {
      const id = await enqueue();
      made.push(id);
      await fail(id, { message, stack: `Error: ${message} ${id}` });
    }
    const { body } = await ask(`?state=failed&limit=1&queue=${queue}`);
    const group = { queue, firstAt: anyTime, lastAt: anyTime };
    expect(body["groups"]).toEqual([
      { ...group, error: "Refused", jobs: 1, newestJobId: made[2] },
      { ...group, error: "No route", jobs: 2, newestJobId: made[1] },
    ]);
    expect(body["jobs"]).toHaveLength(1);
    expect((await ask(`?state=failed&queue=${other}`)).body).toEqual({ jobs: [], groups: [] });
    expect((await ask("?state=failed&queue=lost")).status).toBe(400);
    await forget();
  });

  it("shows why a retried job failed and when it runs again", async () => {
    const id = await enqueue();
    const output = { value: { message: "job heartbeat timeout" } };
    await changeJob(server, id, { state: "retry", output, startsIn: 300 });
    const { body } = await ask("?state=retry");
    expect(body["jobs"]).toMatchObject([{ id, state: "retry", attempts: 1, nextTryAt: anyTime }]);
    expect(body["groups"]).toMatchObject([{ error: "job heartbeat timeout", jobs: 1 }]);
    const health = (await ask("")).body["queues"] as { name: string }[];
    expect(health.find(({ name }) => name === queue)).toMatchObject({ depth: 1, retrying: 1 });
    await forget();
  });
});

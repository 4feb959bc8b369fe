import type { JobWithMetadata } from "pg-boss";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";

import { defineImportJob } from "../../jobs/imports/import-job.ts";
import { runAttempt } from "../../jobs/run-attempt.ts";
import { blankClilocResult } from "../../shared/imports/results/clilocs.ts";
import type { ImportHandler } from "../../shared/imports/runs/run-import.ts";
import { endLostImportRuns } from "../../shared/imports/runs/runs.ts";
import { type PgBossClient, createPgBoss } from "../../shared/platform/queue/queue.ts";
import { queues } from "../../shared/platform/queue/queues.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { changeJob } from "../support/database/change-job.ts";
import { forgetJobs } from "../support/database/forget-jobs.ts";
import { buildProcess } from "../support/factories/ops.ts";
import { callRoute } from "../support/http/call.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const queue = "imports.clilocs";

let server: TestServer;
let admin: SignedIn;
let boss: PgBossClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  boss = createPgBoss(server.config, server.context.log);
  await boss.start();
  await buildProcess(server);
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await server.stop();
});

let jobId: string;
beforeEach(async () => {
  const headers = { ...admin.headers, prefer: "respond-async" };
  const asked = await callRoute(server, "POST /admin/shard/clilocs/import", { headers, body: {} });
  jobId = (asked.body as { jobId: string }).jobId;
  // The job is not retried, so its first attempt is its last.
  await changeJob(server, jobId, { retryLimit: 0 });
});
afterEach(() => forgetJobs(server, "%"));

const retry = async () => {
  const { headers } = admin;
  const { body } = await callRoute(server, `POST /admin/jobs/${jobId}/retry`, { headers });
  expect(body).toMatchObject({ job: { state: "retry" } });
  await changeJob(server, jobId, { startsIn: 0 });
};

const runNow = async () => {
  const run = await server.context.models.ImportRun.findByPk(jobId);
  return { attempt: run?.attempt, result: run?.result ?? null };
};

const imported = { ...blankClilocResult, source: "file", status: "imported" } as const;

/** Takes the job and starts its attempt. The attempt waits until the test ends it. */
async function takeUp() {
  const [handed] = await boss.fetch<object>(queue, { includeMetadata: true });
  const [taken, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const work: ImportHandler = async () => {
    taken.resolve();
    await ends.promise;
    return imported;
  };
  const { signal } = new AbortController();
  const attempt = { ...(handed as JobWithMetadata), signal };
  const job = defineImportJob("clilocs", work);
  const ended = runAttempt(job, queues[queue], attempt, server.context).then(
    () => "done",
    (error: unknown) => (error as Error).message,
  );
  await taken.promise;
  return {
    goOn: () => (ends.resolve(), ended),
    fail: (words: string) => (ends.reject(new Error(words)), ended),
  };
}

it("an attempt that was presumed lost does not end the run after the next attempt took it over", async () => {
  const first = await takeUp();
  await boss.fail(queue, jobId);
  await retry();
  const second = await takeUp();
  expect(await first.goOn()).toBe("another attempt runs the import, or the import was given up");
  expect(await runNow()).toEqual({ attempt: 2, result: null });
  expect(await second.goOn()).toBe("done");
  expect(await runNow()).toEqual({ attempt: 2, result: imported });
});

it("an attempt that was presumed lost does not end the run of a job that waits for its retry", async () => {
  const first = await takeUp();
  await boss.fail(queue, jobId);
  await retry();
  expect(await first.fail("the disk is full")).toBe("the disk is full");
  expect(await runNow()).toEqual({ attempt: 1, result: null });
  const second = await takeUp();
  expect(await second.goOn()).toBe("done");
  expect(await runNow()).toEqual({ attempt: 2, result: imported });
});

it("an attempt that exceeded its time limit ends its run with its own error if no retry follows", async () => {
  const first = await takeUp();
  await boss.fail(queue, jobId);
  await first.fail("the disk is full");
  expect((await runNow()).result).toMatchObject({
    status: "failed",
    reason: "The import failed: the disk is full",
  });
});

it("a retry of the job continues a run that is just being ended as lost", async () => {
  const first = await takeUp();
  await boss.fail(queue, jobId);
  const held = await server.context.sequelize.transaction();
  await server.context.models.ImportRun.lockUnfinished(jobId, held);
  const ending = endLostImportRuns(server.context.sequelize);
  await waitUntilLockWaits(server);
  await retry();
  await held.commit();
  await ending;
  expect(await runNow()).toEqual({ attempt: 1, result: null });
  await first.fail("it was lost");
});

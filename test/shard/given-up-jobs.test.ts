import { randomUUID } from "node:crypto";

import type { JobWithMetadata } from "pg-boss";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { unbanJob } from "../../jobs/appeals/unban.job.ts";
import type { Job } from "../../jobs/job.ts";
import { runAttempt } from "../../jobs/run-attempt.ts";
import { unlinkUserJob } from "../../jobs/shard/unlink-user.job.ts";
import { type PgBossClient, createPgBoss } from "../../shared/platform/queue/queue.ts";
import { type PayloadOf, queues } from "../../shared/platform/queue/queues.ts";
import { changeJob } from "../support/database/change-job.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let boss: PgBossClient;
beforeAll(async () => {
  server = await startTestServer();
  boss = createPgBoss(server.config, server.context.log);
  await boss.start();
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await server.stop();
});

type Tried = "appeals.unban" | "shard.unlink-user";

/** Creates a job without retries. The test begins its attempts and lets them fail. */
async function jobOf<Name extends Tried>(job: Job<Name>, payload: PayloadOf<Name>) {
  const id = randomUUID();
  await server.context.queue.enqueue(job.queue, payload, { id });
  await changeJob(server, id, { retryLimit: 0 });
  const begin = async () => {
    const [handed] = await boss.fetch<object>(job.queue, { includeMetadata: true });
    const ends = Promise.withResolvers<never>();
    const { signal } = new AbortController();
    const attempt = { ...(handed as JobWithMetadata), signal };
    const run = () => ends.promise;
    const ended = runAttempt({ ...job, run }, queues[job.queue], attempt, server.context);
    ended.catch(() => undefined);
    return async () => {
      ends.reject(new Error("the shard is away"));
      await ended.catch(() => undefined);
    };
  };
  const retry = async () => {
    await boss.fail(job.queue, id);
    await boss.retry(job.queue, id);
    await changeJob(server, id, { startsIn: 0 });
  };
  return { begin, retry };
}

const linesOf = async (action: string): Promise<unknown[]> =>
  (await server.context.models.ActivityEntry.findAll({ where: { action }, order: ["id"] })).map(
    ({ detail }) => detail,
  );

describe("an attempt that was presumed lost and fails after its job was retried", () => {
  it("does not log the unban as given up, and only a failure of the next attempt logs it", async () => {
    const order = { appealId: 4711, account: "maple", decidedAt: new Date().toISOString() };
    const job = await jobOf(unbanJob, order);
    const failFirst = await job.begin();
    await job.retry();
    const failSecond = await job.begin();
    await failFirst();
    expect(await linesOf("shard.unban")).toEqual([]);
    await failSecond();
    expect(await linesOf("shard.unban")).toEqual([
      {
        account: "maple",
        appeal: 4711,
        outcome: "failed",
        reason: "The site gave up: the shard is away",
      },
    ]);
  });

  it("does not log the unlinking as given up, and only a failure of the next attempt logs it", async () => {
    const job = await jobOf(unlinkUserJob, { userId: 4711 });
    const failFirst = await job.begin();
    await job.retry();
    await failFirst();
    expect(await linesOf("shard.unlink")).toEqual([]);
    const failSecond = await job.begin();
    await failSecond();
    expect(await linesOf("shard.unlink")).toEqual([{ outcome: "given up" }]);
  });
});

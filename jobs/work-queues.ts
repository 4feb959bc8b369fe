import type { JobWithMetadata } from "pg-boss";
import type { Registry } from "prom-client";

import {
  type JobAttemptOutcome,
  createJobMetrics,
  type JobMetrics,
} from "../shared/ops/job-metrics.ts";
import type { SiteContext } from "../shared/ops/site-context.ts";
import { readPausedQueues } from "../shared/platform/job-records/paused-queues.ts";
import { WatchedValue } from "../shared/platform/notify/live-value.ts";
import type { PgBossClient } from "../shared/platform/queue/queue.ts";
import { type QueueGroup, type QueueName, queues } from "../shared/platform/queue/queues.ts";
import { jobs } from "./registry.ts";
import { runAttempt } from "./run-attempt.ts";

/** The polling interval. Delayed jobs need polling, because no notification is sent when they become due. */
const pollingSeconds = 4;

/** Starts workers for every queue of the groups, except for paused queues. */
export async function startQueueWorkers(
  boss: PgBossClient,
  groups: readonly QueueGroup[],
  { registry, ...context }: SiteContext & { readonly registry: Registry },
  everySeconds = pollingSeconds,
): Promise<void> {
  const names = (Object.keys(queues) as QueueName[]).filter((name) =>
    groups.includes(queues[name].group),
  );
  const parts = { boss, context, metrics: createJobMetrics(registry, names), everySeconds };
  const worked = new Set<QueueName>();
  const applyPauses = async () => {
    const paused = await readPausedQueues(context);
    for (const name of names) {
      if (paused.has(name) && worked.delete(name)) await boss.offWork(name, { wait: false });
      if (paused.has(name) || worked.has(name)) continue;
      worked.add(name);
      await startWorkers(name, parts);
    }
  };
  const { listener, log } = context;
  const pauses = new WatchedValue({
    channel: "paused_queues",
    read: applyPauses,
    initial: undefined,
    listener,
    log,
  });
  await context.startWait.for(() => pauses.reload());
}

interface WorkerParts {
  readonly boss: PgBossClient;
  readonly context: SiteContext;
  readonly metrics: JobMetrics;
  readonly everySeconds: number;
}

async function startWorkers(name: QueueName, parts: WorkerParts): Promise<void> {
  const { concurrency } = queues[name];
  for (let worker = 0; worker < concurrency; worker++) await startWorker(name, parts);
}

const serialPerSubject = { localGroupConcurrency: 1 };

/**
 * Starts a worker that runs one job at a time. A notification wakes a worker for one fetch only, so the worker
 * wakes itself after each job and sleeps after a fetch that found no job.
 */
async function startWorker(name: QueueName, parts: WorkerParts): Promise<void> {
  const options = {
    includeMetadata: true,
    pollingIntervalSeconds: Math.min(2, parts.everySeconds),
    notifyPollingIntervalSeconds: parts.everySeconds,
    ...(queues[name].isBySubject && serialPerSubject),
  } as const;
  const workerId: string = await parts.boss.work<object, unknown, typeof options>(
    name,
    options,
    async ([attempt]: JobWithMetadata[]) => {
      try {
        return await observeAttempt(name, attempt as JobWithMetadata, parts);
      } finally {
        parts.boss.notifyWorker(workerId);
      }
    },
  );
}

async function observeAttempt(
  name: QueueName,
  attempt: JobWithMetadata,
  { context, metrics }: WorkerParts,
): Promise<unknown> {
  const startedAt = performance.now();
  const observe = (outcome: JobAttemptOutcome): void =>
    metrics.observe(name, outcome, performance.now() - startedAt);
  try {
    const result = await runAttempt(jobs[name], queues[name], attempt, context);
    observe("completed");
    return result;
  } catch (error) {
    observe(attempt.retryCount >= attempt.retryLimit ? "failed" : "retrying");
    throw error;
  }
}

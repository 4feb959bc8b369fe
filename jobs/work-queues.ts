import type { JobWithMetadata } from "pg-boss";

import type { Context } from "../shared/context.ts";
import type { Boss } from "../shared/queue/queue.ts";
import { type QueueGroup, type QueueName, type QueueSpec, queues } from "../shared/queue/queues.ts";
import type { Job } from "./job.ts";
import { jobs } from "./registry.ts";
import { runAttempt } from "./run-attempt.ts";

/** Starts the workers of every queue in the groups named. */
export async function workQueues(
  boss: Boss,
  groups: readonly QueueGroup[],
  context: Context,
): Promise<void> {
  for (const name of Object.keys(queues) as QueueName[]) {
    const spec = queues[name] as unknown as QueueSpec<unknown>;
    if (!groups.includes(spec.group)) continue;
    const job = jobs[name] as unknown as Job<QueueName>;
    for (let worker = 0; worker < spec.concurrency; worker++) {
      await startWorker(boss, job, spec, context);
    }
  }
}

/**
 * One worker takes one job at a time: a slow one blocks no other. A notification wakes a worker
 * for one fetch only, so it wakes itself after each job and sleeps on an empty fetch.
 */
async function startWorker(
  boss: Boss,
  job: Job<QueueName>,
  spec: QueueSpec<unknown>,
  context: Context,
): Promise<void> {
  const options = {
    includeMetadata: true,
    pollingIntervalSeconds: 2,
    notifyPollingIntervalSeconds: 4,
  } as const;
  const workerId: string = await boss.work<object, unknown, typeof options>(
    job.queue,
    options,
    async ([attempt]: JobWithMetadata[]) => {
      try {
        return await runAttempt(job, spec, attempt as JobWithMetadata, context);
      } finally {
        boss.notifyWorker(workerId);
      }
    },
  );
}

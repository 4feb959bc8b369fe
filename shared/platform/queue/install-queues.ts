import type { Config } from "../config/config.ts";
import type { HeldSchema } from "../db/schema/hold-schema.ts";
import type { Logger } from "../log.ts";
import { emptyQueueHistory } from "./empty-history.ts";
import { keepPausedJobs } from "./keep-paused-jobs.ts";
import { type Boss, createBoss } from "./queue.ts";
import { type QueueSpec, queues } from "./queues.ts";

/**
 * Makes pg-boss's own schema, every queue of the catalogue and their schedules.
 * Part of the release: the processes themselves never change a schema.
 */
export async function installQueues(config: Config, log: Logger, held: HeldSchema): Promise<void> {
  const boss = createBoss(config, log, { migrates: true });
  await boss.start();
  try {
    for (const [name, spec] of Object.entries(queues)) {
      await installQueue(boss, name, spec);
    }
    await keepPausedJobs(held);
    await emptyQueueHistory(held, log);
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function installQueue(boss: Boss, name: string, spec: QueueSpec<unknown>): Promise<void> {
  const options = {
    retryLimit: spec.retries,
    retryDelay: spec.retryDelaySeconds,
    retryBackoff: true,
    ...(spec.retryDelayMaxSeconds && { retryDelayMax: spec.retryDelayMaxSeconds }),
    expireInSeconds: spec.expireSeconds,
    heartbeatSeconds: 10,
    notify: true,
  };
  const known = await boss.getQueue(name);
  // A policy can never change: the queue is made anew where its jobs may be lost.
  if (known && spec.isRemadeForPolicy && known.policy !== spec.policy) await boss.deleteQueue(name);
  // createQueue leaves an existing queue as it is; partition can never change either.
  await boss.createQueue(name, { ...options, policy: spec.policy, partition: spec.partition });
  await boss.updateQueue(name, options);
  if (spec.cron) await boss.schedule(name, spec.cron, {}, { tz: "UTC", missed: "once" });
  else await boss.unschedule(name);
}

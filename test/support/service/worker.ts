import { Registry } from "prom-client";

import { startQueueWorkers } from "../../../jobs/work-queues.ts";
import { createPgBoss } from "../../../shared/platform/queue/queue.ts";
import type { QueueGroup } from "../../../shared/platform/queue/queues.ts";
import type { TestServer } from "./server.ts";

export interface TestWorker {
  stop(): Promise<void>;
}

interface WorkerOptions {
  /** The interval at which the worker looks for delayed jobs, for tests that wait for many delayed jobs. */
  readonly everySeconds?: number;
  /**
   * True if the worker also retries jobs of dead workers and deletes old jobs. This takes time
   * every two seconds.
   */
  readonly supervises?: boolean;
}

/** Works on the queues of these groups in the test process, as a worker process does. */
export async function startTestWorker(
  { context }: Pick<TestServer, "context">,
  groups: readonly QueueGroup[],
  { everySeconds, supervises = false }: WorkerOptions = {},
): Promise<TestWorker> {
  const boss = createPgBoss(context.config, context.log, { works: true, supervises });
  await boss.start();
  await startQueueWorkers(boss, groups, { ...context, registry: new Registry() }, everySeconds);
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000 }) };
}

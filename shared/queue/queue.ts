import { PgBoss, type SendOptions } from "pg-boss";
import type { Transaction } from "sequelize";

import type { Config } from "../config/config.ts";
import { clientCutWhenSilent, connectWithin } from "../db/client.ts";
import { type Sql, sqlOf } from "../db/sql.ts";
import type { Logger } from "../log.ts";
import { type PayloadOf, type QueueName, type QueueSpec, queues } from "./queues.ts";

export type Boss = PgBoss;

interface BossOptions {
  /** Whether this process watches over jobs and clocks; the API only enqueues. */
  readonly supervise: boolean;
  readonly migrate?: boolean;
}

/** pg-boss as every process of ours starts it. */
export function createBoss(config: Config, log: Logger, options: BossOptions): Boss {
  // Options of its pool that pg-boss hands on and does not name.
  const pool = { ...connectWithin, Client: clientCutWhenSilent(config.DATABASE_TIMEOUT) };
  const boss = new PgBoss({
    ...pool,
    // LISTEN needs a session of its own, which a transaction pooler does not give.
    connectionString: options.supervise
      ? (config.DATABASE_LISTEN_URL ?? config.DATABASE_URL)
      : config.DATABASE_URL,
    application_name: "guildhall queue",
    max: options.supervise ? 6 : 2,
    supervise: options.supervise,
    schedule: options.supervise,
    migrate: options.migrate ?? false,
    createSchema: options.migrate ?? false,
    useListenNotify: options.supervise,
    // A dead worker is noticed after its heartbeat (10 s) plus at most these.
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    persistQueueStats: options.supervise,
  });
  boss.on("error", (error) => log.error({ err: error }, "queue error"));
  boss.on("warning", (warning) => log.warn({ warning }, "queue warning"));
  return boss;
}

export interface EnqueueOptions {
  /** The job's id, where another row must name it. */
  readonly id?: string;
  /** Jobs of one key exclude each other in an `exclusive` queue. */
  readonly key?: string;
  readonly startAfter?: Date;
  /** Before the first retry, where the configuration says it and not the catalogue. */
  readonly retryDelaySeconds?: number;
  /** The transaction that makes the job exist, or not. */
  readonly within?: Transaction | Sql;
}

/** What puts jobs into queues; handed down in the context. */
export interface Queue {
  /** @returns the job's id, or null when an equal job of an exclusive queue is there already */
  enqueue<Name extends QueueName>(
    name: Name,
    payload: PayloadOf<Name>,
    options?: EnqueueOptions,
  ): Promise<string | null>;
  /** Runs a failed or cancelled job again. */
  retry(queue: string, jobId: string, within: Transaction): Promise<void>;
  /** Takes back a job that waits or runs. */
  cancel(queue: string, jobId: string, within: Transaction): Promise<void>;
}

export function createQueue(boss: Boss): Queue {
  return {
    async enqueue(name, payload, options = {}) {
      const spec = queues[name] as unknown as QueueSpec<unknown>;
      const { error } = spec.payload.validate(payload);
      if (error) throw new Error(`${name}: ${error.message}`);
      return boss.send(name, payload as object, sendOptions(options));
    },
    async retry(name, jobId, within) {
      const connection = { db: executorOf(sqlOf(within)) };
      // One moves failed jobs alone, the other cancelled ones.
      await boss.retry(name, jobId, connection);
      await boss.resume(name, jobId, connection);
    },
    async cancel(name, jobId, within) {
      await boss.cancel(name, jobId, { db: executorOf(sqlOf(within)) });
    },
  };
}

/** What pg-boss runs its statements with, in a transaction of ours. */
const executorOf = (sql: Sql) => ({
  executeSql: (text: string, values?: unknown[]) => sql.query(text, values),
});

function sendOptions(options: EnqueueOptions): SendOptions {
  const { id, key, startAfter, retryDelaySeconds, within } = options;
  const sql = within && ("query" in within ? within : sqlOf(within));
  return {
    ...(id !== undefined && { id }),
    ...(key !== undefined && { singletonKey: key }),
    ...(startAfter && { startAfter }),
    ...(retryDelaySeconds !== undefined && { retryDelay: retryDelaySeconds }),
    ...(sql && { db: executorOf(sql) }),
  };
}

/**
 * Makes pg-boss's own schema, every queue of the catalogue and their clocks.
 * Part of the release: the processes themselves never change a schema.
 */
export async function installQueues(config: Config, log: Logger): Promise<void> {
  const boss = createBoss(config, log, { supervise: false, migrate: true });
  await boss.start();
  try {
    for (const [name, spec] of Object.entries(queues)) {
      await installQueue(boss, name, spec);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function installQueue(boss: Boss, name: string, spec: QueueSpec<unknown>): Promise<void> {
  const options = {
    retryLimit: spec.retries,
    retryDelay: spec.retryDelaySeconds,
    retryBackoff: true,
    expireInSeconds: spec.expireSeconds,
    heartbeatSeconds: 10,
    notify: true,
  };
  // createQueue leaves an existing queue as it is; policy and partition can never change.
  await boss.createQueue(name, { ...options, policy: spec.policy, partition: spec.partition });
  await boss.updateQueue(name, options);
  if (spec.cron) await boss.schedule(name, spec.cron, {}, { tz: "UTC", missed: "once" });
  else await boss.unschedule(name);
}

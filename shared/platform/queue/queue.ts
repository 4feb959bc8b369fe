import type { Client, ClientConfig, QueryConfig } from "pg";
import { PgBoss, type SendOptions } from "pg-boss";
import type { Transaction } from "sequelize";

import type { Config } from "../config/config.ts";
import { createClientClass, connectionOptions } from "../db/connection/client.ts";
import { extraConnections } from "../db/connection/connection.ts";
import { DatabaseUnavailableError } from "../db/connection/database-unavailable.ts";
import {
  directUrlOf,
  defaultTimeouts,
  type ConnectionTimeouts,
} from "../db/connection/session-settings.ts";
import { rows } from "../db/rows.ts";
import type { SqlClient } from "../db/sql.ts";
import type { Logger } from "../log.ts";
import { type PayloadOf, type QueueName, queues } from "./queues.ts";

export type PgBossClient = PgBoss;

interface BossOptions {
  /** True for a process that runs jobs and listens for new ones. */
  readonly works?: boolean;
  /** True for a process that retries jobs of dead workers, deletes old jobs and runs schedules. */
  readonly supervises?: boolean;
  readonly migrates?: boolean;
}

/** Creates pg-boss for this process. Without options, it can only enqueue. */
export function createPgBoss(config: Config, log: Logger, options: BossOptions = {}): PgBossClient {
  const { works = false, supervises = false, migrates = false } = options;
  // LISTEN and long statements need a session, which a transaction pooler does not provide.
  const isDirect = works || migrates;
  const usual = defaultTimeouts(config);
  const statementMs = migrates ? null : usual.statementMs;
  const patience = isDirect ? { statementMs } : usual;
  // An option of the pg pool, which pg-boss passes on but does not declare.
  const makeClient = works ? createWorkerClientClass : createClientClass;
  const pool = { ...connectionOptions, Client: makeClient(patience) };
  const boss = new PgBoss({
    ...pool,
    connectionString: isDirect ? directUrlOf(config) : config.DATABASE_URL,
    application_name: "guildhall queue",
    max: works ? extraConnections.supervisor : extraConnections.queue,
    supervise: supervises,
    schedule: supervises,
    migrate: migrates,
    createSchema: migrates,
    useListenNotify: works,
    // A dead worker is noticed after its heartbeat timeout (10 s) and at most these intervals.
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    // If true, pg-boss would store a row per queue every two seconds for a week: almost a gigabyte.
    persistQueueStats: false,
  });
  boss.on("error", (error) => log.error({ err: error }, "queue error"));
  boss.on("warning", (warning) => log.warn({ warning }, "queue warning"));
  return boss;
}

/**
 * Starts pg-boss. After a failure it is stopped, so that the start can be retried. If LISTEN fails, pg-boss only
 * warns and polls every two seconds forever, so treat that as a failure.
 */
export async function startPgBoss(boss: PgBossClient): Promise<void> {
  let unheard: DatabaseUnavailableError | undefined;
  const note = ({ data }: { readonly data: object }): void => {
    const { type, error } = data as { readonly type?: unknown; readonly error?: unknown };
    if (type === "listen_notify_unavailable") unheard = new DatabaseUnavailableError(String(error));
  };
  boss.on("warning", note);
  try {
    await boss.start();
    if (unheard) throw unheard;
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  } finally {
    boss.off("warning", note);
  }
}

export interface EnqueueOptions {
  readonly id?: string;
  /** The singleton key, by which `exclusive` and `short` queues limit jobs. */
  readonly key?: string;
  readonly subject?: string;
  readonly startAfter?: Date;
  /** Milliseconds to delay the job, by the database's clock. */
  readonly afterMs?: number;
  /** Delay of the first retry, if it comes from the configuration instead of the catalogue. */
  readonly retryDelaySeconds?: number;
  readonly within?: Transaction | SqlClient;
}

export interface Queue {
  /** Returns the job's id; null if the policy allows only one such job and the queue contains it. */
  enqueue<Name extends QueueName>(
    name: Name,
    payload: PayloadOf<Name>,
    options?: EnqueueOptions,
  ): Promise<string | null>;
  enqueueAll<Name extends QueueName>(
    name: Name,
    payloads: readonly PayloadOf<Name>[],
    within: Transaction | SqlClient,
  ): Promise<void>;
  retry(queue: string, jobIds: string[], within: Transaction): Promise<void>;
  /** Deletes jobs that are not active. */
  discard(queue: string, jobIds: string[], within: Transaction): Promise<void>;
  cancel(queue: string, jobId: string, within: Transaction): Promise<void>;
}

export function createQueue(boss: PgBossClient): Queue {
  return {
    async enqueue(name, payload, options = {}) {
      checkPayload(name, payload);
      return boss.send(name, payload as object, sendOptions(options));
    },
    async enqueueAll(name, payloads, within) {
      if (payloads.length === 0) return;
      for (const payload of payloads) checkPayload(name, payload);
      const jobs = payloads.map((payload) => ({ data: payload as object }));
      await boss.insert(name, jobs, { db: executorOf(within) });
    },
    async retry(name, jobIds, within) {
      const connection = { db: executorOf(within) };
      // In pg-boss, `retry` affects only failed jobs, and `resume` only cancelled ones.
      await boss.retry(name, jobIds, connection);
      await boss.resume(name, jobIds, connection);
    },
    async discard(name, jobIds, within) {
      await boss.deleteJob(name, jobIds, { db: executorOf(within) });
    },
    async cancel(name, jobId, within) {
      await boss.cancel(name, jobId, { db: executorOf(within) });
    },
  };
}

function checkPayload(name: QueueName, payload: unknown): void {
  const { error } = queues[name].payload.validate(payload);
  if (error) throw new Error(`${name}: ${error.message}`);
}

/** Runs pg-boss's statements in our transaction, prepared because their texts are long and repeat. */
const executorOf = (within: Transaction | SqlClient) => ({
  executeSql: async (text: string, values?: unknown[]) => ({
    rows: await rows(within, { name: nameOf(text), text }, values),
  }),
});

const names = new Map<string, string>();

function nameOf(text: string): string {
  const known = names.get(text) ?? `queue ${names.size}`;
  names.set(text, known);
  return known;
}

function sendOptions(options: EnqueueOptions): SendOptions {
  const { id, key, subject, startAfter, afterMs, retryDelaySeconds, within } = options;
  return {
    ...(id !== undefined && { id }),
    ...(key !== undefined && { singletonKey: key }),
    ...(subject !== undefined && { group: { id: subject } }),
    ...(startAfter && { startAfter }),
    ...(afterMs !== undefined && { startAfter: afterMs / 1_000 }),
    ...(retryDelaySeconds !== undefined && { retryDelay: retryDelaySeconds }),
    ...(within && { db: executorOf(within) }),
  };
}

type Query = (statement: string | QueryConfig, ...others: unknown[]) => unknown;

/** The beginning of pg-boss's polling statements. */
const isPollingStatement = (statement: unknown): statement is string =>
  typeof statement === "string" && /^\s*with\s+(?:next|due)\s+as\b/i.test(statement);

const pollingNames = new Map<string, string>();

function pollingNameOf(text: string): string {
  const name = pollingNames.get(text) ?? `take ${pollingNames.size}`;
  pollingNames.set(text, name);
  return name;
}

/** Returns a client class that prepares polling statements, whose planning takes longer than their execution. */
export const createWorkerClientClass = (patience: ConnectionTimeouts): typeof Client =>
  class extends createClientClass(patience) {
    constructor(config?: string | ClientConfig) {
      super(config);
      const query = this.query.bind(this) as Query;
      const queryByName: Query = (statement, ...others) =>
        query(
          isPollingStatement(statement)
            ? { name: pollingNameOf(statement), text: statement }
            : statement,
          ...others,
        );
      this.query = queryByName as typeof this.query;
    }
  };

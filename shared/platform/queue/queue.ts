import type { Client, ClientConfig, QueryConfig } from "pg";
import { PgBoss, type SendOptions } from "pg-boss";
import type { Transaction } from "sequelize";

import type { Config } from "../config/config.ts";
import { clientWith, connectWithin } from "../db/connection/client.ts";
import { beside } from "../db/connection/connection.ts";
import { DatabaseAway } from "../db/connection/database-away.ts";
import { directUrlOf, usualPatience, type Patience } from "../db/connection/session-settings.ts";
import { rows } from "../db/rows.ts";
import type { Sql } from "../db/sql.ts";
import type { Logger } from "../log.ts";
import { type PayloadOf, type QueueName, queues } from "./queues.ts";

export type Boss = PgBoss;

interface BossOptions {
  /** Whether this process works jobs, and hears of new ones. */
  readonly works?: boolean;
  /** Whether this process retries the jobs of dead workers, deletes old jobs and runs schedules. */
  readonly supervises?: boolean;
  readonly migrates?: boolean;
}

/** pg-boss as every process of ours starts it; without options, it only enqueues. */
export function createBoss(config: Config, log: Logger, options: BossOptions = {}): Boss {
  const { works = false, supervises = false, migrates = false } = options;
  // LISTEN needs a session of its own, which a transaction pooler does not give; so do long statements.
  const isDirect = works || migrates;
  const usual = usualPatience(config);
  const statementMs = migrates ? null : usual.statementMs;
  const patience = isDirect ? { statementMs } : usual;
  // Options of its pool that pg-boss hands on and does not name.
  const makeClient = works ? workerClientWith : clientWith;
  const pool = { ...connectWithin, Client: makeClient(patience) };
  const boss = new PgBoss({
    ...pool,
    connectionString: isDirect ? directUrlOf(config) : config.DATABASE_URL,
    application_name: "guildhall queue",
    max: works ? beside.supervisor : beside.queue,
    supervise: supervises,
    schedule: supervises,
    migrate: migrates,
    createSchema: migrates,
    useListenNotify: works,
    // A dead worker is noticed after its heartbeat (10 s) plus at most these.
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    // It would store a row for each queue every two seconds for a week: near a gigabyte that nobody reads.
    persistQueueStats: false,
  });
  boss.on("error", (error) => log.error({ err: error }, "queue error"));
  boss.on("warning", (warning) => log.warn({ warning }, "queue warning"));
  return boss;
}

/**
 * Starts it; whatever a start that failed has begun is ended, so that it may be started again. pg-boss
 * makes a LISTEN connection anew that it once had, and never one that it could not have when it
 * started: it only warns, and would ask for jobs every two seconds for as long as it lives.
 */
export async function startBoss(boss: Boss): Promise<void> {
  let unheard: DatabaseAway | undefined;
  const note = ({ data }: { readonly data: object }): void => {
    const { type, error } = data as { readonly type?: unknown; readonly error?: unknown };
    if (type === "listen_notify_unavailable") unheard = new DatabaseAway(String(error));
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
  /** The job's id, where another row must name it. */
  readonly id?: string;
  /** Jobs of one key exclude each other in an `exclusive` queue, and in a `short` one while they wait. */
  readonly key?: string;
  /** What the job is about, where the queue is one by subject. */
  readonly subject?: string;
  readonly startAfter?: Date;
  /** How long it waits, from now by the database's clock. */
  readonly afterMs?: number;
  /** Before the first retry, where the configuration says it and not the catalogue. */
  readonly retryDelaySeconds?: number;
  /** The transaction that makes the job exist, or not. */
  readonly within?: Transaction | Sql;
}

/** What puts jobs into queues; handed down in the context. */
export interface Queue {
  /** @returns the job's id, or null when an equal job of an exclusive or short queue is there already */
  enqueue<Name extends QueueName>(
    name: Name,
    payload: PayloadOf<Name>,
    options?: EnqueueOptions,
  ): Promise<string | null>;
  /** Several jobs of one queue by one statement. */
  enqueueAll<Name extends QueueName>(
    name: Name,
    payloads: readonly PayloadOf<Name>[],
    within: Transaction | Sql,
  ): Promise<void>;
  /** Runs failed or cancelled jobs again. */
  retry(queue: string, jobIds: string[], within: Transaction): Promise<void>;
  /** Removes jobs that do not run. */
  discard(queue: string, jobIds: string[], within: Transaction): Promise<void>;
  /** Takes back a job that waits or runs. */
  cancel(queue: string, jobId: string, within: Transaction): Promise<void>;
}

export function createQueue(boss: Boss): Queue {
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
      // One moves failed jobs alone, the other cancelled ones.
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

/**
 * What pg-boss runs its statements with, in a transaction of ours. Its texts are long and the same
 * for every job of a queue, so each connection prepares them once.
 */
const executorOf = (within: Transaction | Sql) => ({
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

/** How pg-boss begins the statements by which it takes jobs and asks which queues have any. */
const isRepeated = (statement: unknown): statement is string =>
  typeof statement === "string" && /^\s*with\s+(?:next|due)\s+as\b/i.test(statement);

/** The names of the repeated statements by their texts: a few for each queue. */
const takeNames = new Map<string, string>();

function takeNameOf(text: string): string {
  const name = takeNames.get(text) ?? `take ${takeNames.size}`;
  takeNames.set(text, name);
  return name;
}

/**
 * A class of clients for a process that works jobs. Each worker of a queue sends the same statement every few
 * seconds, and PostgreSQL needs longer to plan it than to run it, so each connection prepares it once.
 */
export const workerClientWith = (patience: Patience): typeof Client =>
  class extends clientWith(patience) {
    constructor(config?: string | ClientConfig) {
      super(config);
      const query = this.query.bind(this) as Query;
      const queryByName: Query = (statement, ...others) =>
        query(
          isRepeated(statement) ? { name: takeNameOf(statement), text: statement } : statement,
          ...others,
        );
      this.query = queryByName as typeof this.query;
    }
  };

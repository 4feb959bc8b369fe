import Joi from "joi";

/** Groups that a host can scale separately: `node jobs/worker.ts imports push` runs only these two. */
export const queueGroups = ["upkeep", "mail", "imports", "push", "events"] as const;
export type QueueGroup = (typeof queueGroups)[number];

/**
 * The behavior of a queue and the schema of its payload: ids if possible, never secrets or whole rows.
 */
export interface QueueSpec<Payload> {
  readonly group: QueueGroup;
  readonly payload: Joi.ObjectSchema<Payload>;
  /** Limit per singleton key. `exclusive`: one waiting or active job. `short`: one waiting job. */
  readonly policy: "standard" | "exclusive" | "short";
  readonly retries: number;
  readonly retryDelaySeconds: number;
  /** Upper bound of the delay, which doubles with each retry. If absent, there is no bound. */
  readonly retryDelayMaxSeconds?: number;
  /** Timeout of an attempt in seconds. After it, the job is retried. */
  readonly expireSeconds: number;
  readonly concurrency: number;
  /** True if a process runs only one job per subject (for example, per game server) at a time. */
  readonly isBySubject: boolean;
  /** True if payloads contain email or IP addresses. Administrators cannot see such payloads. */
  readonly isPersonal: boolean;
  /** True if the queue has its own table: bursts of jobs in a shared table make planner statistics stale. */
  readonly partition: boolean;
  /**
   * True if the queue may be deleted and created again, without its jobs, to change its policy, which pg-boss
   * cannot change. Only for queues whose jobs just wake a worker: the work is stored in other rows.
   */
  readonly isRemadeForPolicy: boolean;
  /** True if games, messages or event steps cause many jobs. Completed jobs are then deleted after an hour. */
  readonly isBrief: boolean;
  /** Cron expression in UTC. */
  readonly cron?: string;
}

type Overrides<Payload> = Pick<QueueSpec<Payload>, "group" | "payload"> &
  Partial<QueueSpec<Payload>>;

export const defineQueue = <Payload>(spec: Overrides<Payload>): QueueSpec<Payload> => ({
  policy: "standard",
  retries: 3,
  retryDelaySeconds: 5,
  expireSeconds: 900,
  concurrency: 1,
  isBySubject: false,
  isPersonal: false,
  partition: false,
  isRemadeForPolicy: false,
  isBrief: false,
  ...spec,
});

export const emptyPayload = Joi.object<Record<string, never>, true>({});

export const rowIdSchema = Joi.number().integer().positive();

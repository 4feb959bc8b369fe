import Joi from "joi";

/** Groups that a host can scale separately: `node jobs/worker.ts imports push` works on only those two. */
export const queueGroups = ["upkeep", "mail", "imports", "push", "events"] as const;
export type QueueGroup = (typeof queueGroups)[number];

/** The behavior of a queue and the schema of its payload: ids if possible, never secrets or whole rows. */
export interface QueueSpec<Payload> {
  readonly group: QueueGroup;
  readonly payload: Joi.ObjectSchema<Payload>;
  /** Limit for each singleton key. `exclusive`: one waiting or active job. `short`: one waiting job. */
  readonly policy: "standard" | "exclusive" | "short";
  readonly retries: number;
  readonly retryDelaySeconds: number;
  /** Upper bound of the delay, which doubles with each retry. No bound if absent. */
  readonly retryDelayMaxSeconds?: number;
  /** Timeout of an attempt, which is then retried. */
  readonly expireSeconds: number;
  readonly concurrency: number;
  /** True if a process works on only one job of a subject at a time. */
  readonly isBySubject: boolean;
  /** True if payloads contain e-mail or IP addresses. Administrators cannot see such payloads. */
  readonly isPersonal: boolean;
  /** True for a separate table: bursts of jobs in a shared table make the planner's statistics stale. */
  readonly partition: boolean;
  /**
   * True if the queue may be recreated, without its jobs, after a change of policy, which pg-boss
   * cannot change. Only for wake-ups, whose work is stored in other rows.
   */
  readonly isRemadeForPolicy: boolean;
  /** True if game servers trigger the jobs, as often as they like. Completed jobs are then deleted early. */
  readonly isBrief: boolean;
  /** Schedule in UTC. */
  readonly cron?: string;
}

type Overrides<Payload> = Pick<QueueSpec<Payload>, "group" | "payload"> &
  Partial<QueueSpec<Payload>>;

export const queue = <Payload>(spec: Overrides<Payload>): QueueSpec<Payload> => ({
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

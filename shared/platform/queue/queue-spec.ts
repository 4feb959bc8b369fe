import Joi from "joi";

/** Groups a host can scale apart: `node jobs/worker.ts imports push` works those two alone. */
export const queueGroups = ["upkeep", "mail", "imports", "push", "events"] as const;
export type QueueGroup = (typeof queueGroups)[number];

/** How a queue behaves and what its jobs carry: ids where they do, never secrets or whole rows. */
export interface QueueSpec<Payload> {
  readonly group: QueueGroup;
  readonly payload: Joi.ObjectSchema<Payload>;
  /** For each singleton key, `exclusive`: one job, waiting or active; `short`: one that waits. */
  readonly policy: "standard" | "exclusive" | "short";
  readonly retries: number;
  readonly retryDelaySeconds: number;
  /** The wait doubles from try to try, up to this; without it there is no end to that. */
  readonly retryDelayMaxSeconds?: number;
  /** An attempt that runs longer is given up and tried again. */
  readonly expireSeconds: number;
  /** Workers of one process. */
  readonly concurrency: number;
  /** Whether a process works one job about a subject at a time. */
  readonly isBySubject: boolean;
  /** Its jobs carry addresses, of mail or of machines: administrators are not shown what they carry. */
  readonly isPersonal: boolean;
  /** A table of its own: a burst in a shared one outruns the planner's statistics. */
  readonly partition: boolean;
  /**
   * Where its policy changed, which a queue cannot, it is deleted with its jobs and made anew: they only
   * wake, and rows that are looked at without any job say what is to be done.
   */
  readonly isRemadeForPolicy: boolean;
  /**
   * Whether game servers set its jobs off, as often as they like: completed ones are kept as briefly as
   * those of the clock.
   */
  readonly isBrief: boolean;
  /** When housekeeping runs by itself, in UTC. */
  readonly cron?: string;
}

type Overrides<Payload> = Pick<QueueSpec<Payload>, "group" | "payload"> &
  Partial<QueueSpec<Payload>>;

/** A queue, with what most queues have in common. */
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

/** The payload of jobs that carry none. */
export const nothing = Joi.object<Record<string, never>, true>({});

/** The id of a row. */
export const id = Joi.number().integer().positive();

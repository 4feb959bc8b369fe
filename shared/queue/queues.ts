import Joi from "joi";

import { letterNames, type MailOrder } from "../auth/letters.ts";
import type { ImportFlags } from "../imports/result.ts";

/** Groups a host can scale apart: `node jobs/worker.ts imports push` works those two alone. */
export const queueGroups = ["upkeep", "mail", "imports", "push", "events"] as const;
export type QueueGroup = (typeof queueGroups)[number];

/** How a queue behaves and what its jobs carry: ids where they do, never secrets or whole rows. */
export interface QueueSpec<Payload> {
  readonly group: QueueGroup;
  readonly payload: Joi.ObjectSchema<Payload>;
  /** `exclusive`: one job, waiting or active, for each singleton key. */
  readonly policy: "standard" | "exclusive";
  readonly retries: number;
  readonly retryDelaySeconds: number;
  /** An attempt that runs longer is given up and tried again. */
  readonly expireSeconds: number;
  /** Workers of one process. */
  readonly concurrency: number;
  /** Its jobs carry addresses, of mail or of machines: administrators are not shown what they carry. */
  readonly isPersonal: boolean;
  /** A table of its own: a burst in a shared one outruns the planner's statistics. */
  readonly partition: boolean;
  /** When housekeeping runs by itself, in UTC. */
  readonly cron?: string;
}

type Overrides<Payload> = Pick<QueueSpec<Payload>, "group" | "payload"> &
  Partial<QueueSpec<Payload>>;

const queue = <Payload>(spec: Overrides<Payload>): QueueSpec<Payload> => ({
  policy: "standard",
  retries: 3,
  retryDelaySeconds: 5,
  expireSeconds: 900,
  concurrency: 1,
  isPersonal: false,
  partition: false,
  ...spec,
});

const nothing = Joi.object<Record<string, never>, true>({});

const id = Joi.number().integer().positive();

/**
 * One import of a kind at a time. One whose worker was killed is tried once more, then ends with a
 * reason.
 */
const importQueue = queue({
  group: "imports",
  payload: Joi.object<ImportFlags>({
    force: Joi.boolean(),
    approve: Joi.boolean(),
    limit: Joi.number().integer().min(1),
  }),
  retries: 1,
  retryDelaySeconds: 1,
  expireSeconds: 3_600,
  partition: true,
});

/** CATALOGUE of queues; `jobs/registry.ts` does not compile while one lacks its job. */
export const queues = {
  "shard.prune-events": queue({
    group: "upkeep",
    payload: nothing,
    policy: "exclusive",
    cron: "17 * * * *",
  }),
  "shard.unlink-user": queue({
    group: "upkeep",
    payload: Joi.object<{ userId: number }, true>({ userId: id.required() }),
    // With the delay doubling from try to try it goes on for five days: a shard may be down long.
    retries: 14,
    retryDelaySeconds: 30,
    expireSeconds: 300,
  }),
  "ops.prune-processes": queue({
    group: "upkeep",
    payload: nothing,
    policy: "exclusive",
    cron: "41 * * * *",
  }),
  "auth.prune-credentials": queue({
    group: "upkeep",
    payload: nothing,
    policy: "exclusive",
    cron: "29 * * * *",
  }),
  "auth.order-reset-mails": queue({
    group: "mail",
    isPersonal: true,
    payload: Joi.object<{ email: string; address: string }, true>({
      email: Joi.string().max(254).required(),
      address: Joi.string().max(64).required(),
    }),
  }),
  "auth.send-mail": queue({
    group: "mail",
    isPersonal: true,
    // The letter's type says which of the two ids is its own.
    payload: Joi.object<MailOrder>({
      letter: Joi.string()
        .valid(...letterNames)
        .required(),
      userId: id,
      inviteId: id,
      email: Joi.string().max(254),
    }).xor("userId", "inviteId"),
    retries: 5,
    retryDelaySeconds: 30,
    expireSeconds: 120,
    concurrency: 2,
  }),
  "imports.atlas": importQueue,
  "imports.clilocs": importQueue,
  "imports.assets": importQueue,
  "imports.item-art": importQueue,
  "imports.prune-runs": queue({
    group: "upkeep",
    payload: nothing,
    policy: "exclusive",
    cron: "53 * * * *",
  }),
} as const;

export type QueueName = keyof typeof queues;

/** Groups that hold queues: the others are names that are kept for queues to come. */
export const groupsWithQueues: readonly QueueGroup[] = queueGroups.filter((group) =>
  Object.values(queues).some((spec) => spec.group === group),
);

export type PayloadOf<Name extends QueueName> =
  (typeof queues)[Name] extends QueueSpec<infer Payload> ? Payload : never;

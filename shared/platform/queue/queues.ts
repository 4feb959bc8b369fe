import Joi from "joi";

import { notFoundError } from "../errors/errors.ts";
import { limits } from "../limits.ts";
import { letterNames, type MailPayload } from "./mail-payloads.ts";
import {
  rowIdSchema,
  emptyPayload,
  defineQueue,
  type QueueGroup,
  queueGroups,
  type QueueSpec,
} from "./queue-spec.ts";
import { survivalQueues } from "./survival-queues.ts";

export { type QueueGroup, queueGroups, type QueueSpec } from "./queue-spec.ts";

/** The options of an import. Requests with equal options share one run. */
export interface ImportFlags {
  readonly force?: boolean | undefined;
  readonly approve?: boolean | undefined;
  /** The revision of the import's review that an administrator approves. */
  readonly basedOn?: string | undefined;
  readonly limit?: number | undefined;
  readonly serverId?: number | undefined;
  /** Scale of the rendered map, relative to the game's own. */
  readonly scale?: number | undefined;
  /** The user who requested the import, named in commands to a game server. */
  readonly userId?: number | undefined;
}

/** Runs one import of a kind at a time. It is retried once after its worker was killed. */
const importQueue = defineQueue({
  group: "imports",
  payload: Joi.object<ImportFlags>({
    force: Joi.boolean(),
    approve: Joi.boolean(),
    basedOn: Joi.string(),
    limit: Joi.number().integer().min(1),
    serverId: rowIdSchema,
    scale: Joi.number().min(0.1).max(1),
    userId: rowIdSchema,
  }),
  retries: 1,
  retryDelaySeconds: 1,
  expireSeconds: 3_600,
  partition: true,
});

/** Scheduled work without a payload, one job at a time. */
const upkeepQueue = (cron: string) =>
  defineQueue({ group: "upkeep", payload: emptyPayload, policy: "exclusive", cron });

/** Runs one import per survival server at a time, so that a slow server does not delay others. */
const mapQueue = { ...importQueue, expireSeconds: 120, concurrency: 4 };

/** All data of an unban: the appeal and the user who decided it may be deleted before the job runs. */
export interface UnbanPayload {
  readonly appealId: number;
  readonly account?: string | undefined;
  readonly decidedAt?: string | undefined;
  readonly decidedBy?: number | null | undefined;
}

/** CATALOGUE of queues. `jobs/registry.ts` does not compile if a queue has no job. */
export const queues = {
  "shard.prune-events": upkeepQueue("17 * * * *"),
  "shard.unlink-user": defineQueue({
    group: "upkeep",
    payload: Joi.object<{ userId: number }, true>({ userId: rowIdSchema.required() }),
    // With doubling delays, these retries last five days: a shard may be down for long.
    retries: 14,
    retryDelaySeconds: 30,
    expireSeconds: 300,
  }),
  "appeals.unban": defineQueue({
    group: "upkeep",
    // Jobs of the previous release contain only the appeal's id.
    payload: Joi.object<UnbanPayload>({
      appealId: rowIdSchema.required(),
      account: Joi.string(),
      decidedAt: Joi.string().isoDate(),
      decidedBy: rowIdSchema.allow(null),
    }),
    policy: "exclusive",
    // Retry every five minutes for a day. The shard recognizes a repeated command for that long.
    retries: 300,
    retryDelaySeconds: 5,
    retryDelayMaxSeconds: 300,
    expireSeconds: 60,
  }),
  "ops.prune-plugins": upkeepQueue("*/5 * * * *"),
  "ops.prune-processes": upkeepQueue("41 * * * *"),
  "ops.prune-jobs": upkeepQueue("37 * * * *"),
  "auth.prune-credentials": upkeepQueue("29 * * * *"),
  "auth.forget-successors": defineQueue({
    group: "upkeep",
    payload: emptyPayload,
    policy: "exclusive",
    expireSeconds: 60,
    cron: "* * * * *",
  }),
  "auth.check-providers": defineQueue({
    group: "upkeep",
    payload: emptyPayload,
    policy: "exclusive",
    expireSeconds: 60,
    cron: "*/5 * * * *",
  }),
  "site.prune-activity": upkeepQueue("5 3 * * *"),
  "content.announce-posts": defineQueue({
    group: "upkeep",
    payload: emptyPayload,
    // Each scheduled post has a job at its time. This schedule finds posts whose job was lost.
    cron: "11 * * * *",
  }),
  "content.render-texts": upkeepQueue("3 * * * *"),
  "content.prune-words": upkeepQueue("35 3 * * *"),
  "auth.order-reset-mails": defineQueue({
    group: "mail",
    isPersonal: true,
    payload: Joi.object<{ email: string; address: string }, true>({
      email: Joi.string().max(254).required(),
      address: Joi.string().max(64).required(),
    }),
  }),
  "auth.send-mail": defineQueue({
    group: "mail",
    isPersonal: true,
    // The mail's name, `letter`, determines which of the two ids is required.
    payload: Joi.object<MailPayload>({
      letter: Joi.string()
        .valid(...letterNames)
        .required(),
      userId: rowIdSchema,
      inviteId: rowIdSchema,
      email: Joi.string().max(254),
    }).xor("userId", "inviteId"),
    retries: 5,
    retryDelaySeconds: 30,
    expireSeconds: 120,
    concurrency: 2,
  }),
  "push.dispatch": defineQueue({
    group: "push",
    payload: Joi.object<{ pushId: number }, true>({ pushId: rowIdSchema.required() }),
    retries: 5,
    retryDelaySeconds: 1,
    concurrency: 2,
    partition: true,
    isBrief: true,
  }),
  "push.send": defineQueue({
    group: "push",
    // Only wakes a worker: the table of messages shows which messages wait for the relay.
    payload: Joi.object<{ origin: string }, true>({ origin: Joi.string().max(2_048).required() }),
    retries: 5,
    retryDelaySeconds: 1,
    expireSeconds: 300,
    // More than the number of relays, so that a dead relay blocks only one job slot of a process.
    concurrency: 8,
    partition: true,
    isBrief: true,
  }),
  "push.sweep": defineQueue({
    group: "push",
    payload: emptyPayload,
    policy: "exclusive",
    cron: "* * * * *",
  }),
  "market.match": defineQueue({
    group: "push",
    // Only wakes a worker: the tables show which market data is new.
    payload: emptyPayload,
    policy: "short",
    retries: 5,
    retryDelaySeconds: 1,
    cron: "* * * * *",
  }),
  "webhook.dispatch": defineQueue({
    group: "push",
    payload: Joi.object<{ pushId: number }, true>({ pushId: rowIdSchema.required() }),
    retries: 5,
    retryDelaySeconds: 1,
    isBrief: true,
  }),
  "webhook.send": defineQueue({
    group: "push",
    // Only wakes a worker: the table of messages shows which messages wait for the webhook.
    payload: Joi.object<{ webhookId: number }, true>({ webhookId: rowIdSchema.required() }),
    retries: 5,
    retryDelaySeconds: 1,
    expireSeconds: 300,
    // The maximum number of webhooks, so that a dead webhook blocks only one job slot of a process.
    concurrency: limits.webhooks,
    isBrief: true,
  }),
  "event.step": defineQueue({
    group: "events",
    // Only wakes a worker: the step's row shows if the step is due. One waiting job per step is enough.
    payload: Joi.object<{ stepId: number }, true>({ stepId: rowIdSchema.required() }),
    policy: "short",
    isRemadeForPolicy: true,
    retryDelaySeconds: 1,
    expireSeconds: 660,
    concurrency: 8,
    partition: true,
    isBrief: true,
  }),
  "event.trigger": defineQueue({
    group: "events",
    // Only wakes a worker: the run and the stored events show which events the end condition of a phase has not
    // counted.
    payload: Joi.object<{ kinds: string[] }, true>({
      kinds: Joi.array().items(Joi.string().required()).required(),
    }),
    retryDelaySeconds: 1,
    expireSeconds: 300,
    partition: true,
    isBrief: true,
  }),
  "event.materialise": defineQueue({
    group: "events",
    payload: emptyPayload,
    policy: "exclusive",
    cron: "7 * * * *",
  }),
  ...survivalQueues,
  "imports.atlas": importQueue,
  "imports.clilocs": importQueue,
  "imports.assets": importQueue,
  "imports.item-art": importQueue,
  "imports.map": mapQueue,
  "imports.map-render": mapQueue,
  "imports.prune-runs": upkeepQueue("53 * * * *"),
} as const;

export type QueueName = keyof typeof queues;

/** Returns the name if the catalogue has such a queue. @throws AppError 404 for an unknown queue */
export function findQueue(name: string): QueueName {
  if (!Object.hasOwn(queues, name)) throw notFoundError("Unknown queue");
  return name as QueueName;
}

/** Groups with queues. The other groups are reserved for later queues. */
export const groupsWithQueues: readonly QueueGroup[] = queueGroups.filter((group) =>
  Object.values(queues).some((spec) => spec.group === group),
);

export type PayloadOf<Name extends QueueName> =
  (typeof queues)[Name] extends QueueSpec<infer Payload> ? Payload : never;

import Joi from "joi";

import { rowIdSchema, emptyPayload, queue } from "./queue-spec.ts";

export const survivalQueues = {
  "survival.hold-zones": queue({
    group: "events",
    // A wake-up: the rows say which zones are held and for how long. Without a server it is for all.
    payload: Joi.object<{ serverId?: number }>({ serverId: rowIdSchema }),
    policy: "short",
    retries: 5,
    retryDelaySeconds: 1,
    expireSeconds: 60,
    // One worker per server, so that a server that does not respond blocks only one of the workers.
    concurrency: 4,
    isBySubject: true,
    cron: "* * * * *",
  }),
  "survival.deliver-kits": queue({
    group: "events",
    // A wake-up: the rows say which kits wait. Without a server it is for all.
    payload: Joi.object<{ serverId?: number }>({ serverId: rowIdSchema }),
    policy: "short",
    retries: 5,
    retryDelaySeconds: 1,
    expireSeconds: 300,
    // So that a server that does not respond blocks only one of the workers.
    concurrency: 4,
    isBySubject: true,
    cron: "* * * * *",
  }),
  "survival.fetch-map": queue({
    group: "imports",
    payload: Joi.object<{ serverId: number; hash: string }, true>({
      serverId: rowIdSchema.required(),
      hash: Joi.string().hex().length(64).required(),
    }),
    policy: "exclusive",
    // With doubling delays, the retries last an hour.
    retries: 9,
    retryDelaySeconds: 5,
    expireSeconds: 120,
    concurrency: 4,
    isBySubject: true,
    isBrief: true,
  }),
  "survival.push": queue({
    group: "events",
    // A wake-up: the rows say what the server lacks.
    payload: Joi.object<{ serverId: number; name: string }, true>({
      serverId: rowIdSchema.required(),
      name: Joi.string().max(64).required(),
    }),
    policy: "short",
    retryDelaySeconds: 1,
    expireSeconds: 300,
    concurrency: 8,
    // So that a server that does not respond blocks only one of the workers.
    isBySubject: true,
    isBrief: true,
  }),
  "survival.sweep-pushes": queue({
    group: "events",
    payload: emptyPayload,
    policy: "exclusive",
    cron: "* * * * *",
  }),
  "survival.titles": queue({
    group: "events",
    // A wake-up: the rows say what players did.
    payload: Joi.object<{ serverId: number }, true>({ serverId: rowIdSchema.required() }),
    policy: "short",
    retryDelaySeconds: 1,
    expireSeconds: 60,
    isBrief: true,
  }),
  "survival.expire-grants": queue({
    group: "upkeep",
    payload: emptyPayload,
    // Each grant has a job at its end. The schedule finds grants whose job was lost.
    cron: "* * * * *",
  }),
  "survival.keep-standings": queue({
    group: "upkeep",
    payload: emptyPayload,
    policy: "exclusive",
    expireSeconds: 900,
    // After a world ends or a server is hidden, totals must be recomputed.
    cron: "* * * * *",
  }),
  "survival.prune-happenings": queue({
    group: "upkeep",
    payload: emptyPayload,
    policy: "exclusive",
    cron: "47 * * * *",
  }),
  "survival.settle-writes": queue({
    group: "upkeep",
    payload: emptyPayload,
    // Each configuration write has a job at its time. The schedule finds writes whose job was lost.
    cron: "23 * * * *",
  }),
} as const;

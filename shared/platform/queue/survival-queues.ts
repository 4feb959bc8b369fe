import Joi from "joi";

import { rowIdSchema, emptyPayload, defineQueue } from "./queue-spec.ts";

export const survivalQueues = {
  "survival.hold-zones": defineQueue({
    group: "events",
    // Only wakes a worker: the table of leases shows which zones are open. Without `serverId`, the job is for all
    // servers.
    payload: Joi.object<{ serverId?: number }>({ serverId: rowIdSchema }),
    policy: "short",
    retries: 5,
    retryDelaySeconds: 1,
    expireSeconds: 60,
    // At most one job per server runs at a time, so a server that does not respond blocks only one job slot.
    concurrency: 4,
    isBySubject: true,
    cron: "* * * * *",
  }),
  "survival.deliver-kits": defineQueue({
    group: "events",
    // Only wakes a worker: the table of kits shows which kits wait. Without `serverId`, the job is for all
    // servers.
    payload: Joi.object<{ serverId?: number }>({ serverId: rowIdSchema }),
    policy: "short",
    retries: 5,
    retryDelaySeconds: 1,
    expireSeconds: 300,
    // At most one job per server runs at a time, so a server that does not respond blocks only one job slot.
    concurrency: 4,
    isBySubject: true,
    cron: "* * * * *",
  }),
  "survival.fetch-map": defineQueue({
    group: "imports",
    payload: Joi.object<{ serverId: number; hash: string }, true>({
      serverId: rowIdSchema.required(),
      hash: Joi.string().hex().length(64).required(),
    }),
    policy: "exclusive",
    // With doubling delays, these retries last an hour.
    retries: 9,
    retryDelaySeconds: 5,
    expireSeconds: 120,
    concurrency: 4,
    isBySubject: true,
    isBrief: true,
  }),
  "survival.push": defineQueue({
    group: "events",
    // Only wakes a worker: the tables show which data the server lacks.
    payload: Joi.object<{ serverId: number; name: string }, true>({
      serverId: rowIdSchema.required(),
      name: Joi.string().max(64).required(),
    }),
    policy: "short",
    retryDelaySeconds: 1,
    expireSeconds: 300,
    concurrency: 8,
    // At most one job per server runs at a time, so a server that does not respond blocks only one job slot.
    isBySubject: true,
    isBrief: true,
  }),
  "survival.sweep-pushes": defineQueue({
    group: "events",
    payload: emptyPayload,
    policy: "exclusive",
    cron: "* * * * *",
  }),
  "survival.titles": defineQueue({
    group: "events",
    // Only wakes a worker: the tables contain the players' statistics.
    payload: Joi.object<{ serverId: number }, true>({ serverId: rowIdSchema.required() }),
    policy: "short",
    retryDelaySeconds: 1,
    expireSeconds: 60,
    isBrief: true,
  }),
  "survival.expire-grants": defineQueue({
    group: "upkeep",
    payload: emptyPayload,
    // Each grant has a job at its end. This schedule finds grants whose job was lost.
    cron: "* * * * *",
  }),
  "survival.keep-standings": defineQueue({
    group: "upkeep",
    payload: emptyPayload,
    policy: "exclusive",
    expireSeconds: 900,
    // Totals must be computed again after a world ends or a server is hidden.
    cron: "* * * * *",
  }),
  "survival.prune-happenings": defineQueue({
    group: "upkeep",
    payload: emptyPayload,
    policy: "exclusive",
    cron: "47 * * * *",
  }),
  "survival.settle-writes": defineQueue({
    group: "upkeep",
    payload: emptyPayload,
    // Each configuration write has a job at its deadline. This schedule finds writes whose job was lost.
    cron: "23 * * * *",
  }),
} as const;

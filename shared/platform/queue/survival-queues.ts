import Joi from "joi";

import { id, nothing, queue } from "./queue-spec.ts";

/** Queues of the survival servers. */
export const survivalQueues = {
  "survival.hold-zones": queue({
    group: "events",
    // A wake-up: which zones are held, and how long, is told by their rows. Without a server for all.
    payload: Joi.object<{ serverId?: number }>({ serverId: id }),
    policy: "short",
    retries: 5,
    retryDelaySeconds: 1,
    expireSeconds: 60,
    // More than one, and one for each server: what a server that does not answer holds is one worker.
    concurrency: 4,
    isBySubject: true,
    cron: "* * * * *",
  }),
  "survival.deliver-kits": queue({
    group: "events",
    // A wake-up: what waits for the game is told by its rows. Without a server for all.
    payload: Joi.object<{ serverId?: number }>({ serverId: id }),
    policy: "short",
    retries: 5,
    retryDelaySeconds: 1,
    expireSeconds: 300,
    // More than one, and one for each server: what a server that does not answer holds is one worker.
    concurrency: 4,
    isBySubject: true,
    cron: "* * * * *",
  }),
  "survival.fetch-map": queue({
    group: "imports",
    payload: Joi.object<{ serverId: number; hash: string }, true>({
      serverId: id.required(),
      hash: Joi.string().hex().length(64).required(),
    }),
    policy: "exclusive",
    // With the delay doubling from try to try it goes on for an hour.
    retries: 9,
    retryDelaySeconds: 5,
    expireSeconds: 120,
    concurrency: 4,
    isBySubject: true,
    isBrief: true,
  }),
  "survival.push": queue({
    group: "events",
    // A wake-up: what the server lacks is told by rows.
    payload: Joi.object<{ serverId: number; name: string }, true>({
      serverId: id.required(),
      name: Joi.string().max(64).required(),
    }),
    policy: "short",
    retryDelaySeconds: 1,
    expireSeconds: 300,
    concurrency: 8,
    // What a server that does not answer holds is one worker of a process.
    isBySubject: true,
    isBrief: true,
  }),
  "survival.sweep-pushes": queue({
    group: "events",
    payload: nothing,
    policy: "exclusive",
    cron: "* * * * *",
  }),
  "survival.titles": queue({
    group: "events",
    // A wake-up: what players have done is told by rows.
    payload: Joi.object<{ serverId: number }, true>({ serverId: id.required() }),
    policy: "short",
    retryDelaySeconds: 1,
    expireSeconds: 60,
    isBrief: true,
  }),
  "survival.expire-grants": queue({
    group: "upkeep",
    payload: nothing,
    // Each grant has a job at its end; the clock finds what one of them missed.
    cron: "* * * * *",
  }),
  "survival.keep-standings": queue({
    group: "upkeep",
    payload: nothing,
    policy: "exclusive",
    expireSeconds: 900,
    // A world that ended and a server that was hidden leave totals to be summed anew.
    cron: "* * * * *",
  }),
  "survival.prune-happenings": queue({
    group: "upkeep",
    payload: nothing,
    policy: "exclusive",
    cron: "47 * * * *",
  }),
  "survival.settle-writes": queue({
    group: "upkeep",
    payload: nothing,
    // Each configuration write has a job at its time; the clock finds what one of them missed.
    cron: "23 * * * *",
  }),
} as const;

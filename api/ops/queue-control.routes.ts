import Joi from "joi";

import { discardFailedJobs, retryFailedJobs } from "../../shared/job-records/failed-jobs.ts";
import { pauseQueue, resumeQueue } from "../../shared/job-records/paused-queues.ts";
import { route } from "../http/route.ts";

const common = { method: "post", gate: "roles:admin", set: "additive", tag: "Operations" } as const;

const params = Joi.object<{ queue: string }, true>({
  queue: Joi.string()
    .max(64)
    .required()
    .description("A queue's name, as the list of queues has it."),
});

const answersQueue = { 200: { enveloped: "queue", shape: "QueueHealth" }, 404: "Error" } as const;

/** What is done to a queue as a whole. */
export const queueControlRoutes = [
  route({
    ...common,
    path: "/api/v1/admin/jobs/queues/:queue/pause",
    summary: "Have workers take nothing more from a queue",
    description:
      "What runs goes on to its end; once this is answered no worker starts another job of it, whenever it came. An import of a paused queue is refused as `unavailable`. A queue that is paused already stays so.",
    params,
    answers: answersQueue,
    handle: async ({ params: { queue }, caller }, context) => ({
      queue: await pauseQueue(queue, caller, context),
    }),
  }),
  route({
    ...common,
    path: "/api/v1/admin/jobs/queues/:queue/resume",
    summary: "Have workers take jobs from a queue again",
    params,
    answers: answersQueue,
    handle: async ({ params: { queue }, caller }, context) => ({
      queue: await resumeQueue(queue, caller, context),
    }),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     RetriedJobs:
   *       type: object
   *       additionalProperties: false
   *       required: [retried]
   *       properties:
   *         retried: { type: integer, minimum: 0 }
   */
  route({
    ...common,
    path: "/api/v1/admin/jobs/queues/:queue/retry-failed",
    summary: "Run every failed job of a queue again",
    description:
      "Of equal jobs of an exclusive queue the newest alone, and none beside one that waits or runs: the others stay failed. 409 when an equal job comes at the same moment.",
    params,
    answers: { 200: "RetriedJobs", 404: "Error", 409: "Error" },
    handle: async ({ params: { queue }, caller }, context) => ({
      retried: await retryFailedJobs(queue, caller, context),
    }),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     DiscardedJobs:
   *       type: object
   *       additionalProperties: false
   *       required: [discarded]
   *       properties:
   *         discarded: { type: integer, minimum: 0 }
   */
  route({
    ...common,
    path: "/api/v1/admin/jobs/queues/:queue/discard-failed",
    summary: "Remove every failed job of a queue",
    params,
    answers: { 200: "DiscardedJobs", 404: "Error" },
    handle: async ({ params: { queue }, caller }, context) => ({
      discarded: await discardFailedJobs(queue, caller, context),
    }),
  }),
];

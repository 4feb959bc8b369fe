import Joi from "joi";

import { discardFailedJobs, retryFailedJobs } from "../../shared/job-records/failed-jobs.ts";
import { pauseQueue, resumeQueue } from "../../shared/job-records/paused-queues.ts";
import { route } from "../http/route.ts";

const common = { method: "post", gate: "roles:admin", set: "additive", tag: "Operations" } as const;

const params = Joi.object<{ queue: string }, true>({
  queue: Joi.string()
    .max(64)
    .required()
    .description("Name of the queue, as the list of queues returns it."),
});

const answersQueue = { 200: { enveloped: "queue", shape: "QueueHealth" }, 404: "Error" } as const;

/** What is done to a queue as a whole. */
export const queueControlRoutes = [
  route({
    ...common,
    path: "/api/v1/admin/jobs/queues/:queue/pause",
    summary: "Pause a queue",
    description:
      "After the response no worker starts a job of the queue; jobs that run go on to their " +
      "end. Imports of the queue end with status `unavailable`. A repeat changes nothing. 404 " +
      "`not_found` for an unknown queue. The activity log records it as `queue.paused`.",
    params,
    answers: answersQueue,
    handle: async ({ params: { queue }, caller }, context) => ({
      queue: await pauseQueue(queue, caller, context),
    }),
  }),
  route({
    ...common,
    path: "/api/v1/admin/jobs/queues/:queue/resume",
    summary: "Resume a queue",
    description:
      "Workers take jobs from the queue again. For a queue that is not paused nothing changes. " +
      "404 `not_found` for an unknown queue. The activity log records it as `queue.resumed`.",
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
    summary: "Retry all failed jobs of a queue",
    description:
      "Puts the failed jobs back into the queue and returns their number. Of equal jobs in a " +
      "queue that takes only one of them at a time, only the newest is retried, and none if one " +
      "waits or runs; the others stay failed. 404 `not_found` for an unknown queue, 409 " +
      "`job_is_queued` if an equal job arrives at the same moment: repeat the request. The " +
      "activity log records it as `queue.failed_retried`.",
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
    summary: "Delete all failed jobs of a queue",
    description:
      "Deletes the failed jobs with their progress and returns their number; a repeat returns " +
      "0. 404 `not_found` for an unknown queue. The activity log records it as " +
      "`queue.failed_discarded`.",
    params,
    answers: { 200: "DiscardedJobs", 404: "Error" },
    handle: async ({ params: { queue }, caller }, context) => ({
      discarded: await discardFailedJobs(queue, caller, context),
    }),
  }),
];

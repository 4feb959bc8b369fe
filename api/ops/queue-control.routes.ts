import Joi from "joi";

import {
  discardFailedJobs,
  retryFailedJobs,
} from "../../shared/platform/job-records/failed-jobs.ts";
import { pauseQueue, resumeQueue } from "../../shared/platform/job-records/paused-queues.ts";
import { defineRoute } from "../http/route.ts";

const common = { method: "post", gate: "roles:admin", set: "additive", tag: "Operations" } as const;

const params = Joi.object<{ queue: string }, true>({
  queue: Joi.string()
    .max(64)
    .required()
    .description("Name of the queue, as `GET /admin/jobs` returns it."),
});

const answersQueue = { 200: { enveloped: "queue", shape: "QueueHealth" }, 404: "Error" } as const;

export const queueControlRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     QueueHealth:
   *       type: object
   *       additionalProperties: false
   *       required: [name, group, depth, retrying, active, failed, cancelled, oldestSeconds, completedLastHour, failedLastHour, workers, schedule, scheduleInWords, paused]
   *       properties:
   *         name: { type: string, example: shard.prune-events }
   *         group: { $ref: '#/components/schemas/QueueGroup' }
   *         depth:
   *           type: integer
   *           description: Number of waiting jobs, including jobs that are not due yet.
   *         retrying:
   *           type: integer
   *           description: Number of waiting jobs that failed before and will be retried.
   *         active: { type: integer, description: Number of running jobs. }
   *         failed: { type: integer }
   *         cancelled: { type: integer }
   *         oldestSeconds:
   *           type: integer
   *           nullable: true
   *           description: >-
   *             How many seconds the oldest due job has been waiting. Null if no job is due.
   *         completedLastHour: { type: integer }
   *         failedLastHour: { type: integer }
   *         workers:
   *           type: integer
   *           description: Number of running processes that run jobs of the queue's group.
   *         schedule:
   *           type: string
   *           nullable: true
   *           description: >-
   *             When jobs are created automatically: a cron expression in UTC. Null for a queue
   *             without a schedule.
   *         scheduleInWords:
   *           type: string
   *           nullable: true
   *           description: The schedule in words, in UTC. Null for a queue without a schedule.
   *           example: At 17 minutes past the hour
   *         paused:
   *           type: object
   *           nullable: true
   *           description: When and by whom the queue was paused. Null if the queue is not paused.
   *           additionalProperties: false
   *           required: [at, by]
   *           properties:
   *             at: { type: string, format: date-time }
   *             by:
   *               type: string
   *               nullable: true
   *               description: >-
   *                 Username of the administrator who paused the queue. Null if the account was
   *                 deleted.
   */
  defineRoute({
    ...common,
    path: "/api/v1/admin/jobs/queues/:queue/pause",
    summary: "Pause a queue",
    description:
      "After the response, no worker starts a job of the queue until the queue is resumed. " +
      "Running jobs continue to their end. While the queue of an import is paused, requests for " +
      "the import return the status `unavailable`. If the queue is already paused, nothing " +
      "changes. 404 `not_found` if the queue is unknown. The activity log records the request as " +
      "`queue.paused`.",
    params,
    answers: answersQueue,
    handle: async ({ params: { queue }, caller }, context) => ({
      queue: await pauseQueue(queue, caller, context),
    }),
  }),
  defineRoute({
    ...common,
    path: "/api/v1/admin/jobs/queues/:queue/resume",
    summary: "Resume a queue",
    description:
      "Workers start jobs of the queue again. If the queue is not paused, nothing changes. 404 " +
      "`not_found` if the queue is unknown. The activity log records the request as " +
      "`queue.resumed`.",
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
  defineRoute({
    ...common,
    path: "/api/v1/admin/jobs/queues/:queue/retry-failed",
    summary: "Retry all failed jobs of a queue",
    description:
      "Puts the failed jobs back into the queue and returns how many it put back. If the queue " +
      "accepts only one of several equal jobs, the operation retries the newest of them, or none " +
      "while an equal job is waiting or running. The other equal jobs stay failed. 404 " +
      "`not_found` if the queue is unknown. 409 `job_is_queued` if an equal job is added to the " +
      "queue during the request: repeat the request. The activity log records the request as " +
      "`queue.failed_retried`.",
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
  defineRoute({
    ...common,
    path: "/api/v1/admin/jobs/queues/:queue/discard-failed",
    summary: "Delete all failed jobs of a queue",
    description:
      "Deletes the failed jobs of the queue, including their progress, and returns their number. " +
      "If the queue has no failed jobs, returns 0. 404 `not_found` if the queue is unknown. The " +
      "activity log records the request as `queue.failed_discarded`.",
    params,
    answers: { 200: "DiscardedJobs", 404: "Error" },
    handle: async ({ params: { queue }, caller }, context) => ({
      discarded: await discardFailedJobs(queue, caller, context),
    }),
  }),
];

import Joi from "joi";

import { readQueueReport } from "../../shared/ops/site-facts.ts";
import { type JobState, jobStates } from "../../shared/platform/job-records/job-states.ts";
import { cancelJob, listJobs, readJob, retryJob } from "../../shared/platform/job-records/jobs.ts";
import { limits } from "../../shared/platform/limits.ts";
import { type QueueName, queues } from "../../shared/platform/queue/queues.ts";
import { limitField, uuidField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";

const byId = Joi.object<{ id: string }, true>({
  id: uuidField.required().description("Id of the job."),
});

export const jobsRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     ImportReview:
   *       type: object
   *       description: An import that would remove something and waits for approval.
   *       additionalProperties: false
   *       required: [kind, queue, jobId, reason, finishedAt]
   *       properties:
   *         kind: { $ref: '#/components/schemas/ImportName' }
   *         queue: { type: string, example: imports.atlas }
   *         jobId: { type: string, format: uuid, description: Id of the job whose result waits for approval. }
   *         reason:
   *           type: string
   *           nullable: true
   *           description: Description of what the import would remove.
   *         finishedAt: { type: string, format: date-time }
   */
  /**
   * @openapi
   * components:
   *   schemas:
   *     QueueReport:
   *       description: >-
   *         If the request has no `state`, the response contains the queues. If the request has a
   *         `state`, the response contains the jobs in this state.
   *       oneOf:
   *         - $ref: '#/components/schemas/QueueStates'
   *         - $ref: '#/components/schemas/JobList'
   *     QueueStates:
   *       type: object
   *       additionalProperties: false
   *       required: [queues, workers, reviews]
   *       properties:
   *         queues: { type: array, items: { $ref: '#/components/schemas/QueueHealth' } }
   *         workers:
   *           type: array
   *           description: Running processes of the service, of all kinds.
   *           items: { $ref: '#/components/schemas/SeenProcess' }
   *         reviews:
   *           type: array
   *           description: Imports that wait for approval.
   *           items: { $ref: '#/components/schemas/ImportReview' }
   *     SeenProcess:
   *       type: object
   *       additionalProperties: false
   *       required: [id, kind, queueGroups, host, pid, version, startedAt, seenAt]
   *       properties:
   *         id: { type: string, format: uuid }
   *         kind: { $ref: '#/components/schemas/ProcessKind' }
   *         queueGroups:
   *           type: array
   *           description: Groups of queues whose jobs the worker runs. Empty for other processes.
   *           items: { $ref: '#/components/schemas/QueueGroup' }
   *         host: { type: string }
   *         pid: { type: integer }
   *         version: { type: string }
   *         startedAt: { type: string, format: date-time }
   *         seenAt:
   *           type: string
   *           format: date-time
   *           description: >-
   *             Time of the last heartbeat of the process. Processes send a heartbeat every 5
   *             seconds.
   *     JobList:
   *       type: object
   *       additionalProperties: false
   *       required: [jobs, groups]
   *       properties:
   *         jobs: { type: array, items: { $ref: '#/components/schemas/Job' } }
   *         groups:
   *           type: array
   *           description: >-
   *             Jobs of the requested state, grouped by queue and error message, at most 100 groups.
   *             The group with the latest failure comes first. Empty unless the requested state is
   *             `failed` or `retry`.
   *           items: { $ref: '#/components/schemas/EqualFailures' }
   *     EqualFailures:
   *       type: object
   *       description: >-
   *         All jobs of one queue and state that failed with the same error message, including jobs
   *         that `jobs` does not list.
   *       additionalProperties: false
   *       required: [queue, error, jobs, firstAt, lastAt, newestJobId]
   *       properties:
   *         queue: { type: string }
   *         error: { type: string, nullable: true, description: Error message of the jobs. Null if the jobs have no error message. }
   *         jobs: { type: integer, minimum: 1, description: Number of jobs in the group. }
   *         firstAt:
   *           type: string
   *           format: date-time
   *           description: Time of the earliest failure in the group.
   *         lastAt: { type: string, format: date-time, description: Time of the latest failure in the group. }
   *         newestJobId: { type: string, format: uuid }
   */
  defineRoute({
    method: "get",
    path: "/api/v1/admin/jobs",
    gate: "roles:admin",
    set: "additive",
    tag: "Operations",
    summary: "List the queues, or the jobs in a state",
    description:
      "If `state` is absent, returns every queue with its counts, the running processes of the " +
      "service, and the imports that wait for approval. If `state` is present, returns up to " +
      "`limit` jobs in this state, newest first. For the states `failed` and `retry`, `groups` " +
      "also contains the number of jobs for each error message.",
    query: Joi.object<{ state?: JobState; queue?: QueueName; limit: number }, true>({
      state: Joi.string()
        .valid(...jobStates)
        .description(
          "State of a job. If present, the response contains the jobs in this state instead of " +
            "the queues.",
        ),
      queue: Joi.string()
        .valid(...Object.keys(queues))
        .description(
          "Name of a queue. Together with `state`, returns only jobs of this queue. Ignored " +
            "without `state`.",
        ),
      limit: limitField(limits.jobPage).description(
        "Maximum number of jobs to return if `state` is present. Default: 100. Maximum: 500.",
      ),
    }),
    answers: { 200: "QueueReport" },
    handle: ({ query: { state, ...query } }, context) =>
      state ? listJobs({ state, ...query }, context.sequelize) : readQueueReport(context),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     Job:
   *       type: object
   *       additionalProperties: false
   *       required: [id, queue, state, data, output, attempts, retryLimit, createdAt, startedAt, completedAt, nextTryAt, progress]
   *       properties:
   *         id: { type: string, format: uuid }
   *         queue: { type: string }
   *         state: { $ref: '#/components/schemas/JobState' }
   *         data:
   *           type: object
   *           nullable: true
   *           description: Input of the job. Null if the input contains personal data.
   *           additionalProperties: true
   *         output:
   *           type: object
   *           nullable: true
   *           description: Result or error of the job. Null until the job has a result or an error.
   *           additionalProperties: true
   *         attempts: { type: integer, description: 'Number of attempts so far, including the running attempt.' }
   *         retryLimit: { type: integer, description: Maximum number of retries after the first attempt. }
   *         createdAt: { type: string, format: date-time }
   *         startedAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: Start of the latest attempt.
   *         completedAt: { type: string, format: date-time, nullable: true }
   *         nextTryAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: Earliest start of the next attempt. Null if the job is not waiting.
   *         progress: { $ref: '#/components/schemas/JobProgress' }
   *     JobProgress:
   *       type: object
   *       nullable: true
   *       description: Progress of the job. Null if the job has not reported any progress.
   *       additionalProperties: false
   *       required: [phase, done, total, unit, startedAt, updatedAt]
   *       properties:
   *         phase: { type: string, description: Part of the work that the job is doing now. }
   *         done: { type: integer, description: 'Amount of work that is done, counted in `unit`.' }
   *         total: { type: integer, nullable: true, description: 'Total amount of work, counted in `unit`. Null while unknown.' }
   *         unit: { $ref: '#/components/schemas/ProgressUnit' }
   *         startedAt: { type: string, format: date-time }
   *         updatedAt: { type: string, format: date-time }
   */
  defineRoute({
    method: "get",
    path: "/api/v1/admin/jobs/:id",
    gate: "roles:admin",
    set: "additive",
    tag: "Operations",
    summary: "Get a job",
    description:
      "Returns the job with its progress. After the job has ended, `output` contains its result " +
      "or error. 404 `not_found` if the job is unknown or was deleted; the service deletes " +
      "completed jobs after some time.",
    params: byId,
    answers: { 200: { enveloped: "job", shape: "Job" }, 404: "Error" },
    handle: async ({ params }, { sequelize }) => ({ job: await readJob(params.id, sequelize) }),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/admin/jobs/:id/retry",
    gate: "roles:admin",
    set: "additive",
    tag: "Operations",
    summary: "Retry a failed or canceled job",
    description:
      "Puts the job back into its queue and returns the job. 404 `not_found` if the job is " +
      "unknown. 409 `job_state` if the state of the job is neither `failed` nor `cancelled`, for " +
      "example because the job is already being retried. 409 `job_is_queued` if the queue " +
      "accepts only one of several equal jobs and an equal job is already waiting or running. " +
      "The activity log records the request as `job.retried`.",
    params: byId,
    answers: { 200: { enveloped: "job", shape: "Job" }, 404: "Error", 409: "Error" },
    handle: async ({ params, caller }, context) => ({
      job: await retryJob(params.id, caller, context),
    }),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/admin/jobs/:id/cancel",
    gate: "roles:admin",
    set: "additive",
    tag: "Operations",
    summary: "Cancel a job",
    description:
      "Cancels a waiting or running job and returns the job. A running import stops at its next " +
      "progress report and does not apply the rest of the import. Any other running job " +
      "continues to its end, but is not retried if it fails. 404 `not_found` if the job is " +
      "unknown. 409 `job_state` if the job has ended or was already canceled, or if its import " +
      "is complete. The activity log records the request as `job.cancelled`.",
    params: byId,
    answers: { 200: { enveloped: "job", shape: "Job" }, 404: "Error", 409: "Error" },
    handle: async ({ params, caller }, context) => ({
      job: await cancelJob(params.id, caller, context),
    }),
  }),
];

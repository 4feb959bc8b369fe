import Joi from "joi";

import { type JobState, jobStates } from "../../shared/job-records/job-states.ts";
import { cancelJob, listJobs, readJob, retryJob } from "../../shared/job-records/jobs.ts";
import { readQueueHealth } from "../../shared/job-records/queue-health.ts";
import { limits } from "../../shared/limits.ts";
import { type QueueName, queues } from "../../shared/queue/queues.ts";
import { limitField, uuidField } from "../http/fields.ts";
import { route } from "../http/route.ts";

const byId = Joi.object<{ id: string }, true>({
  id: uuidField.required().description("Id of the job."),
});

export const jobsRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     QueueReport:
   *       description: >-
   *         Without `state`, the state of the queues. With `state`, the jobs in that state.
   *       oneOf:
   *         - $ref: '#/components/schemas/QueueStates'
   *         - $ref: '#/components/schemas/JobList'
   */
  route({
    method: "get",
    path: "/api/v1/admin/jobs",
    gate: "roles:admin",
    set: "additive",
    tag: "Operations",
    summary: "List the queues, or the jobs in a state",
    description:
      "Without `state`, returns every queue with its counts, the live processes, and the imports " +
      "that wait for approval. With `state`, returns up to `limit` jobs in that state, newest " +
      "first. For `failed` and `retry`, the response also contains the number of jobs for each " +
      "error.",
    query: Joi.object<{ state?: JobState; queue?: QueueName; limit: number }, true>({
      state: Joi.string()
        .valid(...jobStates)
        .description("State of a job. Returns the jobs in this state instead of the queues."),
      queue: Joi.string()
        .valid(...Object.keys(queues))
        .description("Name of a queue. With `state`, returns only jobs of this queue."),
      limit: limitField(limits.jobPage).description(
        "Maximum number of jobs to return with `state`.",
      ),
    }),
    answers: { 200: "QueueReport" },
    handle: ({ query: { state, ...query } }, context) =>
      state ? listJobs({ state, ...query }, context.sequelize) : readQueueHealth(context),
  }),
  route({
    method: "get",
    path: "/api/v1/admin/jobs/:id",
    gate: "roles:admin",
    set: "additive",
    tag: "Operations",
    summary: "Get a job",
    description:
      "Returns the job with its progress. After the job has ended, `output` contains its result. " +
      "404 `not_found` for an unknown job. Completed jobs are deleted after some time.",
    params: byId,
    answers: { 200: { enveloped: "job", shape: "Job" }, 404: "Error" },
    handle: async ({ params }, { sequelize }) => ({ job: await readJob(params.id, sequelize) }),
  }),
  route({
    method: "post",
    path: "/api/v1/admin/jobs/:id/retry",
    gate: "roles:admin",
    set: "additive",
    tag: "Operations",
    summary: "Retry a failed or canceled job",
    description:
      "Puts the job back into its queue and returns the job. 404 `not_found` for an unknown job. " +
      "409 `job_state` if the job is neither failed nor canceled, so a repeated request is 409 " +
      "as well. 409 `job_is_queued` if the queue accepts only one of several equal jobs and " +
      "another one is waiting or running. The activity log records the request as `job.retried`.",
    params: byId,
    answers: { 200: { enveloped: "job", shape: "Job" }, 404: "Error", 409: "Error" },
    handle: async ({ params, caller }, context) => ({
      job: await retryJob(params.id, caller, context),
    }),
  }),
  route({
    method: "post",
    path: "/api/v1/admin/jobs/:id/cancel",
    gate: "roles:admin",
    set: "additive",
    tag: "Operations",
    summary: "Cancel a job",
    description:
      "Cancels a waiting or running job and returns the job. A running import stops at its next " +
      "progress report and does not apply the rest. Any other running job continues to its end " +
      "but is not retried. 404 `not_found` for an unknown job. 409 `job_state` for a job or " +
      "import that has ended, so a repeated request is 409 as well. The activity log records the " +
      "request as `job.cancelled`.",
    params: byId,
    answers: { 200: { enveloped: "job", shape: "Job" }, 404: "Error", 409: "Error" },
    handle: async ({ params, caller }, context) => ({
      job: await cancelJob(params.id, caller, context),
    }),
  }),
];

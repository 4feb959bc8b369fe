import Joi from "joi";

import { type JobState, jobStates } from "../../shared/job-records/job-states.ts";
import { cancelJob, listJobs, readJob, retryJob } from "../../shared/job-records/jobs.ts";
import { readQueueHealth } from "../../shared/job-records/queue-health.ts";
import { limits } from "../../shared/limits.ts";
import { type QueueName, queues } from "../../shared/queue/queues.ts";
import { limitField, uuidField } from "../http/fields.ts";
import { route } from "../http/route.ts";

const byId = Joi.object<{ id: string }, true>({
  id: uuidField.required().description("Of the job."),
});

export const jobsRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     QueueReport:
   *       description: Without `state` how the queues stand, with it the jobs in that state.
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
    summary: "Health of the queues, or the jobs of a state",
    description:
      "Without `state`: every queue with its depth, age, failures and throughput, the processes alive, and the imports that wait for approval. With `state`: the jobs in it, newest first, and for `failed` and `retry` how many failed of which error.",
    query: Joi.object<{ state?: JobState; queue?: QueueName; limit: number }, true>({
      state: Joi.string()
        .valid(...jobStates)
        .description("Answers the jobs in it instead of the queues."),
      queue: Joi.string()
        .valid(...Object.keys(queues))
        .description("With `state`: the jobs of this queue alone."),
      limit: limitField(limits.jobPage),
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
    summary: "One job, with its progress",
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
    summary: "Run a failed or cancelled job again",
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
    summary: "Take back a job that waits or runs",
    description:
      "A running import ends at its next report, and what it had not finished is not applied; one that is finished is 409. Any other job that runs goes on to its end, and is not tried again.",
    params: byId,
    answers: { 200: { enveloped: "job", shape: "Job" }, 404: "Error", 409: "Error" },
    handle: async ({ params, caller }, context) => ({
      job: await cancelJob(params.id, caller, context),
    }),
  }),
];

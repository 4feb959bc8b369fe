import Joi from "joi";

import { readQueueHealth } from "../../shared/queue/health.ts";
import {
  cancelJob,
  type JobState,
  jobStates,
  listJobs,
  readJob,
  retryJob,
} from "../../shared/queue/jobs.ts";
import { limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";

const byId = Joi.object<{ id: string }, true>({ id: Joi.string().guid().required() });

export const jobsRoutes = [
  route({
    method: "get",
    path: "/api/v1/admin/jobs",
    gate: "roles:admin",
    set: "additive",
    tag: "Operations",
    summary: "Health of the queues, or the jobs of a state",
    description:
      "Without `state`: every queue with its depth, age, failures and throughput, and the processes alive. With `state`: the jobs in it, newest first.",
    query: Joi.object<{ state?: JobState; limit: number }, true>({
      state: Joi.string().valid(...jobStates),
      limit: limitField({ min: 1, max: 500, default: 100 }),
    }),
    answers: { 200: "QueueReport" },
    handle: async ({ query: { state, limit } }, { sequelize }) =>
      state ? { jobs: await listJobs(state, limit, sequelize) } : readQueueHealth(sequelize),
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
    description: "A running job ends at its next report; what it had not finished is not applied.",
    params: byId,
    answers: { 200: { enveloped: "job", shape: "Job" }, 404: "Error", 409: "Error" },
    handle: async ({ params, caller }, context) => ({
      job: await cancelJob(params.id, caller, context),
    }),
  }),
];

import Joi from "joi";

import { findDefinition } from "../../shared/events/definitions/definitions.ts";
import { createRun, type NewRun } from "../../shared/events/runs/create-run.ts";
import {
  findRun,
  listRuns,
  readRunLog,
  type RunSearch,
} from "../../shared/events/runs/read-runs.ts";
import { readRun } from "../../shared/events/runs/run-detail.ts";
import { scopeField } from "../../shared/events/spec/fields.ts";
import { runLogKinds, runStatuses } from "../../shared/events/vocabulary.ts";
import { limits } from "../../shared/limits.ts";
import { answer } from "../http/answer.ts";
import { limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { viewDefinition } from "./definition-views.ts";
import { byEventId, byRunId, instantField, rowId, staffEvents } from "./fields.ts";
import { viewLogLine, viewRun, viewRunDetail } from "./run-views.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     CreatedEventRun:
 *       type: object
 *       additionalProperties: false
 *       required: [run, created]
 *       properties:
 *         run: { $ref: '#/components/schemas/EventRun' }
 *         created: { type: boolean, description: False where the occurrence had its run already. }
 */
const createdRun = "CreatedEventRun";

export const runsRoutes = [
  route({
    ...staffEvents,
    method: "get",
    path: "/api/v1/admin/events/runs",
    summary: "Runs of events",
    description: "The newest first.",
    query: Joi.object<RunSearch>({
      definitionId: rowId.description("Runs of this event alone."),
      status: Joi.string()
        .valid(...runStatuses)
        .description("Runs of this status alone."),
      limit: limitField(limits.runPage),
    }),
    answers: { 200: { enveloped: "runs", shape: { listOf: "EventRun" } }, 400: "EventFaults" },
    handle: async ({ query }, context) => ({ runs: (await listRuns(query, context)).map(viewRun) }),
  }),
  route({
    ...staffEvents,
    method: "get",
    path: "/api/v1/admin/events/runs/:runId",
    summary: "One run, its steps and what it waits for",
    params: byRunId,
    answers: { 200: "EventRunDetail", 404: "Error" },
    handle: async ({ params: { runId } }, context) => viewRunDetail(await readRun(runId, context)),
  }),
  route({
    ...staffEvents,
    method: "get",
    path: "/api/v1/admin/events/runs/:runId/log",
    summary: "What happened in a run",
    description: "The newest lines, the oldest of them first.",
    params: byRunId,
    query: Joi.object<{ limit: number }>({
      limit: limitField(limits.runLog),
    }),
    answers: { 200: "EventRunLog", 400: "EventFaults", 404: "Error" },
    find: ({ params: { runId } }, context) => findRun(runId, context),
    handle: async ({ params: { runId }, query: { limit } }, context) => ({
      log: (await readRunLog(runId, limit, context)).map(viewLogLine),
      kinds: runLogKinds,
    }),
  }),
  route({
    ...staffEvents,
    method: "post",
    path: "/api/v1/admin/events/:id/runs",
    summary: "Have an event take place",
    description:
      "At a time, or without one as soon as it can. An occurrence has one run: who asks again is " +
      "answered 200 and that run. Without a time it is the unfinished one of the same scope. " +
      "`basedOn` is the event's `currentVersionRevision`; a rehearsal needs none.",
    params: byEventId,
    body: Joi.object<NewRun>({
      scope: scopeField(),
      scheduledFor: instantField.allow(null),
      rehearsal: Joi.boolean().description("Everything but the effects."),
      params: Joi.object().unknown(true).example({ boss: "Barracoon" }),
    }),
    basedOn: {
      as: "number",
      when: "world-steps",
      shownAs: "`currentVersionRevision`",
      current: async ({ params: { id } }, context) =>
        viewDefinition(await findDefinition(id, context), context.config),
    },
    answers: {
      200: createdRun,
      201: createdRun,
      400: "EventFaults",
      404: "Error",
      409: "PointedFaults",
    },
    find: ({ params: { id } }, context) => findDefinition(id, context),
    handle: async ({ params: { id }, body, caller }, context) => {
      const { created, ...run } = await createRun(id, body, caller, context);
      return answer(created ? 201 : 200, { run: viewRun(run), created });
    },
  }),
];

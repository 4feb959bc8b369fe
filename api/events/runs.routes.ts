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
 *         created:
 *           type: boolean
 *           description: False if the run that is returned existed already.
 */
const createdRun = "CreatedEventRun";

export const runsRoutes = [
  route({
    ...staffEvents,
    method: "get",
    path: "/api/v1/admin/events/runs",
    summary: "List the runs of events",
    description:
      "Returns runs, the last created first. There is no paging beyond `limit`; use the event " +
      "and status filters to narrow the list.",
    query: Joi.object<RunSearch>({
      definitionId: rowId.description("Returns only runs of this event."),
      status: Joi.string()
        .valid(...runStatuses)
        .description("Returns only runs with this status."),
      limit: limitField(limits.runPage),
    }),
    answers: { 200: { enveloped: "runs", shape: { listOf: "EventRun" } }, 400: "EventFaults" },
    handle: async ({ query }, context) => ({ runs: (await listRuns(query, context)).map(viewRun) }),
  }),
  route({
    ...staffEvents,
    method: "get",
    path: "/api/v1/admin/events/runs/:runId",
    summary: "Get a run with its steps and budget",
    description:
      "Returns the run with its steps, what the current phase waits for, and its spending for " +
      "each dimension with a cap.",
    params: byRunId,
    answers: { 200: "EventRunDetail", 404: "Error" },
    handle: async ({ params: { runId } }, context) => viewRunDetail(await readRun(runId, context)),
  }),
  route({
    ...staffEvents,
    method: "get",
    path: "/api/v1/admin/events/runs/:runId/log",
    summary: "Get the log of a run",
    description:
      "Returns the newest lines, in the order in which they were written. `limit` is the maximum " +
      "number of lines; older lines cannot be read.",
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
    summary: "Start or schedule a run of an event",
    description:
      "With `scheduledFor`, the run starts at that time if the version is verified by then. " +
      "Without it, the run starts as soon as it can, verified or not. A repeat with the same " +
      "event, scope, time and `rehearsal` returns 200 with the existing run, even if that run " +
      "has ended, and changes nothing. A repeat without a time returns the existing run only " +
      "while it has not ended; after that, it creates a new run. If an editor starts the run, " +
      "the run starts, and the site refuses those of its steps that change a game. 409 `event_state` if the event is archived or " +
      "was never published. 400 for invalid parameters, an unknown server, or a time that is " +
      "more than `graceSeconds` ago. Send `currentVersionRevision` of the event as `basedOn`; a " +
      "rehearsal needs none.",
    params: byEventId,
    body: Joi.object<NewRun>({
      scope: scopeField().description(
        "Where the run takes place; by default, the scope of the event.",
      ),
      scheduledFor: instantField
        .allow(null)
        .description("Time with `Z` or an offset. Null starts the run as soon as possible."),
      rehearsal: Joi.boolean().description("True for a rehearsal, whose actions have no effect."),
      params: Joi.object()
        .unknown(true)
        .description("Values of the event's parameters. Omitted parameters take their defaults.")
        .example({ boss: "Barracoon" }),
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

import Joi from "joi";

import { findDefinition } from "../../shared/events/definitions/definitions.ts";
import { createRun, type NewRun } from "../../shared/events/runs/create-run.ts";
import {
  findRun,
  listRuns,
  readRunLog,
  type RunQuery,
} from "../../shared/events/runs/read-runs.ts";
import { readRun } from "../../shared/events/runs/run-detail.ts";
import { scopeField } from "../../shared/events/spec/fields.ts";
import { runLogKinds, runStatuses } from "../../shared/events/vocabulary.ts";
import { limits } from "../../shared/platform/limits.ts";
import { createAnswer } from "../http/answer.ts";
import { limitField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { viewDefinition } from "./definition-views.ts";
import {
  eventIdParams,
  runIdParams,
  instantField,
  rowIdField,
  staffEventRouteOptions,
} from "./fields.ts";
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
 *         run: { $ref: '#/components/schemas/Run' }
 *         created:
 *           type: boolean
 *           description: >-
 *             Whether the request created the run. False if the returned run already existed.
 */
const createdRun = "CreatedEventRun";

export const runsRoutes = [
  defineRoute({
    ...staffEventRouteOptions,
    method: "get",
    path: "/api/v1/admin/events/runs",
    summary: "List the runs of events",
    description:
      "Returns runs, most recently created first. The list has no further pages: use " +
      "`definitionId` and `status` to find older runs.",
    query: Joi.object<RunQuery>({
      definitionId: rowIdField.description("Id of an event. Returns only runs of this event."),
      status: Joi.string()
        .valid(...runStatuses)
        .description("Returns only runs with this status."),
      limit: limitField(limits.runPage),
    }),
    answers: { 200: { enveloped: "runs", shape: { listOf: "Run" } }, 400: "EventFaults" },
    handle: async ({ query }, context) => ({ runs: (await listRuns(query, context)).map(viewRun) }),
  }),
  defineRoute({
    ...staffEventRouteOptions,
    method: "get",
    path: "/api/v1/admin/events/runs/:runId",
    summary: "Get a run with its steps and budget",
    description:
      "Returns the run with its steps, its budget, and sentences that say what the current phase " +
      "waits for.",
    params: runIdParams,
    answers: { 200: "EventRunDetail", 404: "Error" },
    handle: async ({ params: { runId } }, context) => viewRunDetail(await readRun(runId, context)),
  }),
  defineRoute({
    ...staffEventRouteOptions,
    method: "get",
    path: "/api/v1/admin/events/runs/:runId/log",
    summary: "Get the log of a run",
    description:
      "Returns the newest lines of the run's log, in the order in which they were written. " +
      "`limit` is the maximum number of lines. If the log has more lines, the older lines cannot " +
      "be read.",
    params: runIdParams,
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
  defineRoute({
    ...staffEventRouteOptions,
    method: "post",
    path: "/api/v1/admin/events/:id/runs",
    summary: "Start or schedule a run of an event",
    description:
      "With `scheduledFor`, the run starts at that time if the published version is verified by " +
      "then. Without `scheduledFor`, the run starts as soon as possible, whether the version is " +
      "verified or not. If a run with the same event, scope, `scheduledFor` and `rehearsal` " +
      "exists, even one that has ended, the response is 200 with this run and nothing changes. " +
      "Without `scheduledFor`, this applies only to a run that has not ended. If an editor " +
      "starts the run, the site refuses the steps of the run that change a game. 409 " +
      "`event_state` if the event is archived or was never published. 400 if parameters are " +
      "invalid, a server is unknown, or `scheduledFor` is more than `graceSeconds` in the past. " +
      "Send `currentVersionRevision` of the event as `basedOn`; a rehearsal does not need " +
      "`basedOn`.",
    params: eventIdParams,
    body: Joi.object<NewRun>({
      scope: scopeField().description(
        "Where the run takes place. If absent, the scope of the event applies.",
      ),
      scheduledFor: instantField
        .allow(null)
        .description(
          "Time at which the run starts, with `Z` or an offset. If absent or null, the run " +
            "starts as soon as possible.",
        ),
      rehearsal: Joi.boolean().description(
        "Whether the run is a rehearsal: its steps run, but their actions have no effect.",
      ),
      params: Joi.object()
        .unknown(true)
        .description(
          "Values of the event's parameters. Parameters that the request omits have their " +
            "default values.",
        )
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
      return createAnswer(created ? 201 : 200, { run: viewRun(run), created });
    },
  }),
];

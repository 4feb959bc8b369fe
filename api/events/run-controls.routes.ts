import Joi from "joi";

import { type RunControlResult, controlRun } from "../../shared/events/runs/control-run.ts";
import { findRun } from "../../shared/events/runs/read-runs.ts";
import type { ApiContext } from "../context.ts";
import { defineRoute } from "../http/route.ts";
import { runIdParams, reasonField, staffEventRouteOptions } from "./fields.ts";
import { viewRun } from "./run-views.ts";

interface Reason {
  readonly reason?: string | null;
}

const withReason = Joi.object<Reason>({
  reason: reasonField
    .description("Reason for the request. The run log and the activity log record the reason.")
    .example("The moongate is blocked"),
});

const reasonOf = ({ reason }: Reason): { readonly reason?: string } => (reason ? { reason } : {});

const oneRun = { enveloped: "run", shape: "Run" } as const;

const control = {
  ...staffEventRouteOptions,
  method: "post",
  params: runIdParams,
  basedOn: {
    when: "optional",
    as: "hash",
    current: async (
      { params: { runId } }: { readonly params: { readonly runId: number } },
      context: ApiContext,
    ) => viewRun(await findRun(runId, context)),
  },
  find: (
    { params: { runId } }: { readonly params: { readonly runId: number } },
    context: ApiContext,
  ) => findRun(runId, context),
} as const;

/**
 * @openapi
 * components:
 *   schemas:
 *     AdvancedEventRun:
 *       type: object
 *       additionalProperties: false
 *       required: [run, phase]
 *       properties:
 *         run: { $ref: '#/components/schemas/Run' }
 *         phase: { type: string, nullable: true, description: Key of the phase in which the run is now. Null if the run is complete., example: boss }
 */
const viewAdvanced = (controlled: RunControlResult) => {
  const { status, currentPhase } = controlled.run;
  return { run: viewRun(controlled), phase: status === "completed" ? null : currentPhase };
};

/**
 * @openapi
 * components:
 *   schemas:
 *     CancelledEventRun:
 *       type: object
 *       additionalProperties: false
 *       required: [run, cancelledSteps]
 *       properties:
 *         run: { $ref: '#/components/schemas/Run' }
 *         cancelledSteps:
 *           type: integer
 *           description: Number of steps that were canceled. 0 if the run had not started.
 *           example: 3
 */
const viewCancelled = (controlled: RunControlResult) => ({
  run: viewRun(controlled),
  cancelledSteps: controlled.after.steps.filter(({ status }) => status === "cancelled").length,
});

export const runControlsRoutes = [
  defineRoute({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/pause",
    summary: "Pause a run",
    description:
      "While the run is paused, no further step starts. If an attempt of a step is under way, it " +
      "finishes and its result is recorded. Trigger events for which the gate waits still count. " +
      "The run log and the activity log record the request. 409 `event_state` if the run is not " +
      "`running`, for example because it is already paused.",
    body: withReason,
    answers: { 200: oneRun, 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId }, body, caller }, context) => {
      const asked = { kind: "pause", ...reasonOf(body) } as const;
      return { run: viewRun(await controlRun(runId, asked, caller, context)) };
    },
  }),
  defineRoute({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/resume",
    summary: "Resume a paused run",
    description:
      "Continues the run. The due times of the remaining steps move by the length of the pause. " +
      "If the gate had timed out, it waits for its full timeout again. If a step failed, it " +
      "stays failed, and the run continues with the next step; to try this step again, use `POST " +
      "/admin/events/runs/{runId}/steps/{stepId}/retry` instead. The run log and the activity " +
      "log record the request. 409 `event_state` if the run is not `paused`.",
    answers: { 200: oneRun, 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId }, caller }, context) => ({
      run: viewRun(await controlRun(runId, { kind: "resume" }, caller, context)),
    }),
  }),
  defineRoute({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/advance",
    summary: "Advance a run to its next phase",
    description:
      "Ends the current phase without waiting for its gate, and starts the next phase. If the " +
      "current phase is the last phase, the run is then `completed`. Steps of the ended phase " +
      "that have not started or that wait for a person are skipped. If an attempt of a step is " +
      "under way, it finishes and its result is recorded, but the run does not wait for it. A " +
      "paused run continues. The run log and the activity log record the request. 409 " +
      "`event_state` if the run is neither `running` nor `paused`. If the same request is sent " +
      "again, it also ends the next phase, unless it contains `basedOn`.",
    body: withReason,
    answers: { 200: "AdvancedEventRun", 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId }, body, caller }, context) => {
      const asked = { kind: "advance", ...reasonOf(body) } as const;
      return viewAdvanced(await controlRun(runId, asked, caller, context));
    },
  }),
  defineRoute({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/cancel",
    summary: "Cancel a run",
    description:
      "Ends the run permanently, or keeps a scheduled run from starting. The service does not " +
      "create another run for the same occurrence. Steps that have not started or that wait for " +
      "a person are canceled. If an attempt of a step is under way, it finishes and its result " +
      "is recorded. The effects of earlier steps in a game are not undone. The run log and the " +
      "activity log record the request. 409 `event_state` if the run has already ended.",
    body: withReason,
    answers: { 200: "CancelledEventRun", 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId }, body, caller }, context) => {
      const asked = { kind: "cancel", ...reasonOf(body) } as const;
      return viewCancelled(await controlRun(runId, asked, caller, context));
    },
  }),
];

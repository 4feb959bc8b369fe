import Joi from "joi";

import { type Controlled, controlRun } from "../../shared/events/controls/control-run.ts";
import { findRun } from "../../shared/events/runs/read-runs.ts";
import type { ApiContext } from "../context.ts";
import { route } from "../http/route.ts";
import { byRunId, sayField, staffEvents } from "./fields.ts";
import { viewRun } from "./run-views.ts";

interface Reason {
  readonly reason?: string | null;
}

const withReason = Joi.object<Reason>({
  reason: sayField
    .description("Reason for the run log and the activity log.")
    .example("The moongate is blocked"),
});

const reasonOf = ({ reason }: Reason): { readonly reason?: string } => (reason ? { reason } : {});

const oneRun = { enveloped: "run", shape: "EventRun" } as const;

const control = {
  ...staffEvents,
  method: "post",
  params: byRunId,
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
 *         run: { $ref: '#/components/schemas/EventRun' }
 *         phase: { type: string, nullable: true, description: Key of the phase that the run is in now; null if the run is complete., example: boss }
 */
const viewAdvanced = (controlled: Controlled) => {
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
 *         run: { $ref: '#/components/schemas/EventRun' }
 *         cancelledSteps:
 *           type: integer
 *           description: Number of steps that were canceled; 0 if the run had not started.
 *           example: 3
 */
const viewCancelled = (controlled: Controlled) => ({
  run: viewRun(controlled),
  cancelledSteps: controlled.after.steps.filter(({ status }) => status === "cancelled").length,
});

export const runControlsRoutes = [
  route({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/pause",
    summary: "Pause a run",
    description:
      "Starts no further step until the run is resumed. An attempt of a step that is under way " +
      "finishes, and its result is recorded. Events that the gate waits for still count. " +
      "Recorded in the run log and the activity log. 409 `event_state` if the run is not " +
      "`running`, so a repeat is refused.",
    body: withReason,
    answers: { 200: oneRun, 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId }, body, caller }, context) => {
      const asked = { kind: "pause", ...reasonOf(body) } as const;
      return { run: viewRun(await controlRun(runId, asked, caller, context)) };
    },
  }),
  route({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/resume",
    summary: "Resume a paused run",
    description:
      "Continues the run. Due times move by the length of the pause; a gate that had timed out " +
      "waits for its full timeout again. A failed step stays failed, and the run continues with " +
      "the next step. To try the failed step again, retry it instead of resuming the run. " +
      "Recorded in the run log and the activity log. 409 `event_state` if the run is not " +
      "`paused`.",
    answers: { 200: oneRun, 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId }, caller }, context) => ({
      run: viewRun(await controlRun(runId, { kind: "resume" }, caller, context)),
    }),
  }),
  route({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/advance",
    summary: "Advance a run to its next phase",
    description:
      "Ends the current phase without waiting for its gate and starts the next phase; after the " +
      "last phase, the run is `completed`. Steps of the phase that have not started or that wait " +
      "for a person are skipped. An attempt of a step that is under way finishes and its result " +
      "is recorded, but the run does not wait for it. A paused run continues. Recorded in the " +
      "run log and the activity log. 409 `event_state` if the run is neither `running` nor " +
      "`paused`. A repeat ends the next phase, too: send `basedOn` to prevent that.",
    body: withReason,
    answers: { 200: "AdvancedEventRun", 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId }, body, caller }, context) => {
      const asked = { kind: "advance", ...reasonOf(body) } as const;
      return viewAdvanced(await controlRun(runId, asked, caller, context));
    },
  }),
  route({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/cancel",
    summary: "Cancel a run",
    description:
      "Ends the run permanently, or keeps a scheduled run from starting; the service creates no " +
      "other run for the same occurrence. Steps that have not started or that wait for a person " +
      "are canceled. An attempt of a step that is under way finishes, and its result is " +
      "recorded. Effects of earlier steps in a game are not undone. Recorded in the run log and " +
      "the activity log. 409 `event_state` if the run has ended.",
    body: withReason,
    answers: { 200: "CancelledEventRun", 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId }, body, caller }, context) => {
      const asked = { kind: "cancel", ...reasonOf(body) } as const;
      return viewCancelled(await controlRun(runId, asked, caller, context));
    },
  }),
];

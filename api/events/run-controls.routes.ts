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
  reason: sayField.description("Why, for the logs.").example("The moongate is blocked"),
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
 *         phase: { type: string, nullable: true, description: The key of the phase it is in now; null behind the last one., example: boss }
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
 *         cancelledSteps: { type: integer, description: Steps that are not taken any more., example: 3 }
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
      "No step begins any more; one that is being worked ends and is recorded. Events that its gate " +
      "waits for are counted all the same.",
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
    summary: "Have a paused run go on",
    description:
      "What was due comes later by as long as the pause took. A step that failed stays failed, and " +
      "the next one goes.",
    answers: { 200: oneRun, 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId }, caller }, context) => ({
      run: viewRun(await controlRun(runId, { kind: "resume" }, caller, context)),
    }),
  }),
  route({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/advance",
    summary: "Have a run go to its next phase",
    description:
      "Steps of the phase that have not begun, or wait for a person, are skipped. Behind the last " +
      "phase the run is complete.",
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
      "One that waits does not begin. A step that is being worked ends and is recorded; nothing " +
      "comes after it, and what was done is not undone.",
    body: withReason,
    answers: { 200: "CancelledEventRun", 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId }, body, caller }, context) => {
      const asked = { kind: "cancel", ...reasonOf(body) } as const;
      return viewCancelled(await controlRun(runId, asked, caller, context));
    },
  }),
];

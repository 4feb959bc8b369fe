import Joi from "joi";

import {
  type ControlledStep,
  controlStep,
  findStep,
} from "../../shared/events/controls/control-step.ts";
import type { ApiContext } from "../context.ts";
import { route } from "../http/route.ts";
import { byStepId, sayField, staffEvents } from "./fields.ts";
import { viewRun, viewStep } from "./run-views.ts";

const oneStep = { enveloped: "step", shape: "EventStep" } as const;

const control = {
  ...staffEvents,
  method: "post",
  params: byStepId,
  basedOn: {
    when: "optional",
    as: "hash",
    current: async (
      {
        params: { runId, stepId },
      }: { readonly params: { readonly runId: number; readonly stepId: number } },
      context: ApiContext,
    ) => viewStep(await findStep(runId, stepId, context)),
  },
  find: (
    {
      params: { runId, stepId },
    }: { readonly params: { readonly runId: number; readonly stepId: number } },
    context: ApiContext,
  ) => findStep(runId, stepId, context),
} as const;

/**
 * @openapi
 * components:
 *   schemas:
 *     RetriedEventStep:
 *       type: object
 *       additionalProperties: false
 *       required: [step, run, resumed]
 *       properties:
 *         step: { $ref: '#/components/schemas/EventStep' }
 *         run: { $ref: '#/components/schemas/EventRun' }
 *         resumed: { type: boolean, description: Whether this failure had paused the run and the run goes on now. }
 */
const viewRetried = ({ step, before, after, ...listed }: ControlledStep) => ({
  step: viewStep(step),
  run: viewRun(listed),
  resumed: before.status === "paused" && after.status !== "paused",
});

export const stepControlsRoutes = [
  route({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/steps/:stepId/confirm",
    summary: "Confirm a step that waits for a person",
    description:
      "A step with `confirm` in its spec now runs its action, in a paused run after the resume. " +
      "Any other step that waits for a person is `succeeded`, without a further attempt. The " +
      "step must be `parked` and belong to the current phase of a run that is `running` or " +
      "`paused`; otherwise 409 `event_state`. The run log and the activity log record it.",
    body: Joi.object<{ note?: string | null }>({
      note: sayField
        .description("A note for the run log and the activity log.")
        .example("Everybody is there"),
    }),
    answers: { 200: oneStep, 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId, stepId }, body: { note }, caller }, context) => {
      const asked = { kind: "confirm", stepId, ...(note && { reason: note }) } as const;
      return { step: viewStep((await controlStep(runId, asked, caller, context)).step) };
    },
  }),
  route({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/steps/:stepId/skip",
    summary: "Skip a step",
    description:
      "Skips a step that no worker is carrying out: one that has not started, waits for a " +
      "person or has failed. It must belong to the current phase or a later one of a run that " +
      "is `running` or `paused`; otherwise 409 `event_state`. A paused run stays paused. The " +
      "run log and the activity log record it.",
    body: Joi.object<{ reason?: string | null }>({
      reason: sayField
        .description("Why, for the run log and the activity log.")
        .example("Nobody came"),
    }),
    answers: { 200: oneStep, 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId, stepId }, body: { reason }, caller }, context) => {
      const asked = { kind: "skip", stepId, ...(reason && { reason }) } as const;
      return { step: viewStep((await controlStep(runId, asked, caller, context)).step) };
    },
  }),
  route({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/steps/:stepId/retry",
    summary: "Retry a failed step",
    description:
      "Tries the step again, up to `maxAttempts` further times. Each attempt sends the same " +
      "`idempotencyKey`, so a game that has acted already does not act twice; but if the log " +
      "says `outcome unknown`, look into the game first, because it may have forgotten the key. " +
      "A run that this failure paused goes on. The step must have failed, or wait for a person " +
      "after a failure, in the current phase of a run that is `running` or `paused`; otherwise " +
      "409 `event_state`.",
    answers: { 200: "RetriedEventStep", 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId, stepId }, caller }, context) =>
      viewRetried(await controlStep(runId, { kind: "retry", stepId }, caller, context)),
  }),
];

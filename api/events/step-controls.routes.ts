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
 *         resumed:
 *           type: boolean
 *           description: >
 *             True if the failure of the step had paused the run and the run has now been resumed.
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
      "If the step waits because of `confirm` in its spec, it now runs its action; in a paused " +
      "run, it does so after the run is resumed. A step that waits for another reason becomes " +
      "`succeeded` without a further attempt. Recorded in the run log and the activity log. 409 " +
      "`event_state` unless the step is `parked` and belongs to the current phase of a run that " +
      "is `running` or `paused`.",
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
      "Skips a step that has not started, waits for a person or has failed. A paused run stays " +
      "paused. Recorded in the run log and the activity log. 409 `event_state` if the step is in " +
      "another state (for example, if an attempt is under way), if it belongs to an earlier " +
      "phase, or if the run is neither `running` nor `paused`.",
    body: Joi.object<{ reason?: string | null }>({
      reason: sayField
        .description("Reason for the run log and the activity log.")
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
      "Retries the step, with up to `maxAttempts` further attempts. Each attempt sends the same " +
      "`idempotencyKey`, so that the game does not run an action twice. However, if the run log " +
      "says `outcome unknown`, check the game first: it may have forgotten the key. If the " +
      "failure of the step paused the run, the run continues. Recorded in the run log and the " +
      "activity log. 409 `event_state` unless the step has failed, or waits for a person after a " +
      "failure, and belongs to the current phase of a run that is `running` or `paused`.",
    answers: { 200: "RetriedEventStep", 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId, stepId }, caller }, context) =>
      viewRetried(await controlStep(runId, { kind: "retry", stepId }, caller, context)),
  }),
];

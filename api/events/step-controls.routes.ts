import Joi from "joi";

import {
  type StepControlResult,
  controlStep,
  findStep,
} from "../../shared/events/runs/control-run.ts";
import type { ApiContext } from "../context.ts";
import { defineRoute } from "../http/route.ts";
import { stepIdParams, reasonField, staffEventRouteOptions } from "./fields.ts";
import { viewRun, viewStep } from "./run-views.ts";

const oneStep = { enveloped: "step", shape: "Step" } as const;

const control = {
  ...staffEventRouteOptions,
  method: "post",
  params: stepIdParams,
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
 *         step: { $ref: '#/components/schemas/Step' }
 *         run: { $ref: '#/components/schemas/Run' }
 *         resumed:
 *           type: boolean
 *           description: >-
 *             Whether the request resumed the run. True if the failure of the step had paused the
 *             run.
 */
const viewRetried = ({ step, before, after, ...listed }: StepControlResult) => ({
  step: viewStep(step),
  run: viewRun(listed),
  resumed: before.status === "paused" && after.status !== "paused",
});

export const stepControlsRoutes = [
  defineRoute({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/steps/:stepId/confirm",
    summary: "Confirm a step that waits for a person",
    description:
      "If the step waits because `confirm` is true in its spec, it now runs its action. If the " +
      "run is paused, the step runs its action after the run is resumed. If the step waits for " +
      "any other reason, its status becomes `succeeded` without a further attempt. The run log " +
      "and the activity log record the request. 409 `event_state` if the step does not wait for " +
      "a person (`parked` is false), if it does not belong to the current phase, or if the run " +
      "is neither `running` nor `paused`.",
    body: Joi.object<{ note?: string | null }>({
      note: reasonField
        .description("Note about the request. The run log and the activity log record the note.")
        .example("Everybody is there"),
    }),
    answers: { 200: oneStep, 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId, stepId }, body: { note }, caller }, context) => {
      const asked = { kind: "confirm", stepId, ...(note && { reason: note }) } as const;
      return { step: viewStep((await controlStep(runId, asked, caller, context)).step) };
    },
  }),
  defineRoute({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/steps/:stepId/skip",
    summary: "Skip a step",
    description:
      "Skips a step that has not started, waits for a person or has failed. A paused run stays " +
      "paused. The run log and the activity log record the request. 409 `event_state` if the " +
      "step is in another state (for example, while an attempt is under way), if it belongs to " +
      "an earlier phase, or if the run is neither `running` nor `paused`.",
    body: Joi.object<{ reason?: string | null }>({
      reason: reasonField
        .description("Reason for the request. The run log and the activity log record the reason.")
        .example("Nobody came"),
    }),
    answers: { 200: oneStep, 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId, stepId }, body: { reason }, caller }, context) => {
      const asked = { kind: "skip", stepId, ...(reason && { reason }) } as const;
      return { step: viewStep((await controlStep(runId, asked, caller, context)).step) };
    },
  }),
  defineRoute({
    ...control,
    path: "/api/v1/admin/events/runs/:runId/steps/:stepId/retry",
    summary: "Retry a failed step",
    description:
      "Retries the step, with up to `maxAttempts` further attempts. All attempts of the step " +
      "send the same `idempotencyKey`, so that the game does not run the action twice. However, " +
      "if the run log says `outcome unknown`, check in the game whether the action ran before " +
      "you retry the step: the game may have forgotten the key. If the failure of the step " +
      "paused the run, the run continues. The run log and the activity log record the request. " +
      "Only a step of the current phase that has failed, or that waits for a person after a " +
      "failure, can be retried, and only while the run is `running` or `paused`; otherwise 409 " +
      "`event_state`.",
    answers: { 200: "RetriedEventStep", 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId, stepId }, caller }, context) =>
      viewRetried(await controlStep(runId, { kind: "retry", stepId }, caller, context)),
  }),
];

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
 *         resumed: { type: boolean, description: Whether the run had been paused by this failure and goes on. }
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
      "A step that asks before its effect is taken now; any other one that waits has succeeded.",
    body: Joi.object<{ note?: string | null }>({
      note: sayField.description("For the logs.").example("Everybody is there"),
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
      "One that has not begun, waits for a person or has failed, of this phase or a later one. A " +
      "paused run stays paused.",
    body: Joi.object<{ reason?: string | null }>({
      reason: sayField.description("Why, for the logs.").example("Nobody came"),
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
    summary: "Try a failed step again",
    description:
      "Under the same key, so that what the shard did already is not done twice, and with all its " +
      "tries again. A run that this failure paused goes on.",
    answers: { 200: "RetriedEventStep", 400: "EventFaults", 404: "Error", 409: "PointedFaults" },
    handle: async ({ params: { runId, stepId }, caller }, context) =>
      viewRetried(await controlStep(runId, { kind: "retry", stepId }, caller, context)),
  }),
];

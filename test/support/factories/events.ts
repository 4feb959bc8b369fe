import { randomUUID } from "node:crypto";

import type { CreationAttributes } from "sequelize";

import type { EventStep } from "../../../models/events/event-step.ts";
import type { OnDatabase } from "../query.ts";

/** By default the first of its run, which asks a person and was tried by nobody. */
export const buildStep = (
  { context }: OnDatabase,
  given: Partial<CreationAttributes<EventStep>> & Pick<EventStep, "runId">,
): Promise<EventStep> =>
  context.models.EventStep.create({
    phase: "one",
    phaseIndex: 0,
    seq: 1,
    key: "call",
    actionId: "core.confirm",
    actionVersion: 1,
    params: {},
    offsetSeconds: 0,
    onFailure: "park",
    confirm: false,
    budgetMs: 1,
    triesAllowed: 1,
    idempotencyKey: randomUUID(),
    ...given,
  });

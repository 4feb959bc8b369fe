import type { EventStep } from "../../../models/events/event-step.ts";
import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { missing } from "../../platform/errors/errors.ts";
import { findRun } from "../runs/read-runs.ts";
import { type Control, type Controlled, controlWithin } from "./control-run.ts";

export interface ControlledStep extends Controlled {
  readonly step: EventStep;
}

/** @throws AppError missing when there is no such run, or it has no such step */
export async function findStep(
  runId: number,
  stepId: number,
  context: Pick<Context, "models">,
): Promise<EventStep> {
  await findRun(runId, context);
  const step = await context.models.EventStep.findOne({ where: { id: stepId, runId } });
  if (!step) throw missing("Unknown step");
  return step;
}

/** Takes a step of a run through one transition for a person. */
export const controlStep = (
  runId: number,
  control: Extract<Control, { stepId: number }>,
  caller: Caller,
  context: Pick<Context, "sequelize" | "models" | "queue" | "log" | "config">,
): Promise<ControlledStep> =>
  inTransaction(context.sequelize, async (transaction) => {
    const controlled = await controlWithin(runId, control, { caller, transaction, context });
    const options = { transaction, rejectOnEmpty: true } as const;
    const step: EventStep = await context.models.EventStep.findByPk(control.stepId, options);
    return { ...controlled, step };
  });

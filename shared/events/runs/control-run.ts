import type { Transaction } from "sequelize";

import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventStep } from "../../../models/events/event-step.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import { requireBaseRevision, hashContent } from "../../platform/base-revision.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { type LockedRun, lockRun } from "../engine/lock-run.ts";
import { applyRunInput } from "../engine/write-run.ts";
import { type RunState, isStepParked } from "../machine/state.ts";
import { isTransitionRefusal, type RunInput } from "../machine/transition.ts";
import { eventStateError } from "../state-refusal.ts";
import { findRun, type ListedRun } from "./read-runs.ts";

/** An action of a person on a run or on one of its steps. */
export type RunControl = Extract<
  RunInput,
  { kind: "pause" | "resume" | "advance" | "cancel" | "confirm" | "skip" | "retry" }
>;

export interface RunControlResult extends ListedRun {
  readonly before: RunState;
  readonly after: RunState;
}

interface ControlOptions {
  readonly caller: Caller;
  readonly transaction: Transaction;
  readonly context: Pick<Context, "models" | "queue" | "log" | "config">;
}

/**
 * Applies a person's action to a run. The change, its lines in the run log and the activity log and
 * the resulting jobs are one transaction.
 * @throws AppError if there is no such run, or its state does not allow the action
 */
export const controlRun = (
  runId: number,
  control: RunControl,
  caller: Caller,
  context: Pick<Context, "sequelize" | "models" | "queue" | "log" | "config">,
): Promise<RunControlResult> =>
  inCallersTransaction(context.sequelize, (transaction) =>
    controlInTransaction(runId, control, { caller, transaction, context }),
  );

async function controlInTransaction(
  runId: number,
  control: RunControl,
  { caller, transaction, context }: ControlOptions,
): Promise<RunControlResult> {
  const locked = await lockRun(runId, transaction);
  if (!locked) throw notFoundError("Unknown run");
  requireBaseRevision(revisionOf(locked, control));
  const asked = { ...control, by: caller.userId };
  const decided = await applyRunInput(locked, asked, transaction, context);
  if (isTransitionRefusal(decided)) throw eventStateError(decided.refusal);
  await recordActivity({ actor: caller, ...toActivity(runId, control) }, transaction);
  const listed = await findRun(runId, context, transaction);
  return { ...listed, before: locked.run, after: decided.run };
}

/** Returns the revision of the run or step that a person acts on. @throws AppError missing */
function revisionOf({ run, facts: { versionId } }: LockedRun, control: RunControl): string {
  if ("stepId" in control) {
    const step = run.steps.find(({ id }) => id === control.stepId);
    if (!step) throw notFoundError("Unknown step");
    return stepRevision(step);
  }
  const currentPhase = run.phase === null ? null : (run.phases[run.phase]?.key ?? null);
  return runRevision({ versionId, status: run.status, currentPhase });
}

const actions = {
  pause: "event.run.paused",
  resume: "event.run.resumed",
  advance: "event.run.advanced",
  cancel: "event.run.cancelled",
  confirm: "event.step.confirmed",
  skip: "event.step.skipped",
  retry: "event.step.retried",
} as const satisfies Readonly<Record<RunControl["kind"], string>>;

function toActivity(runId: number, control: RunControl) {
  const { kind, reason } = control;
  const action = actions[kind];
  if (!("stepId" in control)) {
    const detail = reason === undefined ? {} : { reason };
    return { action, target: { type: "run", id: runId }, detail };
  }
  const said = reason === undefined ? {} : { [kind === "confirm" ? "note" : "reason"]: reason };
  return { action, target: { type: "step", id: control.stepId }, detail: { runId, ...said } };
}

export interface StepControlResult extends RunControlResult {
  readonly step: EventStep;
}

/** @throws AppError missing if there is no such run or step */
export async function findStep(
  runId: number,
  stepId: number,
  context: Pick<Context, "models">,
): Promise<EventStep> {
  await findRun(runId, context);
  const step = await context.models.EventStep.findOne({ where: { id: stepId, runId } });
  if (!step) throw notFoundError("Unknown step");
  return step;
}

export const controlStep = (
  runId: number,
  control: Extract<RunControl, { stepId: number }>,
  caller: Caller,
  context: Pick<Context, "sequelize" | "models" | "queue" | "log" | "config">,
): Promise<StepControlResult> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const controlled = await controlInTransaction(runId, control, { caller, transaction, context });
    const options = { transaction, rejectOnEmpty: true } as const;
    const step: EventStep = await context.models.EventStep.findByPk(control.stepId, options);
    return { ...controlled, step };
  });

/**
 * Returns the revision of a run: a hash of version, status and phase. A request to act on the run may name the
 * revision.
 */
export const runRevision = ({
  versionId,
  status,
  currentPhase,
}: Pick<EventRun, "versionId" | "status" | "currentPhase">): string =>
  hashContent([versionId, status, currentPhase]);

/**
 * Returns the revision of a step: a hash of status and attempts. A request to act on the step may name the
 * revision.
 */
export const stepRevision = (step: Pick<EventStep, "status" | "attempts" | "leaseOwner">): string =>
  hashContent([step.status, isStepParked(step), step.attempts]);

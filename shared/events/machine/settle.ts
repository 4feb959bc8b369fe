import type { ParamValues } from "../../facts/param.ts";
import { advanceSteps } from "./phases.ts";
import {
  type RunChange,
  endRun,
  logRun,
  logStep,
  type TransitionRefusal,
  createTransitionRefusal,
  createEmptyChange,
  endOpenSteps,
  changeRunState,
  changeStep,
} from "./run-change.ts";
import {
  isRunFinished,
  isInCurrentPhase,
  isRunUnderWay,
  addMs,
  type RunState,
  type StepState,
  findEarliestEffectTime,
} from "./state.ts";

/** The result of an attempt. */
export type AttemptResult =
  | { readonly kind: "succeeded"; readonly result: ParamValues; readonly detail?: ParamValues }
  | { readonly kind: "parked"; readonly reason: string }
  /** The step succeeds by itself after this many seconds. */
  | { readonly kind: "waiting"; readonly seconds: number }
  | FailedAttemptResult;

export interface FailedAttemptResult {
  readonly kind: "failed";
  readonly error: string;
  /** Only `failed` may be retried. */
  readonly cause: "failed" | "refused" | "budget";
  readonly mayRetry: boolean;
  /** True if the effect may have happened. */
  readonly isUnknown: boolean;
  /** The wait before the next attempt. */
  readonly delayMs: number;
}

/** A worker's report; owner and attempt prove that the worker still holds the step. */
export interface AttemptReport {
  readonly stepId: number;
  readonly owner: string;
  readonly attempt: number;
  readonly ending: AttemptResult;
}

/** Records how an attempt ended; a worker that lost its lease records nothing. */
export function settleAttempt(
  run: RunState,
  given: AttemptReport,
  now: Date,
): RunChange | TransitionRefusal {
  const { stepId, owner, attempt, ending } = given;
  const step = run.steps.find(({ id }) => id === stepId);
  const isHeld =
    step?.status === "running" && step.leaseOwner === owner && step.attempts === attempt;
  if (!isHeld) return createTransitionRefusal("the lease was lost");
  const isUnknown = ending.kind === "failed" && ending.isUnknown;
  const firstUnknownAt = isUnknown ? findEarliestEffectTime(step, now) : step.firstUnknownAt;
  const freed = { ...step, firstUnknownAt, leaseOwner: null, leaseUntil: null };
  const change = changeStep(createEmptyChange(run), stepId, freed);
  if (ending.kind === "failed") return fail(change, freed, ending, now);
  if (ending.kind === "succeeded") return succeed(change, freed, ending, now);
  if (!mayAdvanceRun(run, freed)) return endObsoleteStep(change, freed, now);
  return ending.kind === "parked"
    ? park(change, freed, ending.reason)
    : wait(change, freed, ending.seconds, now);
}

/** True if the run still waits for the step. Otherwise only the step's result is recorded. */
const mayAdvanceRun = (run: RunState, step: StepState): boolean =>
  isRunUnderWay(run) && isInCurrentPhase(run, step);

function succeed(
  change: RunChange,
  step: StepState,
  { result, detail }: Extract<AttemptResult, { kind: "succeeded" }>,
  now: Date,
): RunChange {
  const changes = { status: "succeeded", result, lastError: null, finishedAt: now } as const;
  const done = logStep(changeStep(change, step.id, changes), step, "step.succeeded", detail);
  return mayAdvanceRun(done.run, step) ? advanceSteps(done, now) : done;
}

/** Ends a step that would need another attempt, because its run no longer waits for it. */
function endObsoleteStep(change: RunChange, step: StepState, now: Date): RunChange {
  const isOver = isRunFinished(change.run);
  const left = { status: isOver ? "cancelled" : "skipped", finishedAt: now } as const;
  const kind = isOver ? "cancelled" : "step.skipped";
  return logStep(changeStep(change, step.id, left), step, kind, {
    reason: "the phase of the step has ended",
  });
}

const park = (change: RunChange, step: StepState, reason: string): RunChange =>
  logStep(changeStep(change, step.id, { parkedFor: "action" }), step, "parked", { reason });

const wait = (change: RunChange, step: StepState, seconds: number, now: Date): RunChange =>
  changeStep(change, step.id, {
    status: "ready",
    dueAt: addMs(findDueBaseTime(change.run, now), seconds * 1_000),
    hasWaited: true,
  });

/**
 * Returns the time from which new due times count: now, or the start of a pause, because resuming moves all due
 * times.
 */
export const findDueBaseTime = ({ status, pausedAt }: RunState, now: Date): Date =>
  status === "paused" && pausedAt ? pausedAt : now;

function fail(
  change: RunChange,
  step: StepState,
  ending: FailedAttemptResult,
  now: Date,
): RunChange {
  const { error, mayRetry, cause } = ending;
  const withError = changeStep(change, step.id, { lastError: error });
  const isRepeatable =
    mayRetry && step.attempts < step.triesAllowed && mayAdvanceRun(change.run, step);
  if (isRepeatable) return retryLater(withError, step, ending, now);
  const log = cause === "failed" ? "step.failed" : cause;
  return endFailedStep(withError, step, { log, error }, now);
}

function retryLater(
  change: RunChange,
  step: StepState,
  { error, delayMs }: FailedAttemptResult,
  now: Date,
): RunChange {
  const dueAt = addMs(findDueBaseTime(change.run, now), delayMs);
  const ready = changeStep(change, step.id, { status: "ready", dueAt });
  return logStep(ready, step, "step.retried", { error, attempt: step.attempts });
}

interface Failure {
  readonly log: "step.failed" | "refused" | "budget";
  readonly error: string;
}

/** Ends a failed step for good and applies its `onFailure` to the run. */
export function endFailedStep(
  change: RunChange,
  step: StepState,
  failure: Failure,
  now: Date,
): RunChange {
  const { log, error } = failure;
  const isRelevant = mayAdvanceRun(change.run, step);
  if (isRelevant && step.onFailure === "park") return parkFailed(change, step, failure);
  const freed = { leaseOwner: null, leaseUntil: null };
  const changes = {
    ...step,
    ...freed,
    status: "failed",
    lastError: error,
    finishedAt: now,
  } as const;
  const failed = degrade(
    logStep(changeStep(change, step.id, changes), step, log, { error, attempt: step.attempts }),
  );
  if (!isRelevant) return failed;
  if (step.onFailure === "abort") return abort(failed, error, now);
  if (step.onFailure === "pause") return pauseFor(failed, step, now);
  return advanceSteps(failed, now);
}

/** Marks the run's health as degraded. A finished run keeps its health. */
const degrade = (change: RunChange): RunChange =>
  isRunFinished(change.run) ? change : changeRunState(change, { health: "degraded" });

function parkFailed(change: RunChange, step: StepState, { log, error }: Failure): RunChange {
  const parked = changeStep(change, step.id, {
    ...step,
    status: "running",
    parkedFor: "failure",
    lastError: error,
    leaseOwner: null,
    leaseUntil: null,
  });
  const refused = log === "step.failed" ? parked : degrade(logStep(parked, step, log, { error }));
  return logStep(refused, step, "parked", { reason: error });
}

function abort(change: RunChange, lastError: string, now: Date): RunChange {
  const stopped = changeRunState(endRun(endOpenSteps(change, "cancelled", now), "failed", now), {
    lastError,
  });
  return logRun(stopped, "failed", { error: lastError });
}

function pauseFor(change: RunChange, step: StepState, now: Date): RunChange {
  if (change.run.status !== "running") return change;
  const paused = { status: "paused", pausedAt: now, pausedByStep: step.id } as const;
  return logStep(changeRunState(change, paused), step, "paused", { reason: "the step failed" });
}

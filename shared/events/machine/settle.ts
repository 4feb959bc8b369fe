import type { Values } from "../../facts/param.ts";
import {
  type Change,
  ended,
  logged,
  loggedStep,
  type Refusal,
  refuse,
  unchanged,
  withOpenSteps,
  withRun,
  withStep,
} from "./change.ts";
import { proceed } from "./phases.ts";
import {
  isFinished,
  isPresent,
  isUnderWay,
  later,
  type RunState,
  type StepState,
  unknownSince,
} from "./state.ts";

/** The result of an attempt. */
export type Ending =
  | { readonly kind: "succeeded"; readonly result: Values; readonly detail?: Values }
  | { readonly kind: "parked"; readonly reason: string }
  /** The step succeeds by itself after this many seconds. */
  | { readonly kind: "waiting"; readonly seconds: number }
  | FailedEnding;

export interface FailedEnding {
  readonly kind: "failed";
  readonly error: string;
  /** Attempts that end with `refused` or `budget` are never retried. */
  readonly cause: "failed" | "refused" | "budget";
  readonly mayRetry: boolean;
  /** True if the effect may have happened. */
  readonly isUnknown: boolean;
  /** The wait before the next attempt. */
  readonly delayMs: number;
}

/** A worker's report; owner and attempt prove that the worker still holds the step. */
export interface Settlement {
  readonly stepId: number;
  readonly owner: string;
  readonly attempt: number;
  readonly ending: Ending;
}

/** Records how an attempt ended; a worker that lost its lease records nothing. */
export function settle(run: RunState, given: Settlement, now: Date): Change | Refusal {
  const { stepId, owner, attempt, ending } = given;
  const step = run.steps.find(({ id }) => id === stepId);
  const isHeld =
    step?.status === "running" && step.leaseOwner === owner && step.attempts === attempt;
  if (!isHeld) return refuse("the lease was lost");
  const isUnknown = ending.kind === "failed" && ending.isUnknown;
  const firstUnknownAt = isUnknown ? unknownSince(step, now) : step.firstUnknownAt;
  const freed = { ...step, firstUnknownAt, leaseOwner: null, leaseUntil: null };
  const change = withStep(unchanged(run), stepId, freed);
  if (ending.kind === "failed") return fail(change, freed, ending, now);
  if (ending.kind === "succeeded") return succeed(change, freed, ending, now);
  if (!mayMove(run, freed)) return leave(change, freed, now);
  return ending.kind === "parked"
    ? park(change, freed, ending.reason)
    : wait(change, freed, ending.seconds, now);
}

/** True if the step may still move its run. Otherwise its result is only recorded. */
const mayMove = (run: RunState, step: StepState): boolean =>
  isUnderWay(run) && isPresent(run, step);

function succeed(
  change: Change,
  step: StepState,
  { result, detail }: Extract<Ending, { kind: "succeeded" }>,
  now: Date,
): Change {
  const changes = { status: "succeeded", result, lastError: null, finishedAt: now } as const;
  const done = loggedStep(withStep(change, step.id, changes), step, "step.succeeded", detail);
  return mayMove(done.run, step) ? proceed(done, now) : done;
}

/** Ends a step that would have continued, because its run no longer waits for it. */
function leave(change: Change, step: StepState, now: Date): Change {
  const isOver = isFinished(change.run);
  const left = { status: isOver ? "cancelled" : "skipped", finishedAt: now } as const;
  const kind = isOver ? "cancelled" : "step.skipped";
  return loggedStep(withStep(change, step.id, left), step, kind, { reason: "its phase is over" });
}

const park = (change: Change, step: StepState, reason: string): Change =>
  loggedStep(withStep(change, step.id, { parkedFor: "action" }), step, "parked", { reason });

const wait = (change: Change, step: StepState, seconds: number, now: Date): Change =>
  withStep(change, step.id, {
    status: "ready",
    dueAt: later(heldSince(change.run, now), seconds * 1_000),
    hasWaited: true,
  });

/** Due times of a paused run count from the start of the pause, because its end shifts them. */
export const heldSince = ({ status, pausedAt }: RunState, now: Date): Date =>
  status === "paused" && pausedAt ? pausedAt : now;

function fail(change: Change, step: StepState, ending: FailedEnding, now: Date): Change {
  const { error, mayRetry, cause } = ending;
  const noted = withStep(change, step.id, { lastError: error });
  const isRepeatable = mayRetry && step.attempts < step.triesAllowed && mayMove(change.run, step);
  if (isRepeatable) return retryLater(noted, step, ending, now);
  const log = cause === "failed" ? "step.failed" : cause;
  return endFailed(noted, step, { log, error }, now);
}

function retryLater(
  change: Change,
  step: StepState,
  { error, delayMs }: FailedEnding,
  now: Date,
): Change {
  const dueAt = later(heldSince(change.run, now), delayMs);
  const ready = withStep(change, step.id, { status: "ready", dueAt });
  return loggedStep(ready, step, "step.retried", { error, attempt: step.attempts });
}

interface Failure {
  readonly log: "step.failed" | "refused" | "budget";
  readonly error: string;
}

/** Ends a failed step for good and applies its `onFailure` to the run. */
export function endFailed(change: Change, step: StepState, failure: Failure, now: Date): Change {
  const { log, error } = failure;
  const isHeeded = mayMove(change.run, step);
  if (isHeeded && step.onFailure === "park") return parkFailed(change, step, failure);
  const freed = { leaseOwner: null, leaseUntil: null };
  const changes = {
    ...step,
    ...freed,
    status: "failed",
    lastError: error,
    finishedAt: now,
  } as const;
  const failed = degrade(
    loggedStep(withStep(change, step.id, changes), step, log, { error, attempt: step.attempts }),
  );
  if (!isHeeded) return failed;
  if (step.onFailure === "abort") return abort(failed, error, now);
  if (step.onFailure === "pause") return pauseFor(failed, step, now);
  return proceed(failed, now);
}

/** A finished run keeps its health. */
const degrade = (change: Change): Change =>
  isFinished(change.run) ? change : withRun(change, { health: "degraded" });

function parkFailed(change: Change, step: StepState, { log, error }: Failure): Change {
  const parked = withStep(change, step.id, {
    ...step,
    status: "running",
    parkedFor: "failure",
    lastError: error,
    leaseOwner: null,
    leaseUntil: null,
  });
  const refused =
    log === "step.failed" ? parked : degrade(loggedStep(parked, step, log, { error }));
  return loggedStep(refused, step, "parked", { reason: error });
}

function abort(change: Change, lastError: string, now: Date): Change {
  const stopped = withRun(ended(withOpenSteps(change, "cancelled", now), "failed", now), {
    lastError,
  });
  return logged(stopped, "failed", { error: lastError });
}

function pauseFor(change: Change, step: StepState, now: Date): Change {
  if (change.run.status !== "running") return change;
  const paused = { status: "paused", pausedAt: now, pausedByStep: step.id } as const;
  return loggedStep(withRun(change, paused), step, "paused", { reason: "the step failed" });
}

import { advanceSteps } from "./phases.ts";
import {
  type RunChange,
  logStep,
  type TransitionRefusal,
  createTransitionRefusal,
  createEmptyChange,
  changeStep,
} from "./run-change.ts";
import { endFailedStep } from "./settle.ts";
import {
  isRunFinished,
  isLeased,
  isInCurrentPhase,
  addMs,
  type RunState,
  type StepState,
  findEarliestEffectTime,
} from "./state.ts";

export interface ClaimRequest {
  readonly stepId: number;
  /** The unique name of this attempt, stored as the owner of the lease. */
  readonly owner: string;
  readonly leaseMs: number;
}

/**
 * The shard remembers the keys of effects for a day. After this time, a retry of an attempt with an
 * unknown end could repeat its effect.
 */
const keyRetentionMs = 20 * 3_600_000;

/**
 * Gives a due step to a worker and stores the worker's name in it. A step that needs a confirmation is parked
 * instead. A step that has waited long enough or lost too many workers can end.
 */
export function claimDueStep(
  run: RunState,
  request: ClaimRequest,
  now: Date,
): RunChange | TransitionRefusal {
  const step = run.steps.find(({ id }) => id === request.stepId);
  if (!step || !isDue(step, now)) return createTransitionRefusal("the step is not due");
  if (isLeased(step) && isObsolete(run, step)) return abandon(run, step, now);
  const isWaitedFor = run.status === "running" && isInCurrentPhase(run, step);
  if (!isWaitedFor) return createTransitionRefusal("the run does not wait for this step");
  if (isLeased(step)) return takeOver(run, step, request, now);
  if (step.hasWaited) return succeedAfterWait(run, step, now);
  if (step.confirm && !step.confirmedAt) return park(run, step, "confirm");
  return isKeyExpired(step, now) ? park(run, step, "unknown") : lease(run, step, request, now);
}

/** Claims a step whose lease expired; the result of its former attempt is unknown. */
function takeOver(run: RunState, left: StepState, request: ClaimRequest, now: Date): RunChange {
  const step = { ...left, firstUnknownAt: findEarliestEffectTime(left, now) };
  if (isKeyExpired(step, now)) return park(run, step, "unknown");
  if (step.attempts < step.triesAllowed) return lease(run, step, request, now);
  const error = "every worker that ran the step was lost";
  return endFailedStep(createEmptyChange(run), step, { log: "step.failed", error }, now);
}

function isDue(step: StepState, now: Date): boolean {
  if (isLeased(step)) return step.leaseUntil !== null && step.leaseUntil < now;
  return step.status === "ready" && step.dueAt !== null && step.dueAt <= now;
}

/** True if the run has ended or has left the step's phase. */
const isObsolete = (run: RunState, step: StepState): boolean =>
  isRunFinished(run) || !isInCurrentPhase(run, step);

const abandon = (run: RunState, step: StepState, now: Date): RunChange => {
  const status = isRunFinished(run) ? "cancelled" : "skipped";
  const lastError = "the worker that ran the step was lost, and the outcome is unknown";
  const changes = {
    status,
    lastError,
    finishedAt: now,
    leaseOwner: null,
    leaseUntil: null,
  } as const;
  const kind = status === "skipped" ? "step.skipped" : "cancelled";
  return logStep(changeStep(createEmptyChange(run), step.id, changes), step, kind, {
    reason: lastError,
  });
};

function succeedAfterWait(run: RunState, step: StepState, now: Date): RunChange {
  const changes = { status: "succeeded", finishedAt: now, result: {}, lastError: null } as const;
  const succeeded = changeStep(createEmptyChange(run), step.id, changes);
  return advanceSteps(logStep(succeeded, step, "step.succeeded"), now);
}

const reasons = { confirm: "to be confirmed", unknown: "outcome unknown" } as const;

function park(run: RunState, step: StepState, parkedFor: "confirm" | "unknown"): RunChange {
  const parked = changeStep(createEmptyChange(run), step.id, {
    ...step,
    status: "running",
    parkedFor,
    leaseOwner: null,
    leaseUntil: null,
  });
  return logStep(parked, step, "parked", { reason: reasons[parkedFor] });
}

const isKeyExpired = ({ firstUnknownAt }: StepState, now: Date): boolean =>
  firstUnknownAt !== null && addMs(firstUnknownAt, keyRetentionMs) < now;

function lease(
  run: RunState,
  step: StepState,
  { owner, leaseMs }: ClaimRequest,
  now: Date,
): RunChange {
  const leased = {
    ...step,
    status: "running",
    attempts: step.attempts + 1,
    leaseOwner: owner,
    leaseUntil: addMs(now, leaseMs),
    startedAt: step.startedAt ?? now,
  } as const;
  const change = changeStep(createEmptyChange(run), step.id, leased);
  const detail = {
    attempt: leased.attempts,
    ...(isLeased(step) && { reason: "the worker that ran the step was lost" }),
  };
  return logStep(change, step, "step.started", detail);
}

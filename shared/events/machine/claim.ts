import { type Change, loggedStep, type Refusal, refuse, unchanged, withStep } from "./change.ts";
import { proceed } from "./phases.ts";
import { endFailed } from "./settle.ts";
import {
  isFinished,
  isLeased,
  isPresent,
  later,
  type RunState,
  type StepState,
  unknownSince,
} from "./state.ts";

export interface Claim {
  readonly stepId: number;
  /** A unique name of this attempt. */
  readonly owner: string;
  readonly leaseMs: number;
}

/**
 * The shard remembers the keys of effects for a day. After this time, a retry of an attempt with an
 * unknown end could repeat its effect.
 */
const knownAgainMs = 20 * 3_600_000;

/**
 * Gives a due step to a worker and stores the worker's name in it. The claim can also settle the
 * step: it needs a confirmation, has waited long enough, or lost its worker once too often.
 */
export function claim(run: RunState, asked: Claim, now: Date): Change | Refusal {
  const step = run.steps.find(({ id }) => id === asked.stepId);
  if (!step || !isDue(step, now)) return refuse("the step is not due");
  if (isLeased(step) && isLeftOver(run, step)) return abandon(run, step, now);
  const isWaitedFor = run.status === "running" && isPresent(run, step);
  if (!isWaitedFor) return refuse("the run does not wait for it");
  if (isLeased(step)) return takeOver(run, step, asked, now);
  if (step.hasWaited) return succeedAfterWait(run, step, now);
  if (step.confirm && !step.confirmedAt) return park(run, step, "confirm");
  return isForgotten(step, now) ? park(run, step, "unknown") : lease(run, step, asked, now);
}

/** The end of the attempt whose lease expired is unknown. */
function takeOver(run: RunState, left: StepState, asked: Claim, now: Date): Change {
  const step = { ...left, firstUnknownAt: unknownSince(left, now) };
  if (isForgotten(step, now)) return park(run, step, "unknown");
  if (step.attempts < step.triesAllowed) return lease(run, step, asked, now);
  const error = "its workers were lost";
  return endFailed(unchanged(run), step, { log: "step.failed", error }, now);
}

function isDue(step: StepState, now: Date): boolean {
  if (isLeased(step)) return step.leaseUntil !== null && step.leaseUntil < now;
  return step.status === "ready" && step.dueAt !== null && step.dueAt <= now;
}

/** True if the run left the step's phase or ended without the step. */
const isLeftOver = (run: RunState, step: StepState): boolean =>
  isFinished(run) || !isPresent(run, step);

const abandon = (run: RunState, step: StepState, now: Date): Change => {
  const status = isFinished(run) ? "cancelled" : "skipped";
  const lastError = "its worker was lost, the outcome is unknown";
  const changes = {
    status,
    lastError,
    finishedAt: now,
    leaseOwner: null,
    leaseUntil: null,
  } as const;
  const kind = status === "skipped" ? "step.skipped" : "cancelled";
  return loggedStep(withStep(unchanged(run), step.id, changes), step, kind, { reason: lastError });
};

function succeedAfterWait(run: RunState, step: StepState, now: Date): Change {
  const changes = { status: "succeeded", finishedAt: now, result: {}, lastError: null } as const;
  const succeeded = withStep(unchanged(run), step.id, changes);
  return proceed(loggedStep(succeeded, step, "step.succeeded"), now);
}

const reasons = { confirm: "to be confirmed", unknown: "outcome unknown" } as const;

function park(run: RunState, step: StepState, parkedFor: "confirm" | "unknown"): Change {
  const parked = withStep(unchanged(run), step.id, {
    ...step,
    status: "running",
    parkedFor,
    leaseOwner: null,
    leaseUntil: null,
  });
  return loggedStep(parked, step, "parked", { reason: reasons[parkedFor] });
}

const isForgotten = ({ firstUnknownAt }: StepState, now: Date): boolean =>
  firstUnknownAt !== null && later(firstUnknownAt, knownAgainMs) < now;

function lease(run: RunState, step: StepState, { owner, leaseMs }: Claim, now: Date): Change {
  const leased = {
    ...step,
    status: "running",
    attempts: step.attempts + 1,
    leaseOwner: owner,
    leaseUntil: later(now, leaseMs),
    startedAt: step.startedAt ?? now,
  } as const;
  const change = withStep(unchanged(run), step.id, leased);
  const detail = {
    attempt: leased.attempts,
    ...(isLeased(step) && { reason: "its worker was lost" }),
  };
  return loggedStep(change, step, "step.started", detail);
}

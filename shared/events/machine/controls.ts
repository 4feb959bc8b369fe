import {
  type Change,
  ended,
  logged,
  type Refusal,
  refuse,
  unchanged,
  withOpenSteps,
  withRun,
  withSteps,
  loggedStep,
  withStep,
} from "./change.ts";
import { enterPhase, gateDueAfter, leavePhase, proceed } from "./phases.ts";
import { heldSince } from "./settle.ts";
import { isUnderWay, later, type RunState, isParked, isPresent, type StepState } from "./state.ts";

/** The author of a change and the reason, for the log. */
export interface Asked {
  /** A user's id; absent if the engine decided. */
  readonly by?: number | undefined;
  readonly reason?: string | undefined;
}

/** Begins a run whose steps have been written. */
export function start(run: RunState, now: Date): Change | Refusal {
  if (run.status !== "scheduled") return refuse(`a ${run.status} run does not start`);
  const begun = withRun(unchanged(run), { status: "running", startedAt: now });
  return enterPhase(logged(begun, "started"), 0, now);
}

export function miss(run: RunState, reason: string, now: Date): Change | Refusal {
  if (run.status !== "scheduled") return refuse(`a ${run.status} run is not missed`);
  const missed = withRun(ended(unchanged(run), "missed", now), { lastError: reason });
  return logged(missed, "missed", { reason });
}

export function pause(run: RunState, { by, reason }: Asked, now: Date): Change | Refusal {
  if (run.status !== "running") return refuse(`a ${run.status} run cannot be paused`);
  const paused = withRun(unchanged(run), { status: "paused", pausedAt: now, pausedByStep: null });
  return logged(paused, "paused", { by, reason });
}

export function resume(run: RunState, { by }: Asked, now: Date): Change | Refusal {
  if (run.status !== "paused") return refuse(`a ${run.status} run cannot be resumed`);
  return goOn(unchanged(run), { by }, now);
}

/** Ends a pause and shifts all due times by its length. */
function goOn(change: Change, asked: Asked, now: Date): Change {
  const { run } = change;
  const pausedMs = Math.max(0, now.valueOf() - (run.pausedAt ?? now).valueOf());
  const gate = run.phases[run.phase ?? 0]?.gate;
  const shifted = withSteps(change, ({ status, dueAt }) =>
    status === "ready" && dueAt ? { dueAt: later(dueAt, pausedMs) } : undefined,
  );
  const running = withRun(shifted, {
    status: "running",
    pausedAt: null,
    pausedByStep: null,
    phasePausedMs: run.phasePausedMs + pausedMs,
    // A gate that timed out has no due time and gets its full timeout again.
    gateDueAt: run.gateDueAt
      ? later(run.gateDueAt, pausedMs)
      : gate
        ? gateDueAfter(gate, now)
        : null,
  });
  return proceed(logged(running, "resumed", { by: asked.by }), now);
}

export function advance(run: RunState, { by, reason }: Asked, now: Date): Change | Refusal {
  if (!isUnderWay(run)) return refuse(`a ${run.status} run cannot be advanced`);
  return leavePhase(unchanged(run), { by, reason }, now);
}

export function cancel(run: RunState, { by, reason }: Asked, now: Date): Change | Refusal {
  if (!isUnderWay(run) && run.status !== "scheduled") {
    return refuse(`a ${run.status} run cannot be cancelled`);
  }
  const stopped = withOpenSteps(unchanged(run), "cancelled", now);
  return logged(ended(stopped, "cancelled", now), "cancelled", { by, reason });
}

/** A person's decision on a step. */
export interface StepAsked extends Asked {
  readonly stepId: number;
}

type Decide = (run: RunState, step: StepState, asked: StepAsked, now: Date) => Change | Refusal;

const decision =
  (decide: Decide) =>
  (run: RunState, asked: StepAsked, now: Date): Change | Refusal => {
    const step = run.steps.find(({ id }) => id === asked.stepId);
    if (!step) return refuse("the run has no such step");
    if (!isUnderWay(run)) return refuse(`the run is ${run.status}`);
    return decide(run, step, asked, now);
  };

const otherPhase = refuse("the step is not in the current phase");

/** A step that waits for confirmation becomes ready; any other parked step is done by hand. */
export const confirm = decision((run, step, { by, reason }, now) => {
  if (!isPresent(run, step)) return otherPhase;
  if (!isParked(step)) return refuse("the step does not wait for a person");
  const changes =
    step.parkedFor === "confirm"
      ? ({ status: "ready", dueAt: heldSince(run, now), confirmedAt: now } as const)
      : ({ status: "succeeded", finishedAt: now, result: step.result ?? {} } as const);
  const confirmed = withStep(unchanged(run), step.id, { ...changes, parkedFor: null });
  return proceed(loggedStep(confirmed, step, "step.confirmed", { by, note: reason }), now);
});

export const skip = decision((run, step, { by, reason }, now) => {
  if (step.phase < (run.phase ?? 0)) return otherPhase;
  const isOpen = step.status === "pending" || step.status === "ready" || isParked(step);
  if (!isOpen && step.status !== "failed") return refuse(`a ${step.status} step cannot be skipped`);
  const changes = { status: "skipped", parkedFor: null, finishedAt: now } as const;
  const skipped = withStep(unchanged(run), step.id, changes);
  return proceed(loggedStep(skipped, step, "step.skipped", { by, reason }), now);
});

/** Retries a step with the same key, and resumes the run if the step's failure paused it. */
export const retry = decision((run, step, { by }, now) => {
  if (!isPresent(run, step)) return otherPhase;
  const isFailure = step.parkedFor === "failure" || step.parkedFor === "unknown";
  if (step.status !== "failed" && !(isParked(step) && isFailure)) {
    return refuse("the step has not failed");
  }
  const ready = withStep(unchanged(run), step.id, {
    status: "ready",
    dueAt: heldSince(run, now),
    finishedAt: null,
    parkedFor: null,
    triesAllowed: step.attempts + step.maxAttempts,
    // The person accepts the risk that an effect with an unknown end is repeated.
    firstUnknownAt: step.parkedFor === "unknown" ? null : step.firstUnknownAt,
  });
  const retried = loggedStep(ready, step, "step.retried", { by });
  const isPausedByIt = run.status === "paused" && run.pausedByStep === step.id;
  return isPausedByIt ? goOn(retried, { by }, now) : retried;
});

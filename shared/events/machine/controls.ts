import { enterPhase, computeGateDueTime, leavePhase, advanceSteps } from "./phases.ts";
import {
  type RunChange,
  endRun,
  logRun,
  type TransitionRefusal,
  createTransitionRefusal,
  createEmptyChange,
  endOpenSteps,
  changeRunState,
  changeSteps,
  logStep,
  changeStep,
} from "./run-change.ts";
import { findDueBaseTime } from "./settle.ts";
import {
  isRunUnderWay,
  addMs,
  type RunState,
  isStepParked,
  isInCurrentPhase,
  type StepState,
} from "./state.ts";

/** The author of a change and the reason, for the log. */
export interface ControlRequest {
  /** A user's id; absent if the engine decided. */
  readonly by?: number | undefined;
  readonly reason?: string | undefined;
}

/** Starts a run. Its steps must already be stored. */
export function startRun(run: RunState, now: Date): RunChange | TransitionRefusal {
  if (run.status !== "scheduled") {
    return createTransitionRefusal(`a ${run.status} run cannot be started`);
  }
  const begun = changeRunState(createEmptyChange(run), { status: "running", startedAt: now });
  return enterPhase(logRun(begun, "started"), 0, now);
}

export function markRunMissed(
  run: RunState,
  reason: string,
  now: Date,
): RunChange | TransitionRefusal {
  if (run.status !== "scheduled") {
    return createTransitionRefusal(`a ${run.status} run cannot become missed`);
  }
  const missed = changeRunState(endRun(createEmptyChange(run), "missed", now), {
    lastError: reason,
  });
  return logRun(missed, "missed", { reason });
}

export function pauseRun(
  run: RunState,
  { by, reason }: ControlRequest,
  now: Date,
): RunChange | TransitionRefusal {
  if (run.status !== "running") {
    return createTransitionRefusal(`a ${run.status} run cannot be paused`);
  }
  const paused = changeRunState(createEmptyChange(run), {
    status: "paused",
    pausedAt: now,
    pausedByStep: null,
  });
  return logRun(paused, "paused", { by, reason });
}

export function resumeRun(
  run: RunState,
  { by }: ControlRequest,
  now: Date,
): RunChange | TransitionRefusal {
  if (run.status !== "paused") {
    return createTransitionRefusal(`a ${run.status} run cannot be resumed`);
  }
  return continueRun(createEmptyChange(run), { by }, now);
}

/** Ends a pause and moves all due times by the length of the pause. */
function continueRun(change: RunChange, asked: ControlRequest, now: Date): RunChange {
  const { run } = change;
  const pausedMs = Math.max(0, now.valueOf() - (run.pausedAt ?? now).valueOf());
  const gate = run.phases[run.phase ?? 0]?.gate;
  const shifted = changeSteps(change, ({ status, dueAt }) =>
    status === "ready" && dueAt ? { dueAt: addMs(dueAt, pausedMs) } : undefined,
  );
  const running = changeRunState(shifted, {
    status: "running",
    pausedAt: null,
    pausedByStep: null,
    phasePausedMs: run.phasePausedMs + pausedMs,
    // A gate that timed out has no due time, so it gets its full timeout again.
    gateDueAt: run.gateDueAt
      ? addMs(run.gateDueAt, pausedMs)
      : gate
        ? computeGateDueTime(gate, now)
        : null,
  });
  return advanceSteps(logRun(running, "resumed", { by: asked.by }), now);
}

export function advanceRun(
  run: RunState,
  { by, reason }: ControlRequest,
  now: Date,
): RunChange | TransitionRefusal {
  if (!isRunUnderWay(run)) return createTransitionRefusal(`a ${run.status} run cannot be advanced`);
  return leavePhase(createEmptyChange(run), { by, reason }, now);
}

export function cancelRun(
  run: RunState,
  { by, reason }: ControlRequest,
  now: Date,
): RunChange | TransitionRefusal {
  if (!isRunUnderWay(run) && run.status !== "scheduled") {
    return createTransitionRefusal(`a ${run.status} run cannot be cancelled`);
  }
  const stopped = endOpenSteps(createEmptyChange(run), "cancelled", now);
  return logRun(endRun(stopped, "cancelled", now), "cancelled", { by, reason });
}

/** A person's decision on a step. */
export interface StepControlRequest extends ControlRequest {
  readonly stepId: number;
}

type Decide = (
  run: RunState,
  step: StepState,
  asked: StepControlRequest,
  now: Date,
) => RunChange | TransitionRefusal;

const controlForStep =
  (decide: Decide) =>
  (run: RunState, asked: StepControlRequest, now: Date): RunChange | TransitionRefusal => {
    const step = run.steps.find(({ id }) => id === asked.stepId);
    if (!step) return createTransitionRefusal("the run has no such step");
    if (!isRunUnderWay(run)) return createTransitionRefusal(`the run is ${run.status}`);
    return decide(run, step, asked, now);
  };

const wrongPhase = createTransitionRefusal("the step is not in the current phase");

/** A step that waits for confirmation becomes ready; any other parked step succeeds. */
export const confirmStep = controlForStep((run, step, { by, reason }, now) => {
  if (!isInCurrentPhase(run, step)) return wrongPhase;
  if (!isStepParked(step)) return createTransitionRefusal("the step does not wait for a person");
  const changes =
    step.parkedFor === "confirm"
      ? ({ status: "ready", dueAt: findDueBaseTime(run, now), confirmedAt: now } as const)
      : ({ status: "succeeded", finishedAt: now, result: step.result ?? {} } as const);
  const confirmed = changeStep(createEmptyChange(run), step.id, { ...changes, parkedFor: null });
  return advanceSteps(logStep(confirmed, step, "step.confirmed", { by, note: reason }), now);
});

export const skipStep = controlForStep((run, step, { by, reason }, now) => {
  if (step.phase < (run.phase ?? 0)) return wrongPhase;
  const isOpen = step.status === "pending" || step.status === "ready" || isStepParked(step);
  if (!isOpen && step.status !== "failed") {
    return createTransitionRefusal(`a ${step.status} step cannot be skipped`);
  }
  const changes = { status: "skipped", parkedFor: null, finishedAt: now } as const;
  const skipped = changeStep(createEmptyChange(run), step.id, changes);
  return advanceSteps(logStep(skipped, step, "step.skipped", { by, reason }), now);
});

/** Retries a step with its idempotency key; resumes the run if the step's failure paused it. */
export const retryStep = controlForStep((run, step, { by }, now) => {
  if (!isInCurrentPhase(run, step)) return wrongPhase;
  const isFailure = step.parkedFor === "failure" || step.parkedFor === "unknown";
  if (step.status !== "failed" && !(isStepParked(step) && isFailure)) {
    return createTransitionRefusal("the step has not failed");
  }
  const ready = changeStep(createEmptyChange(run), step.id, {
    status: "ready",
    dueAt: findDueBaseTime(run, now),
    finishedAt: null,
    parkedFor: null,
    triesAllowed: step.attempts + step.maxAttempts,
    // The person accepts that an effect with an unknown result may be repeated.
    firstUnknownAt: step.parkedFor === "unknown" ? null : step.firstUnknownAt,
  });
  const retried = logStep(ready, step, "step.retried", { by });
  const isPausedByIt = run.status === "paused" && run.pausedByStep === step.id;
  return isPausedByIt ? continueRun(retried, { by }, now) : retried;
});

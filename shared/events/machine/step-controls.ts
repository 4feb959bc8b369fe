import { type Change, loggedStep, type Refusal, refuse, unchanged, withStep } from "./change.ts";
import { type Asked, goOn } from "./controls.ts";
import { proceed } from "./phases.ts";
import { heldSince } from "./settle.ts";
import { isParked, isPresent, isUnderWay, type RunState, type StepState } from "./state.ts";

/** What a person decides on a step. */
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

/** What was asked first runs now; what a person was to do, or did in the place of a failed step, is done. */
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

/** Tries a step again under the same key; a run that its failure paused goes on. */
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
    // Who tries again what nobody knows the end of takes it upon themselves.
    firstUnknownAt: step.parkedFor === "unknown" ? null : step.firstUnknownAt,
  });
  const retried = loggedStep(ready, step, "step.retried", { by });
  const isPausedByIt = run.status === "paused" && run.pausedByStep === step.id;
  return isPausedByIt ? goOn(retried, { by }, now) : retried;
});

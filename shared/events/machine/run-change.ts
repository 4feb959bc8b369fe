import type { LogLine } from "../run-log.ts";
import type { RunLogKind } from "../vocabulary.ts";
import { isStepParked, type RunState, type StepState } from "./state.ts";

/** The result of a transition: the new state of the run and the lines of its log. */
export interface RunChange {
  readonly run: RunState;
  readonly log: readonly LogLine[];
}

/** The reason why a transition does not take place. */
export interface TransitionRefusal {
  readonly refusal: string;
}

export const createTransitionRefusal = (refusal: string): TransitionRefusal => ({ refusal });

export const createEmptyChange = (run: RunState): RunChange => ({ run, log: [] });

type Detail = Readonly<Record<string, unknown>>;

export const changeRunState = ({ run, log }: RunChange, changes: Partial<RunState>): RunChange => ({
  run: { ...run, ...changes },
  log,
});

/** Changes each step for which the function returns changes. */
export const changeSteps = (
  change: RunChange,
  changesOf: (step: StepState) => Partial<StepState> | undefined,
): RunChange => {
  const steps = change.run.steps.map((step) => {
    const changes = changesOf(step);
    return changes ? { ...step, ...changes } : step;
  });
  return changeRunState(change, { steps });
};

export const changeStep = (
  { run, log }: RunChange,
  id: number,
  changes: Partial<StepState>,
): RunChange => ({
  run: {
    ...run,
    steps: run.steps.map((step) => (step.id === id ? { ...step, ...changes } : step)),
  },
  log,
});

/** Adds a log line about the run, in its present phase. */
export const logRun = (
  { run, log }: RunChange,
  kind: RunLogKind,
  detail: Detail = {},
): RunChange => ({
  run,
  log: [...log, { runId: run.id, kind, phase: phaseKey(run, run.phase), detail }],
});

export const logStep = (
  { run, log }: RunChange,
  step: StepState,
  kind: RunLogKind,
  detail: Detail = {},
): RunChange => ({
  run,
  log: [...log, { runId: run.id, stepId: step.id, kind, phase: phaseKey(run, step.phase), detail }],
});

export const phaseKey = ({ phases }: RunState, phase: number | null): string | null =>
  phase === null ? null : (phases[phase]?.key ?? null);

/** Ends the run and keeps its phase. */
export const endRun = (
  change: RunChange,
  status: "completed" | "cancelled" | "failed" | "missed",
  now: Date,
): RunChange =>
  changeRunState(change, {
    status,
    endedAt: now,
    gateDueAt: null,
    pausedAt: null,
    pausedByStep: null,
  });

/** Skips or cancels open steps. A step that a worker holds ends with its attempt. */
export const endOpenSteps = (
  change: RunChange,
  status: "skipped" | "cancelled",
  now: Date,
  isAffected: (step: StepState) => boolean = () => true,
): RunChange =>
  changeSteps(change, (step) =>
    isAffected(step) && isOpen(step)
      ? { status, parkedFor: null, dueAt: null, finishedAt: now }
      : undefined,
  );

const isOpen = (step: StepState): boolean =>
  step.status === "pending" || step.status === "ready" || isStepParked(step);

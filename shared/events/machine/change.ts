import type { LogLine } from "../run-log.ts";
import type { RunLogKind } from "../vocabulary.ts";
import { isParked, type RunState, type StepState } from "./state.ts";

/** The result of a transition: the new state of the run and the lines of its log. */
export interface Change {
  readonly run: RunState;
  readonly log: readonly LogLine[];
}

/** The reason why a transition does not take place. */
export interface Refusal {
  readonly refusal: string;
}

export const refuse = (refusal: string): Refusal => ({ refusal });

export const unchanged = (run: RunState): Change => ({ run, log: [] });

type Detail = Readonly<Record<string, unknown>>;

export const withRun = ({ run, log }: Change, changes: Partial<RunState>): Change => ({
  run: { ...run, ...changes },
  log,
});

/** Changes each step for which the function returns changes. */
export const withSteps = (
  change: Change,
  changesOf: (step: StepState) => Partial<StepState> | undefined,
): Change => {
  const steps = change.run.steps.map((step) => {
    const changes = changesOf(step);
    return changes ? { ...step, ...changes } : step;
  });
  return withRun(change, { steps });
};

export const withStep = (
  { run, log }: Change,
  id: number,
  changes: Partial<StepState>,
): Change => ({
  run: {
    ...run,
    steps: run.steps.map((step) => (step.id === id ? { ...step, ...changes } : step)),
  },
  log,
});

/** Adds a log line about the run, in its present phase. */
export const logged = ({ run, log }: Change, kind: RunLogKind, detail: Detail = {}): Change => ({
  run,
  log: [...log, { runId: run.id, kind, phase: phaseKey(run, run.phase), detail }],
});

export const loggedStep = (
  { run, log }: Change,
  step: StepState,
  kind: RunLogKind,
  detail: Detail = {},
): Change => ({
  run,
  log: [...log, { runId: run.id, stepId: step.id, kind, phase: phaseKey(run, step.phase), detail }],
});

export const phaseKey = ({ phases }: RunState, phase: number | null): string | null =>
  phase === null ? null : (phases[phase]?.key ?? null);

/** Ends the run and keeps its phase. */
export const ended = (
  change: Change,
  status: "completed" | "cancelled" | "failed" | "missed",
  now: Date,
): Change =>
  withRun(change, { status, endedAt: now, gateDueAt: null, pausedAt: null, pausedByStep: null });

/** Ends the steps that no worker holds. A step that a worker holds ends by itself. */
export const withOpenSteps = (
  change: Change,
  status: "skipped" | "cancelled",
  now: Date,
  isMeant: (step: StepState) => boolean = () => true,
): Change =>
  withSteps(change, (step) =>
    isMeant(step) && isOpen(step)
      ? { status, parkedFor: null, dueAt: null, finishedAt: now }
      : undefined,
  );

const isOpen = (step: StepState): boolean =>
  step.status === "pending" || step.status === "ready" || isParked(step);

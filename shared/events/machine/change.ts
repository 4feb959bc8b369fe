import type { LogLine } from "../run-log.ts";
import type { RunLogKind } from "../vocabulary.ts";
import { isParked, type RunState, type StepState } from "./state.ts";

/** What a transition makes of a run, and what its log says of it. */
export interface Change {
  readonly run: RunState;
  readonly log: readonly LogLine[];
}

/** Why a transition does not take place. */
export interface Refusal {
  readonly refusal: string;
}

export const refuse = (refusal: string): Refusal => ({ refusal });

export const unchanged = (run: RunState): Change => ({ run, log: [] });

type Detail = Readonly<Record<string, unknown>>;

/** Changes the run itself. */
export const withRun = ({ run, log }: Change, changes: Partial<RunState>): Change => ({
  run: { ...run, ...changes },
  log,
});

/** Changes each step for which the function gives anything. */
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

/** Adds a line on the run, in its present phase. */
export const logged = ({ run, log }: Change, kind: RunLogKind, detail: Detail = {}): Change => ({
  run,
  log: [...log, { runId: run.id, kind, phase: phaseKey(run, run.phase), detail }],
});

/** Adds a line on a step. */
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

/** Ends the run; where it was is kept. */
export const ended = (
  change: Change,
  status: "completed" | "cancelled" | "failed" | "missed",
  now: Date,
): Change =>
  withRun(change, { status, endedAt: now, gateDueAt: null, pausedAt: null, pausedByStep: null });

/** Gives steps that no worker holds another end: one that is held ends by itself. */
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

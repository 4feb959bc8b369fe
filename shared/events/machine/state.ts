import type { ParamValues } from "../../facts/param.ts";
import type { PhaseGate } from "../spec/spec.ts";
import type { FailureReaction, RunStatus, StepStatus } from "../vocabulary.ts";

/** The decision of a person that a step waits for. */
type AwaitedDecision = "action" | "confirm" | "failure" | "unknown";

/** The state of a step, without its action. */
export interface StepState {
  readonly id: number;
  /** The index of the phase in the event, from 0. */
  readonly phase: number;
  readonly seq: number;
  readonly offsetSeconds: number;
  readonly onFailure: FailureReaction;
  /** True if a person must confirm the step before its effect. */
  readonly confirm: boolean;
  /** Attempts that the event allows. A manual retry allows the same number again. */
  readonly maxAttempts: number;

  readonly status: StepStatus;
  readonly dueAt: Date | null;
  /** Number of attempts; never reset, so a worker that lost its lease cannot record a result. */
  readonly attempts: number;
  readonly triesAllowed: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
  readonly parkedFor: AwaitedDecision | null;
  readonly confirmedAt: Date | null;
  /** True if the action asked to wait. The step then succeeds when it is due. */
  readonly hasWaited: boolean;
  /** The time of the first attempt whose result is unknown. */
  readonly firstUnknownAt: Date | null;
  readonly result: ParamValues | null;
  readonly lastError: string | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface PhaseState {
  readonly key: string;
  readonly gate: PhaseGate;
}

/** A run and its steps before or after a transition. */
export interface RunState {
  readonly id: number;
  readonly phases: readonly PhaseState[];
  /** In the order in which they are due. */
  readonly steps: readonly StepState[];
  /** Events that the present phase's gate has counted. */
  readonly hits: number;
  /** The variables of the last counted event. */
  readonly lastHit: ParamValues | null;

  readonly status: RunStatus;
  readonly health: "ok" | "degraded";
  /** The index of the present phase; null before the start, and kept after the end. */
  readonly phase: number | null;
  readonly phaseBeganAt: Date | null;
  /** How long the present phase was paused. */
  readonly phasePausedMs: number;
  /** When the gate opens by itself or times out. */
  readonly gateDueAt: Date | null;
  readonly pausedAt: Date | null;
  /** The step whose failure paused the run. */
  readonly pausedByStep: number | null;
  /** Variables of the events that opened gates, by name. */
  readonly variables: ParamValues;
  readonly lastError: string | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

export const isRunUnderWay = ({ status }: Pick<RunState, "status">): boolean =>
  status === "running" || status === "paused";

export const isRunFinished = (run: Pick<RunState, "status">): boolean =>
  run.status !== "scheduled" && !isRunUnderWay(run);

/** A running step without a lease owner is parked: it waits for a person. */
export const parkedFields = { status: "running", leaseOwner: null } as const;

export const isStepParked = ({
  status,
  leaseOwner,
}: Pick<StepState, keyof typeof parkedFields>): boolean =>
  status === parkedFields.status && leaseOwner === parkedFields.leaseOwner;

export const isLeased = ({ status, leaseOwner }: StepState): boolean =>
  status === "running" && leaseOwner !== null;

/** Also true for a failed step, but not for a parked one. */
export const hasStepEnded = ({ status }: StepState): boolean =>
  status !== "pending" && status !== "ready" && status !== "running";

export const isInCurrentPhase = (run: RunState, step: StepState): boolean =>
  step.phase === run.phase;

export const listCurrentPhaseSteps = (run: RunState): readonly StepState[] =>
  run.steps.filter((step) => isInCurrentPhase(run, step));

export const addMs = (moment: Date, ms: number): Date => new Date(moment.valueOf() + ms);

/** Upper bound of an attempt: its time limit and the lease that its worker may hold afterward. */
const longestAttemptMs = 660_000;

/**
 * Returns the earliest time at which a step whose result is unknown can have taken effect. Counts from the
 * earliest start of the attempt that was lost, because the step may have started days ago.
 */
export function findEarliestEffectTime(
  { firstUnknownAt, startedAt, leaseUntil }: StepState,
  now: Date,
): Date {
  if (firstUnknownAt) return firstUnknownAt;
  const began = addMs(leaseUntil ?? now, -longestAttemptMs);
  return startedAt && startedAt > began ? startedAt : began;
}

import type { Values } from "../../facts/param.ts";
import type { Gate } from "../spec/spec.ts";
import type { OnFailure, RunStatus, StepStatus } from "../vocabulary.ts";

/** What a step that no worker holds waits for a person to settle. */
type ParkedFor = "action" | "confirm" | "failure" | "unknown";

/** A step as the machine knows it: neither what it does nor how. */
export interface StepState {
  readonly id: number;
  /** The phase's place in the event, from 0. */
  readonly phase: number;
  readonly seq: number;
  readonly offsetSeconds: number;
  readonly onFailure: OnFailure;
  /** A person is asked before the effect. */
  readonly confirm: boolean;
  /** Attempts that the event allows, and that each retry of a person grants anew. */
  readonly maxAttempts: number;

  readonly status: StepStatus;
  readonly dueAt: Date | null;
  /** Never reset: it fences off workers that lost their lease. */
  readonly attempts: number;
  readonly triesAllowed: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
  readonly parkedFor: ParkedFor | null;
  readonly confirmedAt: Date | null;
  /** It has begun to wait, and succeeds when it is due. */
  readonly hasWaited: boolean;
  /** The first attempt of which nobody knows how it ended. */
  readonly firstUnknownAt: Date | null;
  readonly result: Values | null;
  readonly lastError: string | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface PhaseState {
  readonly key: string;
  readonly gate: Gate;
}

/** A run and its steps, as they are before or after a transition. */
export interface RunState {
  readonly id: number;
  readonly phases: readonly PhaseState[];
  /** In the order in which they are due. */
  readonly steps: readonly StepState[];
  /** Events that the present phase's gate has counted. */
  readonly hits: number;
  /** What the last of them tells. */
  readonly lastHit: Values | null;

  readonly status: RunStatus;
  readonly health: "ok" | "degraded";
  /** The present phase's place; null before the start, and kept after the end. */
  readonly phase: number | null;
  readonly phaseBeganAt: Date | null;
  /** How long the present phase was paused. */
  readonly phasePausedMs: number;
  /** When the gate opens by itself, or gives up waiting. */
  readonly gateDueAt: Date | null;
  readonly pausedAt: Date | null;
  /** The step whose failure paused the run. */
  readonly pausedByStep: number | null;
  /** What is known by name from events that opened gates. */
  readonly variables: Values;
  readonly lastError: string | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

export const isUnderWay = ({ status }: Pick<RunState, "status">): boolean =>
  status === "running" || status === "paused";

export const isFinished = (run: Pick<RunState, "status">): boolean =>
  run.status !== "scheduled" && !isUnderWay(run);

/** How a step stands that waits for a person: no worker holds it. */
export const parked = { status: "running", leaseOwner: null } as const;

export const isParked = ({ status, leaseOwner }: Pick<StepState, keyof typeof parked>): boolean =>
  status === parked.status && leaseOwner === parked.leaseOwner;

export const isLeased = ({ status, leaseOwner }: StepState): boolean =>
  status === "running" && leaseOwner !== null;

/** A failed step has ended as well; one that is parked has not. */
export const hasEnded = ({ status }: StepState): boolean =>
  status !== "pending" && status !== "ready" && status !== "running";

export const isPresent = (run: RunState, step: StepState): boolean => step.phase === run.phase;

/** The steps of the present phase. */
export const presentSteps = (run: RunState): readonly StepState[] =>
  run.steps.filter((step) => isPresent(run, step));

export const later = (moment: Date, ms: number): Date => new Date(moment.valueOf() + ms);

/** No attempt at a step takes longer: its time, and the lease that its worker held to the end. */
const longestAttemptMs = 660_000;

/**
 * Since when nobody knows whether a step acted, once its present attempt ended so: at the earliest
 * since that began. The step itself may have begun days before, and be tried again by a person.
 */
export function unknownSince(
  { firstUnknownAt, startedAt, leaseUntil }: StepState,
  now: Date,
): Date {
  if (firstUnknownAt) return firstUnknownAt;
  const began = later(leaseUntil ?? now, -longestAttemptMs);
  return startedAt && startedAt > began ? startedAt : began;
}

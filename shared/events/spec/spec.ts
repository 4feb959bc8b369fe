import { literal } from "sequelize";

import type { Param, ParamValues } from "../../facts/param.ts";
import { findAction } from "../actions/catalogue.ts";
import type { Schedule } from "../schedule/schedule.ts";
import {
  type FailureReaction,
  type TimeoutReaction,
  type Operator,
  type RunScope,
  changesWorld,
} from "../vocabulary.ts";

export interface GateCondition {
  readonly var: string;
  readonly op: Operator;
  readonly value: unknown;
}

export interface TriggerGate {
  readonly kind: "trigger";
  readonly trigger: string;
  /** Number of events that must each meet every condition. */
  readonly count: number;
  readonly where: readonly GateCondition[];
  readonly timeoutSeconds?: number;
  readonly onTimeout: TimeoutReaction;
}

/** The condition that ends a phase. */
export type PhaseGate =
  | { readonly kind: "steps" }
  | { readonly kind: "after"; readonly seconds: number }
  | TriggerGate
  | { readonly kind: "manual" };

export interface StepSpec {
  readonly key: string;
  readonly actionId: string;
  /** Texts may contain templates. */
  readonly params: ParamValues;
  /** Seconds after the start of the phase. The step never begins before the preceding step has ended. */
  readonly offsetSeconds: number;
  readonly onFailure: FailureReaction;
  /** True if a person must confirm the step before its effect. */
  readonly confirm: boolean;
  readonly maxAttempts: number;
  /** The time limit of one attempt. */
  readonly budgetMs: number;
}

export interface PhaseSpec {
  readonly key: string;
  readonly title: string;
  readonly steps: readonly StepSpec[];
  readonly advance: PhaseGate;
}

/** The content of an event, with every default filled in. */
export interface EventSpec {
  /** True if the event is announced to everyone. */
  readonly listed: boolean;
  readonly scope: RunScope;
  readonly schedule: Schedule;
  readonly params: readonly Param[];
  readonly phases: readonly PhaseSpec[];
}

/** Returns the spec of a version. Its defaults were filled in when the version was stored. */
export const specOf = ({ spec }: { readonly spec: object }): EventSpec => spec as EventSpec;

type Timing = Pick<EventSpec, "schedule" | "scope">;

/** Selects only schedule and scope of `spec`: lists read many specs, which may be large. */
export const selectTiming = (joined: string): [ReturnType<typeof literal>, string] => [
  literal(
    `jsonb_build_object('schedule', "${joined}"."spec" -> 'schedule',
      'scope', "${joined}"."spec" -> 'scope')`,
  ),
  "spec",
];

/** Returns schedule and scope of a version that was read whole or with `selectTiming`. */
export const timingOf = ({ spec }: { readonly spec: object }): Timing => spec as Timing;

/** Returns true if a step of an event changes the world of a game. */
export const hasWorldChangingSteps = (event: { readonly spec: object }): boolean =>
  specOf(event).phases.some(({ steps }) =>
    steps.some(({ actionId }) => {
      const action = findAction(actionId);
      return action !== undefined && changesWorld(action.risk);
    }),
  );

import { literal } from "sequelize";

import type { Param, Values } from "../../facts/param.ts";
import { findAction } from "../actions/catalogue.ts";
import type { Schedule } from "../schedule/schedule.ts";
import {
  type OnFailure,
  type OnTimeout,
  type Operator,
  type Scope,
  changesWorld,
} from "../vocabulary.ts";

/** A condition on a variable of a trigger. */
export interface Condition {
  readonly var: string;
  readonly op: Operator;
  readonly value: unknown;
}

export interface TriggerGate {
  readonly kind: "trigger";
  readonly trigger: string;
  /** So many events that meet every condition. */
  readonly count: number;
  readonly where: readonly Condition[];
  readonly timeoutSeconds?: number;
  readonly onTimeout: OnTimeout;
}

/** What lets a phase end. */
export type Gate =
  | { readonly kind: "steps" }
  | { readonly kind: "after"; readonly seconds: number }
  | TriggerGate
  | { readonly kind: "manual" };

export interface StepSpec {
  readonly key: string;
  readonly actionId: string;
  /** Texts may hold templates. */
  readonly params: Values;
  /** From the phase's begin; never before the step above has ended. */
  readonly offsetSeconds: number;
  readonly onFailure: OnFailure;
  /** A person is asked before the effect. */
  readonly confirm: boolean;
  readonly maxAttempts: number;
  /** One attempt's time. */
  readonly budgetMs: number;
}

export interface PhaseSpec {
  readonly key: string;
  readonly title: string;
  readonly steps: readonly StepSpec[];
  readonly advance: Gate;
}

/** What an event consists of, with every default filled in. */
export interface EventSpec {
  /** Announced to everyone. */
  readonly listed: boolean;
  readonly scope: Scope;
  readonly schedule: Schedule;
  readonly params: readonly Param[];
  readonly phases: readonly PhaseSpec[];
}

/** The spec of a version: it was completed when it was stored. */
export const specOf = ({ spec }: { readonly spec: object }): EventSpec => spec as EventSpec;

type Timing = Pick<EventSpec, "schedule" | "scope">;

/**
 * The attribute `spec` of a version that is joined under a name, with nothing but when and where the
 * event takes place: lists read it of many versions, and a whole spec may be large.
 */
export const timingOnly = (joined: string): [ReturnType<typeof literal>, string] => [
  literal(
    `jsonb_build_object('schedule', "${joined}"."spec" -> 'schedule',
      'scope', "${joined}"."spec" -> 'scope')`,
  ),
  "spec",
];

/** When and where an event takes place, by a version that was read whole or so. */
export const timingOf = ({ spec }: { readonly spec: object }): Timing => spec as Timing;

/** Whether a step of an event changes the world of a game. */
export const hasWorldSteps = (event: { readonly spec: object }): boolean =>
  specOf(event).phases.some(({ steps }) =>
    steps.some(({ actionId }) => {
      const action = findAction(actionId);
      return action !== undefined && changesWorld(action.risk);
    }),
  );

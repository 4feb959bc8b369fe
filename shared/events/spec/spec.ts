import type { Param } from "../../facts/param.ts";
import type { Values } from "../../facts/param.ts";
import type { Schedule } from "../schedule/schedule.ts";
import type { OnFailure, OnTimeout, Operator, Scope } from "../vocabulary.ts";

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

import {
  type Param,
  type ValueProblem,
  type ParamValues,
  findValueProblem,
} from "../../facts/param.ts";
import type { CommandActor } from "../../platform/bridge/calls/call.ts";
import type { EventContext } from "../context.ts";
import { fillParam } from "../params.ts";
import type { ActionRisk } from "../vocabulary.ts";

/** One attempt of a step, as passed to its action. */
export interface StepAttempt<P = ParamValues> {
  readonly runId: number;
  /** The checked parameters, with all templates filled in. Every attempt of the step has the same values. */
  readonly params: P;
  /**
   * The key of the step's effect. Every attempt has the same key, so the receiver can drop repeats of an effect.
   */
  readonly idempotencyKey: string;
  /** The user who started the run, with their present role. */
  readonly actor: CommandActor;
  /** Aborts when the attempt times out, its lease is lost or the worker stops. */
  readonly signal: AbortSignal;
  /** Returns the result of a step of the same run; undefined if that step has not succeeded. */
  resultOf(this: void, stepKey: string): Promise<ParamValues | undefined>;
  /**
   * Carries out the effect; a rehearsal only records the call. An action must make all its changes
   * to the world through this function.
   * @param call describes the effect for the run's log
   * @param rehearsalResult the result that a rehearsal returns
   */
  effect(
    this: void,
    call: ParamValues,
    carryOut: (context: EventContext) => Promise<ParamValues>,
    rehearsalResult?: ParamValues,
  ): Promise<ParamValues>;
}

/** The result of an attempt that did not throw. */
export type ActionResult =
  | { readonly kind: "done"; readonly result: ParamValues }
  /** A person must decide how the step continues. */
  | { readonly kind: "park"; readonly reason: string }
  /** The step succeeds by itself after this many seconds. */
  | { readonly kind: "wait"; readonly seconds: number };

export const createDoneResult = (result: ParamValues = {}): ActionResult => ({
  kind: "done",
  result,
});

export interface Action {
  readonly id: string;
  readonly label: string;
  /** The module that provides the action. */
  readonly owner: string;
  readonly risk: ActionRisk;
  readonly reversible: boolean;
  /** Increase it when the same parameters get a new meaning. */
  readonly version: number;
  readonly params: readonly Param[];
  /** The amounts that a run's caps can limit, such as `kits`. */
  readonly dimensions: readonly string[];
  /** Returns how much of each dimension a step with these parameters spends; 1 by default. */
  spendOf(this: void, params: ParamValues): Readonly<Record<string, number>>;
  /** Adds parameters that follow from the given ones, before a spec is checked and stored. */
  deriveParams(this: void, params: ParamValues): ParamValues;
  /**
   * Returns the problems of parameters that are valid alone but not in combination.
   * @param given names of all given parameters, including those whose templates are not filled in
   */
  checkCombination(
    this: void,
    params: ParamValues,
    given: ReadonlySet<string>,
  ): readonly ParamProblem[];
  run(this: void, attempt: StepAttempt, context: EventContext): Promise<ActionResult>;
}

export interface ParamProblem extends ValueProblem {
  readonly param: string;
}

type ActionDeclaration<P> = Pick<Action, "id" | "label" | "owner" | "risk" | "params"> &
  Partial<
    Pick<
      Action,
      "reversible" | "version" | "dimensions" | "spendOf" | "deriveParams" | "checkCombination"
    >
  > & {
    run(attempt: StepAttempt<P>, context: EventContext): Promise<ActionResult> | ActionResult;
  };

/** Creates an action. By default it is not reversible and spends 1 of each dimension. */
export function defineAction<P = ParamValues>(declared: ActionDeclaration<P>): Action {
  const { dimensions = [] } = declared;
  return {
    reversible: false,
    version: 1,
    spendOf: () => Object.fromEntries(dimensions.map((dimension) => [dimension, 1])),
    deriveParams: (params) => params,
    checkCombination: () => [],
    ...declared,
    dimensions,
    run: async (attempt, context) => declared.run(attempt as StepAttempt<P>, context),
  };
}

/**
 * Returns the problems of the parameters of an action.
 * @param waiting names of given parameters whose values are filled in later
 */
export function checkParams(
  declared: Action,
  params: ParamValues,
  waiting: ReadonlySet<string> = new Set(),
): readonly ParamProblem[] {
  const problems = declared.params
    .filter(({ name, required }) => !waiting.has(name) && (required || params[name] !== undefined))
    .flatMap((param) => {
      const problem = findValueProblem(param, params[param.name]);
      return problem ? [{ ...problem, param: param.name }] : [];
    });
  if (problems.length > 0) return problems;
  const filled = Object.keys(params).filter((name) => params[name] !== undefined);
  return declared.checkCombination(params, new Set([...filled, ...waiting]));
}

export const fillParams = (
  declared: Pick<Action, "params"> | undefined,
  given: ParamValues,
  values: ParamValues,
): ParamValues =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const param = declared?.params.find((one) => one.name === name);
      return [name, fillParam(param, value, values)];
    }),
  );

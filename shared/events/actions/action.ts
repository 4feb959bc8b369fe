import { type Param, type Problem, type Values, problemOf } from "../../facts/param.ts";
import type { Actor } from "../../platform/bridge/calls/call.ts";
import type { EventContext } from "../context.ts";
import { fillFor } from "../params.ts";
import type { Risk } from "../vocabulary.ts";

/** One attempt of a step, as its action is given it. */
export interface Attempt<P = Values> {
  readonly runId: number;
  /** Filled in and checked; the same at each attempt of the step. */
  readonly params: P;
  /** The same at each attempt of the step, so that an effect happens once. */
  readonly idempotencyKey: string;
  /** Who started the run, with the role they have now. */
  readonly actor: Actor;
  /** Ends when the attempt's time is over. */
  readonly signal: AbortSignal;
  /** What a step of the same run answered; undefined where it has not succeeded. */
  resultOf(this: void, stepKey: string): Promise<Values | undefined>;
  /**
   * Brings the effect about, and in a rehearsal only says what it would have been: all that an
   * action does to the world goes through here.
   * @param call what the effect consists of, for the run's log
   * @param pretended what a rehearsal goes on with
   */
  effect(
    this: void,
    call: Values,
    bringAbout: (context: EventContext) => Promise<Values>,
    pretended?: Values,
  ): Promise<Values>;
}

/** How an attempt ended, when it did not throw. */
export type Outcome =
  | { readonly kind: "done"; readonly result: Values }
  /** A person has to settle the step. */
  | { readonly kind: "park"; readonly reason: string }
  /** The step succeeds by itself after so many seconds. */
  | { readonly kind: "wait"; readonly seconds: number };

export const done = (result: Values = {}): Outcome => ({ kind: "done", result });

/** Something that a step of an event does. */
export interface Action {
  readonly id: string;
  readonly label: string;
  /** The module that brought it. */
  readonly owner: string;
  readonly risk: Risk;
  readonly reversible: boolean;
  /** Rises when the same parameters come to mean something else. */
  readonly version: number;
  readonly params: readonly Param[];
  /** What a run may be allowed only so much of. */
  readonly dimensions: readonly string[];
  /** What a step with these parameters spends of each dimension; 1 unless it says otherwise. */
  spends(this: void, params: Values): Readonly<Record<string, number>>;
  /** Parameters with those that follow from them: an event is checked and kept with these. */
  complete(this: void, params: Values): Values;
  /**
   * What is wrong with parameters that fit one by one.
   * @param given names of all that is given, also of what is still to be filled in
   */
  problemsOf(this: void, params: Values, given: ReadonlySet<string>): readonly ParamProblem[];
  run(this: void, attempt: Attempt, context: EventContext): Promise<Outcome>;
}

export interface ParamProblem extends Problem {
  readonly param: string;
}

type Declared<P> = Pick<Action, "id" | "label" | "owner" | "risk" | "params"> &
  Partial<
    Pick<Action, "reversible" | "version" | "dimensions" | "spends" | "complete" | "problemsOf">
  > & {
    run(attempt: Attempt<P>, context: EventContext): Promise<Outcome> | Outcome;
  };

/** Declares an action once: its words, its parameters, what it may spend and what it does. */
export function action<P = Values>(declared: Declared<P>): Action {
  const { dimensions = [] } = declared;
  return {
    reversible: false,
    version: 1,
    spends: () => Object.fromEntries(dimensions.map((dimension) => [dimension, 1])),
    complete: (params) => params,
    problemsOf: () => [],
    ...declared,
    dimensions,
    run: async (attempt, context) => declared.run(attempt as Attempt<P>, context),
  };
}

/**
 * What is wrong with the parameters that an action is to be carried out with.
 * @param waiting names of those that are given, and filled in only later
 */
export function paramProblems(
  declared: Action,
  params: Values,
  waiting: ReadonlySet<string> = new Set(),
): readonly ParamProblem[] {
  const problems = declared.params
    .filter(({ name, required }) => !waiting.has(name) && (required || params[name] !== undefined))
    .flatMap((param) => {
      const problem = problemOf(param, params[param.name]);
      return problem ? [{ ...problem, param: param.name }] : [];
    });
  if (problems.length > 0) return problems;
  const filled = Object.keys(params).filter((name) => params[name] !== undefined);
  return declared.problemsOf(params, new Set([...filled, ...waiting]));
}

/** What an action is given, with what its templates name. */
export const fillParams = (
  declared: Pick<Action, "params"> | undefined,
  given: Values,
  values: Values,
): Values =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const param = declared?.params.find((one) => one.name === name);
      return [name, fillFor(param, value, values)];
    }),
  );

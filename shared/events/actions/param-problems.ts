import { problemOf } from "../../facts/param.ts";
import type { Values } from "../../facts/param.ts";
import type { Action, ParamProblem } from "./action.ts";

/**
 * What is wrong with the parameters that an action is to be carried out with.
 * @param waiting names of those that are given, and filled in only later
 */
export function paramProblems(
  action: Action,
  params: Values,
  waiting: ReadonlySet<string> = new Set(),
): readonly ParamProblem[] {
  const problems = action.params
    .filter(({ name, required }) => !waiting.has(name) && (required || params[name] !== undefined))
    .flatMap((param) => {
      const problem = problemOf(param, params[param.name]);
      return problem ? [{ ...problem, param: param.name }] : [];
    });
  if (problems.length > 0) return problems;
  const filled = Object.keys(params).filter((name) => params[name] !== undefined);
  return action.problemsOf(params, new Set([...filled, ...waiting]));
}

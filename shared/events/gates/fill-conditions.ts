import type { Values } from "../../facts/param.ts";
import type { Trigger } from "../../facts/trigger.ts";
import { fillFor } from "../params/fill-for.ts";
import type { Condition } from "../spec/spec.ts";

/** Conditions with the parameters of the run in them: what text is compared with is text. */
export const fillConditions = (
  where: readonly Condition[],
  { variables }: Pick<Trigger, "variables">,
  params: Values,
): Condition[] =>
  where.map((condition) => {
    const variable = variables.find(({ name }) => name === condition.var);
    const isPiece = condition.op === "contains" && variable?.list !== true;
    const asked = isPiece ? ({ type: "text" } as const) : variable;
    const fillOne = (value: unknown): unknown => fillFor(asked, value, params);
    const { value } = condition;
    return { ...condition, value: Array.isArray(value) ? value.map(fillOne) : fillOne(value) };
  });

import type { ParamType, ParamValues } from "../../facts/param.ts";
import type { EventTrigger } from "../../facts/trigger.ts";
import { parseSerial } from "../../platform/bridge/serial.ts";
import { fillParam } from "../params.ts";
import type { GateCondition } from "../spec/spec.ts";
import type { Operator } from "../vocabulary.ts";

/** Returns true if all conditions hold. An absent variable meets only `exists` with false. */
export const meetsConditions = (
  conditions: readonly GateCondition[],
  { variables: declared }: EventTrigger,
  eventValues: ParamValues,
): boolean =>
  conditions.every(({ var: name, op, value }) => {
    const type = declared.find((variable) => variable.name === name)?.type;
    const isThere = Object.hasOwn(eventValues, name);
    if (op === "exists") return isThere === value;
    return type !== undefined && isThere && comparisons[op](eventValues[name], value, type);
  });

type Comparison = (eventValues: unknown, operand: unknown, type: ParamType) => boolean;

/** A serial and a date can be written in several ways, so their parsed values are compared. */
function parseValue(value: unknown, type: ParamType): unknown {
  if (typeof value !== "string") return value;
  if (type === "serial") return parseSerial(value);
  return type === "datetime" ? Date.parse(value) : value;
}

/** Values of different types meet neither `eq` nor `ne`. */
const haveSameType = (eventValues: unknown, operand: unknown): boolean =>
  eventValues !== undefined && typeof eventValues === typeof operand;

const compareValues =
  (holds: (eventValues: unknown, operand: unknown) => boolean): Comparison =>
  (eventValues, operand, type) => {
    const [one, other] = [parseValue(eventValues, type), parseValue(operand, type)];
    return haveSameType(one, other) && holds(one, other);
  };

const compareNumbers = (holds: (eventValues: number, operand: number) => boolean): Comparison =>
  compareValues(
    (eventValues, operand) =>
      typeof eventValues === "number" && holds(eventValues, operand as number),
  );

const isEqual = compareValues((eventValues, operand) => eventValues === operand);

const comparisons: Readonly<Record<Exclude<Operator, "exists">, Comparison>> = {
  eq: isEqual,
  ne: compareValues((eventValues, operand) => eventValues !== operand),
  gt: compareNumbers((eventValues, operand) => eventValues > operand),
  gte: compareNumbers((eventValues, operand) => eventValues >= operand),
  lt: compareNumbers((eventValues, operand) => eventValues < operand),
  lte: compareNumbers((eventValues, operand) => eventValues <= operand),
  in: (eventValues, operand, type) =>
    Array.isArray(operand) && operand.some((one: unknown) => isEqual(eventValues, one, type)),
  contains: (eventValues, operand, type) =>
    Array.isArray(eventValues)
      ? eventValues.some((one: unknown) => isEqual(one, operand, type))
      : typeof eventValues === "string" &&
        typeof operand === "string" &&
        eventValues.includes(operand),
};

/** Fills a run's parameters into conditions. A value that is compared with text becomes text. */
export const fillConditions = (
  where: readonly GateCondition[],
  { variables }: Pick<EventTrigger, "variables">,
  params: ParamValues,
): GateCondition[] =>
  where.map((condition) => {
    const variable = variables.find(({ name }) => name === condition.var);
    const isPiece = condition.op === "contains" && variable?.list !== true;
    const operand = isPiece ? ({ type: "text" } as const) : variable;
    const fillOne = (value: unknown): unknown => fillParam(operand, value, params);
    const { value } = condition;
    return { ...condition, value: Array.isArray(value) ? value.map(fillOne) : fillOne(value) };
  });

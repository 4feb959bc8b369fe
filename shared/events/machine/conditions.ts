import type { ParamType, Values } from "../../facts/param.ts";
import type { Trigger } from "../../facts/trigger.ts";
import { parseSerial } from "../../platform/bridge/serial.ts";
import { fillFor } from "../params.ts";
import type { Condition } from "../spec/spec.ts";
import type { Operator } from "../vocabulary.ts";

/** Returns true if all conditions hold. An absent variable meets only `exists` with false. */
export const meetsAll = (
  conditions: readonly Condition[],
  { variables: declared }: Trigger,
  told: Values,
): boolean =>
  conditions.every(({ var: name, op, value }) => {
    const type = declared.find((variable) => variable.name === name)?.type;
    const isThere = Object.hasOwn(told, name);
    if (op === "exists") return isThere === value;
    return type !== undefined && isThere && comparisons[op](told[name], value, type);
  });

type Comparison = (told: unknown, asked: unknown, type: ParamType) => boolean;

/** A serial and a date can be written in several ways, so their parsed values are compared. */
function plain(value: unknown, type: ParamType): unknown {
  if (typeof value !== "string") return value;
  if (type === "serial") return parseSerial(value);
  return type === "datetime" ? Date.parse(value) : value;
}

/** Values of different types meet neither `eq` nor `ne`. */
const areAlike = (told: unknown, asked: unknown): boolean =>
  told !== undefined && typeof told === typeof asked;

const compared =
  (holds: (told: unknown, asked: unknown) => boolean): Comparison =>
  (told, asked, type) => {
    const [one, other] = [plain(told, type), plain(asked, type)];
    return areAlike(one, other) && holds(one, other);
  };

const ordered = (holds: (told: number, asked: number) => boolean): Comparison =>
  compared((told, asked) => typeof told === "number" && holds(told, asked as number));

const isEqual = compared((told, asked) => told === asked);

const comparisons: Readonly<Record<Exclude<Operator, "exists">, Comparison>> = {
  eq: isEqual,
  ne: compared((told, asked) => told !== asked),
  gt: ordered((told, asked) => told > asked),
  gte: ordered((told, asked) => told >= asked),
  lt: ordered((told, asked) => told < asked),
  lte: ordered((told, asked) => told <= asked),
  in: (told, asked, type) =>
    Array.isArray(asked) && asked.some((one: unknown) => isEqual(told, one, type)),
  contains: (told, asked, type) =>
    Array.isArray(told)
      ? told.some((one: unknown) => isEqual(one, asked, type))
      : typeof told === "string" && typeof asked === "string" && told.includes(asked),
};

/** Fills a run's parameters into conditions; a value that is compared with text becomes text. */
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

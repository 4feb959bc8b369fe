import { parseSerial } from "../platform/bridge/serial.ts";
import type { FaultCode } from "../platform/errors/pointer-faults.ts";
import { isInstant } from "../platform/time/instant.ts";

export const paramTypes = [
  "string",
  "text",
  "integer",
  "number",
  "boolean",
  "duration",
  "datetime",
  "enum",
  "serial",
  "location",
  "server",
  "stream",
] as const;
export type ParamType = (typeof paramTypes)[number];

export type ParamValues = Readonly<Record<string, unknown>>;

/** The declaration of a value for an action or a run. */
export interface Param {
  readonly name: string;
  readonly type: ParamType;
  readonly required: boolean;
  readonly default?: unknown;
  /** The allowed values; only for the types `enum` and `stream`. */
  readonly values?: readonly string[] | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly maxLength?: number | undefined;
  /** If set, the value is the key of an earlier step with this action. */
  readonly stepOf?: string | undefined;
  readonly description?: string | undefined;
}

/** Returns true for types that accept any text. */
export const isTextType = ({ type }: Pick<Param, "type">): boolean =>
  type === "string" || type === "text";

export interface ValueProblem {
  readonly code: FaultCode;
  readonly message: string;
}

const problem = (code: FaultCode, message: string): ValueProblem => ({ code, message });

/** Returns the rule that a value breaks; undefined for a valid value. */
export const findValueProblem = (param: Param, value: unknown): ValueProblem | undefined =>
  checks[param.type](value, param);

type Check = (value: unknown, param: Param) => ValueProblem | undefined;

const checks: Readonly<Record<ParamType, Check>> = {
  string: (value, param) => textProblem(value, param, 256),
  text: (value, param) => textProblem(value, param, 4_000),
  integer: (value, param) =>
    Number.isSafeInteger(value) ? boundsProblem(value as number, param) : notA("whole number"),
  number: (value, param) =>
    typeof value === "number" && Number.isFinite(value)
      ? boundsProblem(value, param)
      : notA("number"),
  boolean: (value) => (typeof value === "boolean" ? undefined : notA("boolean")),
  duration: (value, param) =>
    Number.isSafeInteger(value) && (value as number) >= 0
      ? boundsProblem(value as number, param)
      : notA("whole number of seconds"),
  datetime: (value) => patternProblem(value, isInstant, "an instant with Z or an offset"),
  enum: (value, { values = [] }) => oneOfProblem(value, values),
  serial: (value) =>
    patternProblem(value, (text) => parseSerial(text) !== undefined, "a serial such as 0x40001A2B"),
  location: (value) => (isLocation(value) ? undefined : notA("place: { map, x, y, z? }")),
  server: (value) =>
    patternProblem(
      value,
      (text) => /^[a-z0-9][a-z0-9-]{0,63}$/.test(text),
      "the id or slug of a server",
    ),
  stream: (value, { values }) =>
    values
      ? oneOfProblem(value, values)
      : patternProblem(
          value,
          (text) => /^[a-z]+(\.[a-z]+)+$/.test(text),
          "the name of a push stream",
        ),
};

const notA = (what: string): ValueProblem => problem("type", `must be a ${what}`);

function textProblem(value: unknown, param: Param, longest: number): ValueProblem | undefined {
  if (typeof value !== "string") return problem("type", "must be text");
  if (param.required && value.trim() === "") return problem("required", "must not be empty");
  const maxLength = param.maxLength ?? longest;
  return value.length > maxLength
    ? problem("limit", `must be at most ${maxLength} characters long`)
    : undefined;
}

function boundsProblem(value: number, { min = -Infinity, max = Infinity }: Param) {
  if (value < min) return problem("range", `must be at least ${min}`);
  return value > max ? problem("range", `must be at most ${max}`) : undefined;
}

function patternProblem(value: unknown, fits: (text: string) => boolean, what: string) {
  if (typeof value !== "string") return problem("type", "must be text");
  return fits(value) ? undefined : problem("format", `must be ${what}`);
}

const oneOfProblem = (value: unknown, values: readonly string[]): ValueProblem | undefined =>
  typeof value === "string" && values.includes(value)
    ? undefined
    : problem("unknown", `must be one of ${values.join(", ")}`);

function isLocation(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { map, x, y, z = 0, ...rest } = value as Readonly<Record<string, unknown>>;
  const isNamed = typeof map === "string" && map !== "" && map.length <= 64;
  return isNamed && [x, y, z].every(isCoordinate) && Object.keys(rest).length === 0;
}

const isCoordinate = (value: unknown): boolean =>
  Number.isInteger(value) && Math.abs(value as number) <= 0x7fff;

/** For each type, other types whose values it may accept. */
const assignableTypes: Readonly<Partial<Record<ParamType, readonly ParamType[]>>> = {
  text: ["string", "enum", "serial", "datetime", "server", "stream"],
  string: ["enum", "serial", "datetime", "server", "stream"],
  number: ["integer", "duration"],
  integer: ["duration"],
  duration: ["integer"],
  enum: ["string"],
  serial: ["string"],
  server: ["string"],
  stream: ["string"],
};

/** Returns true if a value of one type may be used for another. The value itself is checked later. */
export const isParamTypeAssignable = (given: ParamType, asked: ParamType): boolean =>
  given === asked || (assignableTypes[asked] ?? []).includes(given);

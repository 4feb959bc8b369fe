import { readTextField } from "./form.ts";
import { toLocalInput } from "./format.ts";
import type { Option } from "./options.ts";

/** Describes a field of a form: how it is shown, and how its value is written in the body of a request. */
export interface FieldSpec {
  /** The path of the value in the object, with dots. */
  readonly name: string;
  readonly kind:
    | "text"
    | "area"
    | "number"
    | "check"
    | "select"
    /** A list of texts, one on each line. */
    | "lines"
    /** A list of numbers, separated by commas or spaces. */
    | "numbers"
    /** An instant, typed in the person's time zone. */
    | "time"
    /** Some of the options. */
    | "choices"
    /** A list of objects with the fields `of`. */
    | "rows";
  readonly label: string;
  readonly hint?: string;
  readonly options?: readonly Option[];
  readonly of?: readonly FieldSpec[];
  /** The values of a new row. */
  readonly fresh?: object;
  /** An empty field is sent as null. */
  readonly isNullable?: boolean;
  /** The values of the options are numbers. */
  readonly isNumeric?: boolean;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly onChange?: (value: string) => void;
}

type Values = Readonly<Record<string, unknown>>;

/** Returns the value at a path with dots. */
export function valueAt(object: object | null | undefined, name: string): unknown {
  return name
    .split(".")
    .reduce<unknown>((value, part) => (Object(value) as Values)[part], object ?? {});
}

/** Builds the body of a request from the fields of a form. Empty numbers are left out. */
export function bodyOf(values: FormData, specs: readonly FieldSpec[], prefix = ""): object {
  const body: Record<string, unknown> = {};
  for (const spec of specs) {
    const value = readValue(values, spec, prefix + spec.name);
    if (value !== undefined) setAt(body, spec.name.split("."), value);
  }
  return body;
}

function setAt(object: Record<string, unknown>, [first = "", ...rest]: string[], value: unknown) {
  if (rest.length === 0) {
    object[first] = value;
    return;
  }
  const inner = (object[first] ?? {}) as Record<string, unknown>;
  object[first] = inner;
  setAt(inner, rest, value);
}

type Reader = (values: FormData, name: string, spec: FieldSpec) => unknown;

const readText: Reader = (values, name, { isNullable, isNumeric }) => {
  const text = readTextField(values, name);
  if (text.trim() === "" && isNullable) return null;
  return isNumeric ? Number(text) : text;
};

const readNumber: Reader = (values, name, { isNullable }) => {
  const text = readTextField(values, name).trim();
  if (text === "") return isNullable ? null : undefined;
  return Number(text);
};

const splitBy =
  (separator: RegExp, convert: (text: string) => unknown): Reader =>
  (values, name) =>
    readTextField(values, name)
      .split(separator)
      .map((text) => text.trim())
      .filter(Boolean)
      .map(convert);

const readers: Readonly<Record<FieldSpec["kind"], Reader>> = {
  text: readText,
  area: readText,
  select: readText,
  number: readNumber,
  check: (values, name) => values.has(name),
  lines: splitBy(/\r?\n/, String),
  numbers: splitBy(/[\s,;]+/, Number),
  time: (values, name) => {
    const text = readTextField(values, name);
    const time = new Date(text);
    if (text === "") return null;
    // A browser accepts years that JavaScript does not: the service refuses them at the field.
    return Number.isNaN(time.getTime()) ? text : time.toISOString();
  },
  choices: (values, name, { isNumeric }) =>
    values.getAll(name).map((value) => (isNumeric ? Number(value) : value)),
  rows: (values, name, { of = [] }) => {
    const rows: object[] = [];
    const hasRow = (at: number) =>
      [...values.keys()].some((key) => key.startsWith(`${name}.${at}.`));
    while (hasRow(rows.length)) rows.push(bodyOf(values, of, `${name}.${rows.length}.`));
    return rows;
  },
};

const readValue = (values: FormData, spec: FieldSpec, name: string): unknown =>
  readers[spec.kind](values, name, spec);

/**
 * Returns the stored object with the fields that the person changed.
 * @param mine the fields of the form
 * @param base the object that the form showed before the person changed it
 */
export function mergeChanges<Stored extends object>(
  mine: object,
  { base, stored, specs }: { base: object; stored: Stored; specs: readonly FieldSpec[] },
): Stored {
  const merged = structuredClone(stored);
  for (const { name, kind } of specs) {
    const [value, before] = [valueAt(mine, name), valueAt(base, name)];
    const isSame = kind === "time" ? isSameMinute(value, before) : isWithin(value, before);
    if (value !== undefined && !isSame) {
      setAt(merged as Record<string, unknown>, name.split("."), value);
    }
  }
  return merged;
}

/** Returns the fields of a body whose values differ from those of the stored object. */
export function pickChangedFields(
  body: object,
  stored: object,
  specs: readonly FieldSpec[],
): object {
  const times = new Set(specs.filter(({ kind }) => kind === "time").map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => {
      const before = valueAt(stored, name);
      return times.has(name) ? !isSameMinute(value, before) : !isWithin(value, before);
    }),
  );
}

/** Compares times to the minute, because their fields have no seconds. */
const isSameMinute = (one: unknown, other: unknown): boolean =>
  one === other ||
  (typeof one === "string" &&
    typeof other === "string" &&
    !Number.isNaN(Date.parse(one)) &&
    toLocalInput(one) === toLocalInput(other));

/** Returns true if each part of the value is in the other one, which may have further fields. */
function isWithin(value: unknown, other: unknown): boolean {
  // A missing text is shown as an empty field, so both are equal.
  if (value === "") return other === "" || other === null || other === undefined;
  if (typeof value !== "object" || value === null) return value === other;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = Array.isArray(other) ? other : [];
    return value.length === list.length && value.every((one, at) => isWithin(one, list[at]));
  }
  return Object.entries(value).every(([name, inner]) =>
    isWithin(inner, valueAt(other as object, name)),
  );
}

/** Writes an object as text for a comparison: one field on each line. */
export function formatFieldValues(object: object, specs: readonly FieldSpec[]): string {
  return specs.flatMap((spec) => describeField(valueAt(object, spec.name), spec)).join("\n");
}

function describeField(value: unknown, spec: FieldSpec): string[] {
  const { label, of, options } = spec;
  if (!Array.isArray(value)) {
    const option = options?.find((one) => one.value === String(value));
    return [`${label}: ${option?.text ?? plain(value)}`];
  }
  const lines = (value as readonly unknown[]).map((one) =>
    of
      ? of.flatMap((inner) => describeField(valueAt(one as object, inner.name), inner)).join(", ")
      : plain(one),
  );
  return [`${label}:`, ...lines.map((line) => `  ${line}`)];
}

const plain = (value: unknown): string =>
  typeof value === "string"
    ? value
    : value === null || value === undefined
      ? "–"
      : JSON.stringify(value);

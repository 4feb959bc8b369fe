import type Joi from "joi";

import { isObject, type JsonObject } from "./json-text.ts";

export type CheckedPayload = { readonly payload: JsonObject } | { readonly reason: string };

/**
 * Checks a payload against its kind's schema. Returns the payload to store, with undeclared fields
 * unchanged, or the reason of the refusal. Without a schema any object passes. Nothing throws.
 */
export function checkAgainst(
  schema: Joi.ObjectSchema | undefined,
  payload: unknown,
): CheckedPayload {
  if (!isObject(payload)) return { reason: "payload must be an object" };
  if (!schema) return { payload };
  const fits = compiled.get(schema) ?? fitsAsIs(schema);
  compiled.set(schema, fits);
  if (fits(payload)) return { payload };
  const { value, error } = schema.validate(payload, {
    allowUnknown: true,
    convert: false,
    presence: "required",
    errors: { label: "path", wrap: { label: false } },
  });
  return error ? { reason: error.message } : { payload: value as JsonObject };
}

const compiled = new WeakMap<Joi.Schema, ReturnType<typeof fitsAsIs>>();

/** Returns true if a value passes unchanged. */
type Fits = (given: unknown) => boolean;

/**
 * Compiles a fast check for values that a schema accepts unchanged, as every valid event is. True is
 * certain; false means that Joi must decide, which takes ten times as long. Measured on one core: 19 µs
 * instead of 2 for a `creature.kill`, 33 instead of 2 for a `vendor.sale` or a `house.upsert`, and 546
 * instead of 47 for a vendor with 50 items. It supports the schema features of the kinds' payloads,
 * with all fields required and unknown fields allowed, and returns false for any other feature.
 */
export function fitsAsIs(schema: Joi.Schema): Fits {
  return compile(schema.describe() as Description);
}

interface Rule {
  readonly name: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** A schema as Joi describes it. */
interface Description {
  readonly type: string;
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly rules?: readonly Rule[];
  readonly allow?: readonly unknown[];
  readonly keys?: Readonly<Record<string, Description>>;
  readonly items?: readonly Description[];
  readonly patterns?: readonly { readonly schema?: Description; readonly rule: Description }[];
  readonly renames?: readonly { readonly from: unknown; readonly options: object }[];
  readonly matches?: readonly { readonly schema?: Description }[];
  readonly preferences?: object;
  readonly metas?: readonly object[];
}

const known = {
  description: ["type", "flags", "rules", "allow", "preferences", "metas"],
  flags: ["presence", "only", "unsafe", "unknown"],
};

const never: Fits = () => false;

function compile(described: Description): Fits {
  const { type, flags = {}, rules = [], allow = [] } = described;
  const base = Object.hasOwn(bases, type) ? bases[type] : undefined;
  const isKnown =
    base !== undefined &&
    Object.keys(described).every((key) => [...known.description, ...base.says].includes(key)) &&
    Object.keys(flags).every((flag) => known.flags.includes(flag)) &&
    flags["presence"] !== "forbidden" &&
    flags["unknown"] !== false &&
    allow.every((value) => typeof value !== "object" || value === null);
  if (!isKnown) return never;
  const allowed = (given: unknown): boolean => allow.includes(given);
  if (flags["only"] === true) return allowed;
  const checks = [base.compile(described), ...rules.map(compileRule)];
  return (given) => allowed(given) || checks.every((check) => check(given));
}

interface Base {
  /** Keys that a description of this type may have in addition to the common ones. */
  readonly says: readonly string[];
  readonly compile: (described: Description) => Fits;
}

const bases: Readonly<Record<string, Base>> = {
  any: { says: [], compile: () => () => true },
  boolean: { says: [], compile: () => (given) => typeof given === "boolean" },
  string: { says: [], compile: () => (given) => typeof given === "string" && given !== "" },
  number: { says: [], compile: compileNumber },
  array: { says: ["items"], compile: compileArray },
  object: { says: ["keys", "patterns", "renames"], compile: compileObject },
  alternatives: { says: ["matches"], compile: compileAlternatives },
};

function compileNumber({ flags }: Description): Fits {
  const most = flags?.["unsafe"] === true ? Number.MAX_VALUE : Number.MAX_SAFE_INTEGER;
  // Joi converts -0 to 0.
  return (given) =>
    typeof given === "number" && given <= most && given >= -most && !Object.is(given, -0);
}

function compileArray({ items = [] }: Description): Fits {
  const [item, ...others] = items.map(compile);
  if (others.length > 0) return never;
  return (given) => Array.isArray(given) && (!item || given.every(item));
}

function compileAlternatives({ matches = [] }: Description): Fits {
  const schemas = matches.map(({ schema }) => schema);
  const types = schemas.map((schema) => schema?.type);
  // If two alternatives can match, the first may change the value.
  if (types.includes(undefined) || new Set(types).size < types.length) return never;
  const fits = schemas.map((schema) => compile(schema as Description));
  return (given) => fits.some((fit) => fit(given));
}

interface Field {
  readonly name: string;
  readonly isOptional: boolean;
  readonly fits: Fits;
}

function compileObject({ keys = {}, patterns = [], renames = [] }: Description): Fits {
  const fields = Object.entries(keys).map(([name, field]): Field => {
    return { name, isOptional: field.flags?.["presence"] === "optional", fits: compile(field) };
  });
  const fitsPatterns = compilePatterns(keys, patterns);
  const former = renames.map(({ from }) => from as string);
  return (given) =>
    typeof given === "object" &&
    given !== null &&
    !Array.isArray(given) &&
    // Joi copies an object key by key and loses this key.
    !Object.hasOwn(given, "__proto__") &&
    !former.some((name) => Object.hasOwn(given, name)) &&
    fields.every((field) => fitsField(field, given as Readonly<Record<string, unknown>>)) &&
    fitsPatterns(given);
}

function fitsField({ name, isOptional, fits }: Field, given: Readonly<Record<string, unknown>>) {
  const value = given[name];
  return value === undefined ? isOptional : fits(value);
}

/** Supports only one form: any key, no declared keys, and values of one rule. */
function compilePatterns(
  keys: NonNullable<Description["keys"]>,
  patterns: NonNullable<Description["patterns"]>,
): (given: object) => boolean {
  const [pattern, ...others] = patterns;
  if (!pattern) return () => true;
  const isAnyName = JSON.stringify(pattern.schema) === '{"type":"string"}';
  if (!isAnyName || others.length > 0 || Object.keys(keys).length > 0) return never;
  const fits = compile(pattern.rule);
  return (given) => Object.entries(given).every(([name, value]) => name !== "" && fits(value));
}

function compileRule({ name, args = {} }: Rule): Fits {
  const { limit, regex, method } = args;
  if (name === "integer") return (given) => Number.isInteger(given);
  if (name === "min" && typeof limit === "number") return (given) => sizeOf(given) >= limit;
  if (name === "max" && typeof limit === "number") return (given) => sizeOf(given) <= limit;
  if (name === "pattern" && typeof regex === "string") return compilePattern(args);
  if (name === "custom" && typeof method === "function") return compileCustom(method as Custom);
  return never;
}

/** Returns the length or the number. Returns NaN for others: comparisons with it are always false. */
function sizeOf(given: unknown): number {
  if (typeof given === "string" || Array.isArray(given)) return given.length;
  return typeof given === "number" ? given : Number.NaN;
}

function compilePattern({ regex, options }: Readonly<Record<string, unknown>>): Fits {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(regex as string) ?? [];
  const isInverted = (options as { invert?: boolean } | undefined)?.invert === true;
  if (source === undefined || flags !== "" || isInverted) return never;
  const pattern = new RegExp(source);
  return (given) => typeof given === "string" && pattern.test(given);
}

type Custom = (given: unknown, helpers: { readonly error: () => symbol }) => unknown;

const refusal = Symbol("refusal");
const helpers = { error: () => refusal };

/** The method must return the value itself; any other result is a change or a refusal. */
const compileCustom =
  (method: Custom): Fits =>
  (given) =>
    method(given, helpers) === given;

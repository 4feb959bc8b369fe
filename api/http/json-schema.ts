import type Joi from "joi";

import { serialPattern } from "../../shared/platform/bridge/serial.ts";

/** A schema of the API description, or a schema within it. */
export type Schema = Readonly<Record<string, unknown>>;

/** The parts of `schema.describe()` that this module adds to the JSON Schema of Joi. */
interface Described {
  readonly flags?: { readonly presence?: string };
  readonly rules?: readonly { readonly name: string; readonly args?: object }[];
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly matches?: readonly { readonly schema: Described }[];
  readonly metas?: readonly Meta[];
  readonly examples?: readonly unknown[];
}

/** Properties that Joi cannot express. A schema declares them with `schema.meta({ … })`. */
interface Meta {
  /** Additional JSON Schema keywords. */
  readonly jsonSchema?: Schema;
  /** The schema of a later check. The API description shows it instead of this schema. */
  readonly describedAs?: () => Joi.Schema;
  /** True for a 64-bit number, which is stored as text and can be sent as an integer. */
  readonly int64?: true;
  /** The name of the component that describes a request body. */
  readonly component?: string;
}

/** The keywords of custom rules, by rule name. */
const ownRules: Readonly<Record<string, Schema>> = {
  serial: { pattern: serialPattern, example: "0x40001A2B" },
  points: { type: "integer" },
  "most points": { type: "integer" },
};

interface Options {
  /**
   * True if a field is required unless it is `optional()`, and unknown fields are allowed, as in ingest's check
   * of payloads.
   */
  readonly isPayload?: boolean;
  /**
   * True for the schema of sent data, in which `x-int64` marks 64-bit numbers: they can be sent as integers but
   * are stored as text.
   */
  readonly isSent?: boolean;
}

/** Rewrites the keywords that differ in OpenAPI 3.0, which uses an older JSON Schema. */
export function toOpenApi(schema: Joi.Schema, options: Options = {}): Schema {
  const { $schema: _dialect, ...json } = schema["~standard"].jsonSchema.input({
    target: "draft-2020-12",
  });
  return complete(rewrite(json), schema.describe(), options);
}

/** Returns the component name of a body; undefined for a body that is not a component. */
export const findComponentName = (body: Joi.ObjectSchema): string | undefined =>
  (body.describe() as Described).metas?.find(({ component }) => component !== undefined)?.component;

/** Adds the properties that Joi omits from its JSON Schema. */
function complete(json: Schema, described: Described, options: Options): Schema {
  const { rules = [], metas = [], examples = [] } = described;
  const own = rules.map(({ name, args }) =>
    name === "custom" ? ownRules[(args as { description?: string }).description ?? ""] : undefined,
  );
  const completed = {
    ...json,
    ...partsOf(json, described, options),
    ...(examples.length > 0 && { example: examples[0] }),
    ...(Object.assign({}, ...own, ...metas.map(hintOf)) as Schema),
    ...(options.isSent && metas.some(({ int64 }) => int64) && { "x-int64": true }),
  };
  // Drops the keyword that forbids other fields: a payload can have undeclared fields, which are stored too.
  const dropped = (keyword: string, value: unknown): boolean =>
    value === undefined ||
    (options.isPayload === true && keyword === "additionalProperties" && value === false);
  return Object.fromEntries(
    Object.entries(completed).filter(([name, value]) => !dropped(name, value)),
  );
}

const hintOf = ({ jsonSchema, describedAs }: Meta): Schema | undefined =>
  describedAs ? toOpenApi(describedAs()) : jsonSchema;

function partsOf(json: Schema, described: Described, options: Options): Schema {
  const { keys, items, matches } = described;
  if (keys && json["properties"]) {
    const properties = json["properties"] as Readonly<Record<string, Schema>>;
    // Leave out forbidden fields: Joi gives them an empty schema, which would accept anything.
    const taken = Object.entries(properties).filter(
      ([name]) => keys[name]?.flags?.presence !== "forbidden",
    );
    const completed = taken.map(([name, property]) => {
      return [name, complete(property, keys[name] ?? {}, options)];
    });
    return {
      properties: Object.fromEntries(completed) as Schema,
      ...(options.isPayload && { required: requiredIn(keys) }),
    };
  }
  if (items?.[0] && json["items"]) {
    return { items: complete(json["items"] as Schema, items[0], options) };
  }
  const anyOf = json["anyOf"] as readonly Schema[] | undefined;
  if (!matches || anyOf?.length !== matches.length) return {};
  return { anyOf: anyOf.map((one, at) => complete(one, matches[at]?.schema ?? {}, options)) };
}

/** Returns the required fields; undefined if there are none, because the list must not be empty. */
function requiredIn(keys: NonNullable<Described["keys"]>): string[] | undefined {
  const names = Object.keys(keys).filter((name) => keys[name]?.flags?.presence !== "optional");
  return names.length > 0 ? names : undefined;
}

function rewrite(schema: Schema): Schema {
  const rewritten: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    Object.assign(rewritten, rewriteKeyword(keyword, value));
  }
  const patterns = schema["patternProperties"] as Readonly<Record<string, Schema>> | undefined;
  const [values] = Object.values(patterns ?? {});
  if (values) rewritten["additionalProperties"] = rewrite(values);
  const parts = rewritten["allOf"] as readonly Schema[] | undefined;
  // Repeat the type in each part of `allOf`, because clients cannot interpret a rule without a type.
  if (parts && rewritten["type"] !== undefined) {
    rewritten["allOf"] = parts.map((part) => ({ type: rewritten["type"], ...part }));
  }
  return rewritten["nullable"] === true ? toNullableSchema(rewritten) : rewritten;
}

function rewriteKeyword(keyword: string, value: unknown): Schema {
  if (keyword === "const") return { enum: [value] };
  if (keyword === "type" && Array.isArray(value)) return nullableType(value as string[]);
  if (keyword === "exclusiveMinimum") return { minimum: value, exclusiveMinimum: true };
  if (keyword === "exclusiveMaximum") return { maximum: value, exclusiveMaximum: true };
  if (keyword === "patternProperties") return {};
  if (keyword === "properties") return { properties: mapValues(value as Schema) };
  if (keyword === "anyOf") return { anyOf: rewriteAnyOf(value as Schema[]) };
  if (Array.isArray(value)) return { [keyword]: value.map(rewriteItem) };
  return { [keyword]: keyword === "default" || keyword === "example" ? value : rewriteItem(value) };
}

/** Removes the null type, which OpenAPI 3.0 lacks, and makes the first alternative nullable. */
function rewriteAnyOf(given: readonly Schema[]): Schema[] {
  const others = given.filter(({ type }) => type !== "null").map(rewrite);
  const [first, ...rest] = others;
  return first && others.length < given.length ? [toNullableSchema(first), ...rest] : others;
}

/** Makes a schema nullable. An enumeration must then contain null. */
export function toNullableSchema(schema: Schema): Schema {
  const values = schema["enum"] as readonly unknown[] | undefined;
  const names = values && !values.includes(null) ? [...values, null] : values;
  return { ...schema, nullable: true, ...(names && { enum: names }) };
}

const mapValues = (schemas: Schema): Schema =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, rewriteItem(schema)]));

const rewriteItem = (item: unknown): unknown =>
  typeof item === "object" && item !== null && !Array.isArray(item)
    ? rewrite(item as Schema)
    : item;

function nullableType(types: readonly string[]): Schema {
  const [type] = types.filter((name) => name !== "null");
  return types.includes("null") ? { type, nullable: true } : { type };
}

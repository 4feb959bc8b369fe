import type Joi from "joi";

import { serialPattern } from "../../shared/platform/bridge/serial.ts";

/** A schema of the API description, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

/** What Joi says of a schema beside its JSON Schema. */
interface Described {
  readonly flags?: { readonly presence?: string };
  readonly rules?: readonly { readonly name: string; readonly args?: object }[];
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly matches?: readonly { readonly schema: Described }[];
  readonly metas?: readonly Meta[];
  readonly examples?: readonly unknown[];
}

/** What a schema tells the description where Joi cannot: `schema.meta({ … })`. */
interface Meta {
  /** Keywords that hold beside Joi's own. */
  readonly jsonSchema?: Schema;
  /** What it is checked by later on. */
  readonly describedAs?: () => Joi.Schema;
  /** A 64-bit number, which is kept as a text and may be sent as an integer too. */
  readonly int64?: true;
  /** The name of the component that a request body is in the description. */
  readonly component?: string;
}

/** How a value is meant that a rule of ours checks, by the rule's name. */
const ownRules: Readonly<Record<string, Schema>> = {
  serial: { pattern: serialPattern, example: "0x40001A2B" },
  points: { type: "integer" },
  "most points": { type: "integer" },
};

interface Options {
  /** Fields are there unless they are `optional()`, as ingest checks payloads; more may be. */
  readonly isPayload?: boolean;
  /** As it may be sent, where that is more than what is stored: `x-int64` marks 64-bit numbers. */
  readonly isSent?: boolean;
}

/** OpenAPI 3.0 knows an older JSON Schema: the keywords that differ, rewritten. */
export function toOpenApi(schema: Joi.Schema, options: Options = {}): Schema {
  const { $schema: _dialect, ...json } = schema["~standard"].jsonSchema.input({
    target: "draft-2020-12",
  });
  return complete(rewrite(json), schema.describe(), options);
}

/** The name of the component that a body is. Undefined for a body that only its operation describes. */
export const componentOf = (body: Joi.ObjectSchema): string | undefined =>
  (body.describe() as Described).metas?.find(({ component }) => component !== undefined)?.component;

/** Adds what Joi leaves out of its JSON Schema. */
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
  // A payload may hold more than its kind declares, and is stored whole.
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
    // Joi gives a field that is never taken an empty schema, which takes anything.
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

/** Undefined where all are optional: an empty list is no list of names. */
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
  // Of a rule by itself clients do not know what it is a rule for.
  if (parts && rewritten["type"] !== undefined) {
    rewritten["allOf"] = parts.map((part) => ({ type: rewritten["type"], ...part }));
  }
  return rewritten["nullable"] === true ? nullable(rewritten) : rewritten;
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

/** There is no type of null: the first of the others may be null instead. */
function rewriteAnyOf(given: readonly Schema[]): Schema[] {
  const others = given.filter(({ type }) => type !== "null").map(rewrite);
  const [first, ...rest] = others;
  return first && others.length < given.length ? [nullable(first), ...rest] : others;
}

/** A list of values names null beside them. */
export function nullable(schema: Schema): Schema {
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

import type Joi from "joi";

type Schema = Record<string, unknown>;

interface StandardJsonSchema {
  readonly "~standard": { readonly jsonSchema: { input(options: { target: string }): Schema } };
}

/** OpenAPI 3.0 knows an older JSON Schema: the keywords that differ, rewritten. */
export function toOpenApi(schema: Joi.Schema): Schema {
  const standard = schema as unknown as StandardJsonSchema;
  const { $schema: _dialect, ...json } = standard["~standard"].jsonSchema.input({
    target: "draft-2020-12",
  });
  return rewrite(json);
}

function rewrite(schema: Schema): Schema {
  const rewritten: Schema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    Object.assign(rewritten, rewriteKeyword(keyword, value));
  }
  return rewritten;
}

function rewriteKeyword(keyword: string, value: unknown): Schema {
  if (keyword === "const") return { enum: [value] };
  if (keyword === "type" && Array.isArray(value)) return nullableType(value as string[]);
  if (keyword === "exclusiveMinimum") return { minimum: value, exclusiveMinimum: true };
  if (keyword === "exclusiveMaximum") return { maximum: value, exclusiveMaximum: true };
  if (keyword === "patternProperties") {
    return { additionalProperties: rewrite(Object.values(value as Schema)[0] as Schema) };
  }
  if (keyword === "properties") return { properties: mapValues(value as Schema) };
  if (Array.isArray(value)) return { [keyword]: value.map(rewriteItem) };
  return { [keyword]: keyword === "default" || keyword === "example" ? value : rewriteItem(value) };
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

import type Joi from "joi";

import { type Schema, toOpenApi } from "../../http/json-schema.ts";

/**
 * Returns the JSON Schema (draft 2020-12) of data that plugins and sidecars send or get. Fields are
 * required unless they are `optional()`, and unknown fields are allowed.
 */
export const toPayloadSchema = (schema: Joi.Schema): Schema =>
  toJsonSchema(toOpenApi(schema, { isPayload: true, isSent: true }));

/** Returns the JSON Schema of a route's input or answer. Only fields marked as required are required. */
export const toRouteSchema = (schema: Joi.Schema): Schema => toJsonSchema(toOpenApi(schema));

/** Converts an OpenAPI 3.0 schema to JSON Schema. */
function toJsonSchema(schema: Schema): Schema {
  const { nullable, example, "x-int64": isLong, ...rest } = schema;
  const converted = Object.fromEntries(
    Object.entries(rest).flatMap(([keyword, value]) => convert(keyword, value, schema)),
  );
  const type = isLong === true ? ["string", "integer"] : converted["type"];
  return {
    ...converted,
    ...(type !== undefined && { type: nullable === true ? [type, "null"].flat() : type }),
    ...(example !== undefined && { examples: [example] }),
  };
}

function convert(keyword: string, value: unknown, of: Schema): [string, unknown][] {
  if (keyword === "exclusiveMinimum" || keyword === "exclusiveMaximum") {
    const bound = keyword === "exclusiveMinimum" ? "minimum" : "maximum";
    return value === true ? [[keyword, of[bound]]] : [];
  }
  if (keyword === "format" && value === "base64") return [["contentEncoding", value]];
  // Allow unknown fields: a later release can add fields, which readers must ignore.
  if (keyword === "additionalProperties" && value === false) return [];
  return [[keyword, convertWithin(keyword, value)]];
}

/** Keywords whose value contains schemas: an object of schemas, a list of schemas, or a single schema. */
const objects = ["properties", "patternProperties"];
const lists = ["anyOf", "allOf", "oneOf", "prefixItems"];
const single = ["items", "additionalProperties", "not"];

function convertWithin(keyword: string, value: unknown): unknown {
  if (objects.includes(keyword)) {
    const schemas = Object.entries(value as Readonly<Record<string, Schema>>);
    return Object.fromEntries(schemas.map(([name, schema]) => [name, toJsonSchema(schema)]));
  }
  if (lists.includes(keyword)) return (value as readonly Schema[]).map(toJsonSchema);
  const isSchema = typeof value === "object" && value !== null;
  return single.includes(keyword) && isSchema ? toJsonSchema(value as Schema) : value;
}

import type Joi from "joi";

import { type Schema, toOpenApi } from "../../http/json-schema.ts";

/**
 * JSON Schema (draft 2020-12) of what a plugin or a sidecar sends or is sent. Fields are required unless
 * they are `optional()`, and there may be more than are declared.
 */
export const sentSchema = (schema: Joi.Schema): Schema =>
  toJsonSchema(toOpenApi(schema, { isPayload: true, isSent: true }));

/** JSON Schema of what a route takes or answers, whose fields are required where they say so. */
export const routeSchema = (schema: Joi.Schema): Schema => toJsonSchema(toOpenApi(schema));

/** JSON Schema in place of the older one of OpenAPI 3.0. */
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
  // What a later release adds is passed over.
  if (keyword === "additionalProperties" && value === false) return [];
  return [[keyword, convertWithin(keyword, value)]];
}

/** Keywords whose value is an object of schemas, a list of them, or one. */
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

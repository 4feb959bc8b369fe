import { compile, type JSONSchema } from "json-schema-to-typescript";

import type { Schema } from "../http/json-schema.ts";

/** The parts of the API description from which the console's types are generated. */
export interface ApiDescriptionInput {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
}

const prefix = "/api/v1";

const heading =
  "// This file is generated from the description of the API. Run `npm run docs` to update it.\n\n";

/**
 * Makes the files from which the console calls the API: the types of each operation's parameters, body and
 * answer, which no browser loads, and the gate that each operation requires.
 */
export async function makeConsoleFiles(
  descriptions: readonly ApiDescriptionInput[],
): Promise<Readonly<Record<string, string>>> {
  const operations = descriptions.flatMap(listOperations);
  const definitions = Object.assign({}, ...descriptions.map(definitionsOf)) as object;
  const schema = toJsonSchema(
    object(Object.fromEntries(operations.map(({ name, schema: one }) => [name, one]))),
  );
  const types = await compile({ ...schema, definitions } as JSONSchema, "Operations", {
    bannerComment: heading,
    additionalProperties: false,
    format: false,
    enableConstEnums: false,
    unreachableDefinitions: false,
    strictIndexSignatures: true,
    unknownAny: true,
  });
  const gates = Object.fromEntries(operations.map(({ name, gate }) => [name, gate]));
  return {
    "console/api/operations.ts": types,
    "console/api/gates.ts": `${heading}import type { Operations } from "./operations.ts";

/** The callers that each operation admits. */
export const gates: Readonly<Record<keyof Operations, string>> = ${JSON.stringify(gates, null, 2)};
`,
  };
}

interface Operation {
  readonly name: string;
  readonly gate: string;
  readonly schema: Schema;
}

function listOperations({ paths }: ApiDescriptionInput): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith(prefix)
      ? Object.entries(methods).map(([method, operation]) => ({
          name: `${method.toUpperCase()} ${path.slice(prefix.length)}`,
          gate: String(operation["x-gate"]),
          schema: operationSchema(operation),
        }))
      : [],
  );
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Body {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

function operationSchema(operation: Schema): Schema {
  const parameters = (operation["parameters"] ?? []) as readonly Parameter[];
  const body = operation["requestBody"] as Body | undefined;
  const answers = operation["responses"] as Readonly<Record<string, Body>>;
  const answer = Object.entries(answers).find(([status]) => status.startsWith("2"))?.[1];
  return object({
    path: objectOf(parameters.filter((one) => one.in === "path")),
    query: objectOf(parameters.filter((one) => one.in === "query")),
    body: schemaIn(body) ?? { type: "null" },
    answer: schemaIn(answer) ?? { type: "null" },
  });
}

const schemaIn = (body: Body | undefined): Schema | undefined =>
  body?.content?.["application/json"]?.schema;

const objectOf = (parameters: readonly Parameter[]): Schema => ({
  type: "object",
  additionalProperties: false,
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
  properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
});

const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
});

const definitionsOf = ({ components }: ApiDescriptionInput) =>
  toJsonSchema(components["schemas"] ?? {});

/** Converts schemas of OpenAPI 3.0 to JSON Schema: references and `nullable` are written differently. */
function toJsonSchema(value: unknown): Schema {
  return convert(value) as Schema;
}

/** Schema keywords that do not affect the generated types. */
const dropped = new Set(
  "example examples pattern minLength maxLength minItems maxItems default description".split(" "),
);

/** Converts the schemas of properties, whose names may be those of keywords. */
const convertEach = (properties: unknown): unknown =>
  Object.fromEntries(
    Object.entries(properties as object).map(([name, schema]) => [name, convert(schema)]),
  );

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== "object" || value === null) return value;
  const { nullable, ...rest } = value as Readonly<Record<string, unknown>>;
  const { $ref, enum: values } = rest;
  if (typeof $ref === "string") {
    return { $ref: $ref.replace("#/components/schemas/", "#/definitions/") };
  }
  const converted = Object.fromEntries(
    Object.entries(rest)
      .filter(([key]) => !dropped.has(key))
      .map(([key, inner]) => [key, key === "properties" ? convertEach(inner) : convert(inner)]),
  );
  const listsNull = Array.isArray(values) && values.includes(null);
  return nullable === true && !listsNull ? { anyOf: [converted, { type: "null" }] } : converted;
}

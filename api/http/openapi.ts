import type Joi from "joi";
import swaggerJsdoc from "swagger-jsdoc";

import { needsSession } from "./gates.ts";
import { toOpenApi } from "./json-schema.ts";
import type { AnswerShape, Route } from "./route.ts";
import { tags } from "./tags.ts";

type Schema = Record<string, unknown>;

export interface OpenApiDescription {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Schema>>;
  readonly components: { readonly schemas?: Schema; readonly securitySchemes?: Schema };
}

const views = ["api/http/components.ts", "api/*/*views.ts"];

/**
 * The OpenAPI 3.0 description of one set of routes: paths from the declarations, component schemas
 * from the `@openapi` blocks beside their views. Broken YAML throws.
 */
export function describeApi(routes: readonly Route[], set: Route["set"]): OpenApiDescription {
  const described = routes.filter((route) => route.set === set && !route.undocumented);
  const used = new Set(described.map((route) => route.tag));
  const description = swaggerJsdoc({
    failOnErrors: true,
    apis: views,
    definition: {
      openapi: "3.0.3",
      info: {
        title: set === "core" ? "Guildhall" : "Guildhall, additive routes",
        version: "1.0.0",
        description: "The backend of a game community's website.",
        license: { name: "Proprietary", url: "https://example.org/license" },
      },
      servers: [{ url: "/" }],
      tags: Object.entries(tags)
        .filter(([name]) => used.has(name))
        .map(([name, text]) => ({ name, description: text })),
      paths: pathsOf(described),
    },
  }) as OpenApiDescription;
  return keepReferenced(description);
}

function pathsOf(routes: readonly Route[]): OpenApiDescription["paths"] {
  const paths: OpenApiDescription["paths"] = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:([A-Za-z]+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: operationOf(route) };
  }
  return paths;
}

function operationOf(route: Route): Schema {
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: route.description ?? `${route.summary}. Gate: ${route.gate}.`,
    "x-gate": route.gate,
    ...(route.limiters && { "x-rate-limit": route.limiters }),
    ...(route.successor && { deprecated: true }),
    security: securityOf(route),
    parameters: [...parametersOf(route.params, "path"), ...parametersOf(route.query, "query")],
    ...(route.body && { requestBody: requestBodyOf(route.body) }),
    responses: responsesOf(route),
  };
}

function operationId(route: Route): string {
  const words = route.path
    .replace("/api/v1", "")
    .split(/[/.:-]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return route.method + words.join("");
}

function securityOf({ gate }: Route): Schema[] {
  if (gate === "refresh") return [];
  if (gate === "challenge") return [{ challengeToken: [] }];
  const session = [{ sessionCookie: [] }, { bearerToken: [] }];
  return needsSession(gate) ? session : [{}, ...session];
}

function parametersOf(schema: Joi.ObjectSchema | undefined, place: "path" | "query"): Schema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toOpenApi(schema) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...json }]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(description !== undefined && { description }),
    schema: json,
  }));
}

const requestBodyOf = (schema: Joi.ObjectSchema): Schema => ({
  required: Object.keys((toOpenApi(schema)["required"] as object | undefined) ?? {}).length > 0,
  content: { "application/json": { schema: toOpenApi(schema) } },
});

const reasons: Readonly<Record<string, string>> = {
  200: "Success",
  201: "Created",
  202: "Accepted; the job goes on",
  204: "Done",
  302: "Redirect",
  304: "Not modified",
  400: "Bad input; every fault is named",
  401: "Not authenticated",
  403: "Not allowed",
  404: "Not found",
  409: "Conflict",
  429: "Too many requests",
  500: "Internal error",
  502: "The game server or provider answered badly",
  503: "The game server cannot be reached; retry",
};

function responsesOf(route: Route): Schema {
  const answers: Record<string, AnswerShape> = { ...refusalsOf(route), ...route.answers };
  return Object.fromEntries(
    Object.entries(answers).map(([status, shape]) => [
      status,
      {
        description: reasons[status] ?? "Answer",
        ...(["429", "503"].includes(status) && { headers: { "Retry-After": retryAfter } }),
        ...(shape !== "" && { content: contentOf(shape) }),
      },
    ]),
  );
}

const retryAfter = { description: "Seconds to wait.", schema: { type: "integer" } };

/** What bans, the gate and the checks answer on their own account. */
function refusalsOf({ params, query, body, gate, limiters }: Route): Record<string, AnswerShape> {
  const takesInput = (params ?? query ?? body) !== undefined;
  return {
    ...(takesInput && { 400: "ValidationError" }),
    ...(needsSession(gate) && { 401: "Error" }),
    // Every route is closed to a banned address.
    403: "Error",
    ...(gate.startsWith("feature:") && { 404: "Error" }),
    ...(limiters && { 429: "Error" }),
  };
}

function contentOf(shape: AnswerShape): Schema {
  if (typeof shape === "object" && "mediaType" in shape) {
    return { [shape.mediaType]: { schema: { type: "string" } } };
  }
  return { "application/json": { schema: schemaOf(shape) } };
}

function schemaOf(shape: AnswerShape): Schema {
  if (typeof shape === "string") return { $ref: `#/components/schemas/${shape}` };
  if ("listOf" in shape) return { type: "array", items: schemaOf(shape.listOf) };
  if ("mediaType" in shape) return { type: "string" };
  return {
    type: "object",
    required: [shape.enveloped],
    properties: { [shape.enveloped]: schemaOf(shape.shape) },
  };
}

/** Components of views that another set uses alone are left out. */
function keepReferenced(description: OpenApiDescription): OpenApiDescription {
  const schemas = description.components.schemas ?? {};
  const kept = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name === undefined || kept.has(name)) continue;
      kept.add(name);
      follow(schemas[name] ?? {});
    }
  };
  follow(description.paths);
  const entries = Object.entries(schemas).filter(([name]) => kept.has(name));
  const components = {
    schemas: Object.fromEntries(entries),
    securitySchemes: keepUsedSchemes(description),
  };
  return { ...description, components };
}

function keepUsedSchemes({ paths, components }: OpenApiDescription): Schema {
  const required = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ security }) => (security as Schema[]).flatMap(Object.keys)),
  );
  const schemes = Object.entries(components.securitySchemes ?? {});
  return Object.fromEntries(schemes.filter(([name]) => required.includes(name)));
}

import type Joi from "joi";

import { version } from "../../shared/platform/process/version.ts";
import { findRevisionField } from "../http/based-on.ts";
import { needsSession } from "../http/gates.ts";
import { answerHeaders, type RequestHeader, requestHeaders } from "../http/headers.ts";
import { type Schema, toOpenApi } from "../http/json-schema.ts";
import type { Route } from "../http/route.ts";
import { scopeOf } from "../http/scopes.ts";
import { describeAnswers, sharedAnswers } from "./answers.ts";
import { describeCallbacks } from "./callbacks.ts";
import { formatDefaultDuration } from "./defaults.ts";
import { buildCatalogSchemas } from "./derived.ts";
import { readAnnotatedSchemas } from "./described-schemas.ts";
import { ExampleBuilder } from "./examples.ts";
import { removeUnusedComponents } from "./keep-referenced.ts";
import { buildApiOverview } from "./overview.ts";
import { bodySchemas, describeRequestBody } from "./request-bodies.ts";
import { streamSchemas } from "./stream-schemas.ts";
import { survivalEventSchemas } from "./survival-events.ts";
import { tags } from "./tags.ts";
import { addExamples } from "./with-examples.ts";

type Components = Readonly<Record<string, Readonly<Record<string, Schema>>>>;

export interface OpenApiDescription {
  readonly openapi: string;
  readonly info: Schema & { readonly description: string };
  readonly servers: readonly Schema[];
  readonly tags: readonly Schema[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  readonly components: Components;
}

/**
 * The OpenAPI 3.0 description of one set of routes: paths from the declarations, component schemas
 * from the `@openapi` blocks beside what makes the answers, and from the catalogues. Broken YAML throws.
 */
export function describeApi(routes: readonly Route[], set: Route["set"]): OpenApiDescription {
  const described = routes.filter((route) => route.set === set && !route.undocumented);
  const used = new Set<string>(described.map((route) => route.tag));
  const description: OpenApiDescription = {
    openapi: "3.0.3",
    info: {
      title: set === "core" ? "Guildhall" : "Guildhall, additive routes",
      version,
      description: buildApiOverview(),
      license: { name: "Proprietary" },
    },
    servers: [{ url: "/" }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, text]) => ({ name, description: text })),
    paths: pathsOf(described),
    components: componentsOfAll(described),
  };
  const examples = new ExampleBuilder(description.components["schemas"] ?? {});
  return removeUnusedComponents(addExamples(description, examples));
}

const securitySchemes = {
  sessionCookie: { type: "apiKey", in: "cookie", name: "__Host-session" },
  bearerToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
  apiToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "ght_…",
    description:
      "API token for programs, which an administrator creates with `POST /admin/tokens`. The " +
      "token can call an operation if the token's scopes include the scope that the operation " +
      "names in `x-token-scope`.",
  },
  pluginKey: { type: "http", scheme: "bearer", bearerFormat: "ghk_" },
  challengeToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
};

const componentsOfAll = (routes: readonly Route[]): Components => ({
  securitySchemes,
  schemas: {
    ...buildCatalogSchemas(),
    ...streamSchemas(),
    ...survivalEventSchemas(),
    ...readAnnotatedSchemas(),
    ...bodySchemas(routes),
  },
  responses: sharedAnswers(),
  headers: answerHeaders,
});

function pathsOf(routes: readonly Route[]): OpenApiDescription["paths"] {
  const paths: Record<string, Readonly<Record<string, Schema>>> = {};
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
    description: `${route.description ?? `${route.summary}.`}\n\n${describeGate(route)}${describeTokenScope(route)}${describeConfirmation(route)}${describeBase(route)}`,
    "x-gate": route.gate,
    ...(route.confirms && { "x-confirms": route.confirms === true ? "unless-recent" : "always" }),
    ...(route.basedOn && { "x-based-on": route.basedOn.when }),
    ...(scopeOf(route) && { "x-token-scope": scopeOf(route) }),
    ...(route.limiters && { "x-rate-limit": route.limiters }),
    ...(route.successor && { deprecated: true }),
    security: securityOf(route),
    parameters: [
      ...parametersOf(route.params, "path"),
      ...parametersOf(route.query, "query"),
      ...(route.takes ?? []).map(headerParameter),
    ],
    ...(route.body && { requestBody: describeRequestBody(route.body, route.bodyAs) }),
    responses: describeAnswers(route),
    ...describeCallbacks(route),
  };
}

/** Describes in words which callers the gate of a route admits. */
function describeGate({ gate }: Route): string {
  if (gate === "public") return "Requires no sign-in.";
  if (gate === "auth") return "Requires a signed-in user.";
  if (gate === "staff") return "Requires a staff role (`admin`, `editor` or `moderator`).";
  if (gate === "plugin") return "Requires a plugin key (`ghk_…`).";
  if (gate === "reportKey") return "Requires a report key (`ghr_…`) in the path.";
  if (gate === "challenge") return "Requires the challenge that a sign-in returned.";
  if (gate === "refresh") return "Requires a refresh token in the body.";
  const [kind, names = ""] = gate.split(":");
  if (kind === "roles") return `Requires the role \`${names.replace(",", "` or `")}\`.`;
  return (
    `Requires the audience that administrators set for the feature \`${names}\`: 403 ` +
    "`feature_locked` for callers below this audience, 404 `feature_disabled` if the feature is " +
    "off."
  );
}

function describeTokenScope(route: Route): string {
  const scope = scopeOf(route);
  return scope ? ` An API token requires the scope \`${scope}\`.` : "";
}

function describeConfirmation({ confirms, confirmsFor, body }: Route): string {
  if (confirms !== true) return "";
  const { properties = {} } = body ? toOpenApi(body) : {};
  const field = "currentPassword" in (properties as object) ? "currentPassword" : "password";
  return (
    ` If the sign-in is older than ${formatDefaultDuration("REAUTH_AFTER")} (by default), ` +
    `${confirmsFor?.map((name) => `a change of \`${name}\``).join(", ") ?? "the request"} must be confirmed: ` +
    `send the caller's password in \`${field}\` or a code of the second factor in \`code\`. ` +
    "Without the password or a code, the response is 403 `reauthentication_required`."
  );
}

function describeBase({ basedOn }: Route): string {
  if (!basedOn || "isOwn" in basedOn) return "";
  const field = `\`${findRevisionField(basedOn)}\``;
  const must = {
    always: `${field} is required.`,
    optional: `Without ${field} the operation acts on the current revision.`,
    "world-steps": `${field} is required if a step of the event changes the game world.`,
  }[basedOn.when];
  return ` ${must} 409 \`stale_revision\` if the value is not the current revision.`;
}

function operationId(route: Route): string {
  const words = route.path
    .replace("/api/v1", "")
    .split(/[/.:-]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return route.method + words.join("");
}

function securityOf(route: Route): Schema[] {
  const { gate } = route;
  if (gate === "refresh" || gate === "reportKey") return [];
  if (gate === "plugin") return [{ pluginKey: [] }];
  if (gate === "challenge") return [{ challengeToken: [] }];
  const token = scopeOf(route) ? [{ apiToken: [] }] : [];
  const session = [{ sessionCookie: [] }, { bearerToken: [] }, ...token];
  return needsSession(gate) ? session : [{}, ...session];
}

function parametersOf(schema: Joi.ObjectSchema | undefined, place: "path" | "query"): Schema[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toOpenApi(schema) as {
    properties?: Readonly<Record<string, Schema>>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...json }]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(description !== undefined && { description }),
    schema: json,
  }));
}

const headerParameter = (name: RequestHeader): Schema => ({
  name,
  in: "header",
  required: false,
  ...requestHeaders[name],
});

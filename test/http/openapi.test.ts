import SwaggerParser from "@apidevtools/swagger-parser";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";

import { type OpenApiDescription, describeApi } from "../../api/description/openapi.ts";
import { scopeOf } from "../../api/http/scopes.ts";
import { routes } from "../../api/routes.ts";
import { errorCodes } from "../../shared/platform/errors/error-codes.ts";
import { version } from "../../shared/platform/process/version.ts";

type Api = Parameters<typeof SwaggerParser.validate>[0];

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Answer {
  readonly headers?: Readonly<Record<string, { readonly schema?: { readonly example?: unknown } }>>;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly { readonly name: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** Returns each operation of the description, with its references resolved. */
async function operationsOf(description: OpenApiDescription): Promise<Map<string, Operation>> {
  const copy = structuredClone(description) as unknown as Api;
  const whole = (await SwaggerParser.dereference(copy)) as unknown as {
    paths: Record<string, Record<string, Operation>>;
  };
  return new Map(
    Object.entries(whole.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path.replace("/api/v1", "")}`,
        operation,
      ]),
    ),
  );
}

const ajv = new Ajv({ strict: false, allErrors: true, discriminator: false });
addFormats.default(ajv);
// Do not check this format: ajv-formats refuses some valid relative references.
ajv.addFormat("uri-reference", true);

/** Returns the faults of the examples of a body. A missing example is a fault too. */
function faultsOf(media: Media): unknown[] {
  const named = Object.values(media.examples ?? {}).map(({ value }) => value);
  const examples = "example" in media ? [media.example, ...named] : named;
  if (examples.length === 0) return ["no example"];
  const check = ajv.compile(media.schema);
  return examples.flatMap((example) => (check(example) ? [] : [example, check.errors]));
}

const isJson = (type: string): boolean => /json|event-stream/.test(type);

for (const set of ["core", "additive"] as const) {
  describe(`the ${set} API description`, () => {
    const description = describeApi(routes, set);
    const described = routes.filter((route) => route.set === set && !route.undocumented);
    const ofRoute = ({ method, path }: (typeof described)[number]): string =>
      `${method.toUpperCase()} ${path.replace("/api/v1", "").replaceAll(/:(\w+)/g, "{$1}")}`;

    it("is valid OpenAPI 3.0", async () => {
      await expect(
        SwaggerParser.validate(structuredClone(description) as unknown as Api),
      ).resolves.toMatchObject({ openapi: "3.0.3" });
    });

    it("has the version of the product and a license without a URL", () => {
      expect(description).toMatchObject({ info: { version, license: { name: "Proprietary" } } });
      expect(JSON.stringify(description)).not.toContain("example.org/license");
    });

    it("has one operation for each documented route", async () => {
      const operations = await operationsOf(description);
      expect([...operations.keys()].toSorted()).toEqual(described.map(ofRoute).toSorted());
    });

    it("has /api/v1 in every path except one", () => {
      const unversioned = Object.keys(description.paths).filter(
        (url) => !url.startsWith("/api/v1/"),
      );
      expect(unversioned).toEqual([
        set === "core" ? "/.well-known/assetlinks.json" : "/api/queues",
      ]);
    });

    it("requires a session exactly where the route does, and marks optional sessions", async () => {
      const operations = await operationsOf(description);
      for (const route of described) {
        const token = scopeOf(route) === null ? [] : [{ apiToken: [] }];
        const session = [{ sessionCookie: [] }, { bearerToken: [] }, ...token];
        const optional = route.gate === "public" || route.gate.startsWith("feature:");
        const expected = {
          refresh: [],
          reportKey: [],
          challenge: [{ challengeToken: [] }],
          plugin: [{ pluginKey: [] }],
        }[route.gate as string];
        expect(operations.get(ofRoute(route))?.security).toEqual(
          expected ?? (optional ? [{}, ...session] : session),
        );
      }
    });

    it("names the token scope of each operation, and no scope where tokens are not allowed", async () => {
      const operations = await operationsOf(description);
      for (const route of described) {
        const { tag, method, gate, path } = route;
        const chapter = tag.toLowerCase().replaceAll(" ", "-");
        const scope = `${chapter}:${method === "get" ? "read" : "write"}`;
        const isClosed =
          gate === "auth" ||
          gate === "plugin" ||
          gate === "reportKey" ||
          gate === "roles:admin" ||
          /v1\/(auth|admin\/account)\b/.test(path);
        const operation = operations.get(ofRoute(route)) as
          | { "x-token-scope"?: string }
          | undefined;
        expect([ofRoute(route), operation?.["x-token-scope"]]).toEqual([
          ofRoute(route),
          isClosed ? undefined : scope,
        ]);
      }
    });

    it("gives every operation a unique id", async () => {
      const ids = [...(await operationsOf(description)).values()].map((one) => one.operationId);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it("describes every parameter", async () => {
      const bare = [...(await operationsOf(description))].flatMap(([name, { parameters }]) =>
        parameters.filter((one) => !one.description).map((one) => `${name} ${one.name}`),
      );
      expect(bare).toEqual([]);
    });

    it("has an example that its schema accepts for every JSON request and response", async () => {
      const faults = [...(await operationsOf(description))].flatMap(([name, operation]) => {
        const answers = Object.values(operation.responses).map(({ content }) => content);
        return [operation.requestBody?.content, ...answers]
          .flatMap((content) => Object.entries(content ?? {}))
          .filter(([type]) => isJson(type))
          .flatMap(([, media]) => faultsOf(media))
          .map((fault) => ({ name, fault }));
      });
      expect(faults).toEqual([]);
    });

    it("has an example for every text response and declares images as binary", async () => {
      const faults = [...(await operationsOf(description))].flatMap(([name, { responses }]) =>
        Object.values(responses)
          .flatMap(({ content }) => Object.entries(content ?? {}))
          .filter(([type]) => !isJson(type))
          .map(([type, { schema, example }]) => ({ name, type, schema, example }))
          .filter(({ type, schema, example }) =>
            type.startsWith("image/")
              ? (schema as { format?: string }).format !== "binary"
              : typeof example !== "string",
          ),
      );
      expect(faults).toEqual([]);
    });

    it("shows the result of every operation: a body, no content or a redirect", async () => {
      const bare = [...(await operationsOf(description))].filter(([, operation]) => {
        const answers = Object.entries(operation.responses).filter(([status]) => status < "400");
        return !answers.some(
          ([status, { headers, content }]) =>
            content !== undefined ||
            status === "204" ||
            (status === "302" && headers?.["Location"]?.schema?.example !== undefined),
        );
      });
      expect(bare.map(([name]) => name)).toEqual([]);
    });

    it("has request examples that the routes accept", () => {
      for (const route of described.filter(({ body }) => body)) {
        const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
        const operation = description.paths[path]?.[route.method] as unknown as Operation;
        const example = operation.requestBody?.content["application/json"]?.example;
        const { error } = route.body?.validate(example, { convert: false }) ?? {};
        expect({ route: ofRoute(route), fault: error?.message }).toEqual({ route: ofRoute(route) });
      }
    });

    it("lists the errors of the shared checks on every operation", async () => {
      const operations = await operationsOf(description);
      for (const route of described) {
        const name = ofRoute(route);
        const { responses = {} } = operations.get(name) ?? {};
        // The descriptions of these routes lack the 503 of a closed site: streams report the closing as an event,
        // and the other routes stay open.
        const stays =
          route.path.endsWith("/stream") ||
          /^\/(?:\.well-known|api\/v1\/auth)\/|^\/api\/v1\/public\/(?:status|settings)$/.test(
            route.path,
          );
        expect({ name, statuses: Object.keys(responses).map(Number) }).toEqual({
          name,
          statuses: expect.arrayContaining([400, 403, 413, 415, 500, ...(stays ? [] : [503])]),
        });
        for (const answer of Object.values(responses)) {
          expect(Object.keys(answer.headers ?? {})).toContain("X-Request-Id");
        }
      }
    });
  });
}

describe("the overview in the API description", () => {
  const { description: overview } = describeApi(routes, "core").info;

  it.each(["web app", "mobile app", "chat bot"])("has a chapter for a %s", (client) => {
    expect(overview).toContain(`## A ${client}\n`);
  });

  it.each(Object.keys(errorCodes))("explains the error code %s", (code) => {
    expect(overview).toMatch(new RegExp(`^\\| \\d{3} \\| \\x60${code}\\x60 \\| .+ \\|$`, "m"));
  });
});

describe("the responses in the API description", () => {
  const description = describeApi(routes, "core");

  it("describe 500 as a message and 503 as an error with Retry-After", async () => {
    const operations = await operationsOf(description);
    const { responses } = operations.get("GET /public/shard/market") as Operation;
    expect(responses[500]?.content?.["application/json"]?.example).toEqual({
      message: "Internal Server Error",
    });
    expect(responses[503]?.content?.["application/json"]?.example).toEqual({
      error: "The site is in maintenance",
    });
    expect(Object.keys(responses[503]?.headers ?? {})).toContain("Retry-After");
  });

  it("distinguish a 409 for too many trusted devices from other conflicts", async () => {
    const operations = await operationsOf(description);
    const { responses } = operations.get("POST /auth/login/totp") as Operation;
    expect(responses[409]?.content?.["application/json"]).toMatchObject({
      schema: { required: ["error", "trustLimitReached"] },
    });
  });

  it("distinguish the payloads of event kinds by name", async () => {
    const operations = await operationsOf(description);
    const stream = operations.get("GET /public/shard/stream") as Operation;
    const check = ajv.compile(stream.responses[200]?.content?.["text/event-stream"]?.schema ?? {});
    const event = (kind: string, payload: object) => ({
      event: "message",
      id: 7,
      data: { id: 7, kind, t: 1, bootId: null, payload, createdAt: "2026-11-22T10:00:00.000Z" },
    });
    expect(check(event("house.removed", { serial: "0x40012B00", reason: null }))).toBe(true);
    expect(check(event("house.removed", { reason: null }))).toBe(false);
    expect(check(event("economy.snapshot", { serial: "0x40012B00" }))).toBe(false);
    expect(check(event("account.login", { acct: "maple" }))).toBe(false);
    expect(check({ event: "hello", id: 7, data: { level: "staff", lastEventId: 7 } })).toBe(true);
  });
});

/** Objects whose fields the description cannot list, by reason. */
const openObjects: Readonly<Record<string, string>> = {
  Current: "each route that is based on what was read answers what it reads",
  "Activity.detail": "each action writes what tells it",
  "OwnActivity.detail": "the same, as its owner takes it along",
  "EventLogLine.detail": "each kind of line writes what tells it",
  "EventSpec.phases[].steps[].params":
    "the action says what it takes: the catalogue of actions lists it",
  "Step.params": "the same, as they were when the step began",
  "Run.params": "the event itself says which parameters it has",
  "Job.data": "each queue has its own, for administrators to read",
  "Job.output": "what a job answered or failed of",
  "NpcRevision.document": "it may be older than any form that is known now",
  "OwnVendors.vendors[].items[]": "the bridge protocol does not say what a plugin tells of an item",
  "PluginCommand.body": "each call has its own, which the bridge protocol describes",
  "SurvivalLinkTest.hello": "what the game server says of itself, as it says it",
};

/** Returns the places in a schema at which an object has no described fields. */
function openPlaces(at: string, schema: SchemaPart): string[] {
  const { properties = {}, items, additionalProperties: others } = schema;
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((key) => (schema[key] ?? []) as SchemaPart[]);
  const within = [
    ...Object.entries(properties).flatMap(([name, part]) => openPlaces(`${at}.${name}`, part)),
    ...parts.flatMap((part) => openPlaces(at, part)),
    ...(items ? openPlaces(`${at}[]`, items) : []),
    ...(typeof others === "object" ? openPlaces(`${at}{}`, others) : []),
  ];
  const saysNothing =
    schema["type"] === "object" &&
    schema["enum"] === undefined &&
    Object.keys(properties).length === 0 &&
    parts.length === 0 &&
    (others === undefined || others === true);
  return saysNothing ? [at, ...within] : within;
}

const sayingWhat = ["type", "enum", "oneOf", "anyOf", "allOf", "$ref"];

/** Returns the places in a schema at which any value is allowed. */
function anyPlaces(at: string, schema: SchemaPart): string[] {
  const { properties = {}, items, additionalProperties: others } = schema;
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((key) => (schema[key] ?? []) as SchemaPart[]);
  const within = [
    ...Object.entries(properties).flatMap(([name, part]) => anyPlaces(`${at}.${name}`, part)),
    ...parts.flatMap((part) => anyPlaces(at, part)),
    ...(items ? anyPlaces(`${at}[]`, items) : []),
    ...(typeof others === "object" ? anyPlaces(`${at}{}`, others) : []),
  ];
  const isListOfAnything = schema["type"] === "array" && items === undefined;
  const saysWhat = sayingWhat.some((keyword) => keyword in schema) && !isListOfAnything;
  return saysWhat ? within : [at, ...within];
}

/** Returns the schemas of an operation: those of its body, answers and parameters. */
function schemasOf(name: string, operation: Operation): [string, SchemaPart][] {
  const { requestBody, responses, parameters } = operation;
  const contents = [requestBody, ...Object.values(responses)].flatMap((one) =>
    Object.values(one?.content ?? {}),
  );
  const own = (parameters as readonly Partial<Media>[]).filter(({ schema }) => schema);
  return [...contents, ...own].map(({ schema = {} }) => [name, schema as SchemaPart]);
}

interface SchemaPart {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly items?: SchemaPart;
  readonly additionalProperties?: boolean | SchemaPart;
}

describe("the schemas in the API description", () => {
  it("describe the fields of every object, except those listed with a reason", () => {
    const open = (["core", "additive"] as const).flatMap((set) => {
      const { schemas = {} } = describeApi(routes, set).components as {
        schemas?: Readonly<Record<string, SchemaPart>>;
      };
      return Object.entries(schemas).flatMap(([name, schema]) => openPlaces(name, schema));
    });
    expect([...new Set(open)].toSorted()).toEqual(Object.keys(openObjects).toSorted());
  });

  it.each(["core", "additive"] as const)(
    "give every value of the %s API description a type",
    (set) => {
      const { paths, components } = describeApi(routes, set) as unknown as {
        paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
        components: { schemas: Readonly<Record<string, SchemaPart>> };
      };
      const ofOperations = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, operation]) =>
          schemasOf(`${method} ${path}`, operation),
        ),
      );
      const all = [...Object.entries(components.schemas), ...ofOperations];
      expect(all.length).toBeGreaterThan(500);
      expect(all.flatMap(([name, schema]) => anyPlaces(name, schema))).toEqual([]);
    },
  );
});

import { once } from "node:events";

import { array, assert, constantFrom, property, shuffledSubarray } from "fast-check";
import Joi from "joi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { rowIdParams as idParams } from "../../api/http/fields.ts";
import { sortLiteralFirst } from "../../api/http/literal-first.ts";
import { type Route, defineRoute } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { notFoundError } from "../../shared/platform/errors/errors.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { requestUrl, statusAndBodyOf, type UrlRequestOptions } from "../support/http/call.ts";
import { sendRaw } from "../support/http/raw-request.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const common = {
  set: "additive",
  tag: "Site",
  summary: "a route of the tests",
  answers: {},
} as const;

const echo = defineRoute({
  ...common,
  method: "post",
  path: "/api/v1/test/things/:id",
  gate: "roles:admin,editor",
  params: idParams,
  body: Joi.object<{ name: string; size: number }, true>({
    name: Joi.string().max(10).required(),
    size: Joi.number().integer().min(1),
  }),
  find: async ({ params }) => {
    if (params.id === 404) throw notFoundError("Unknown thing");
    return params.id;
  },
  handle: ({ body, found }) => ({ found, body }),
});
const literal = defineRoute({
  ...common,
  method: "get",
  path: "/api/v1/test/things/newest",
  gate: "public",
  handle: () => ({ literal: true }),
});
const byId = defineRoute({
  ...common,
  method: "get",
  path: "/api/v1/test/things/:id",
  gate: "public",
  params: idParams,
  handle: ({ params }) => params,
});
const broken = defineRoute({
  ...common,
  method: "get",
  path: "/api/v1/test/broken",
  gate: "public",
  handle: () => {
    throw new Error("a secret of the inside");
  },
});

const slow = defineRoute({
  ...common,
  method: "get",
  path: "/api/v1/test/slow",
  gate: "public",
  handle: ({ response }) => {
    slowAsked += 1;
    return once(response, "close");
  },
});
let slowAsked = 0;

let server: TestServer;
let editor: SignedIn;
beforeAll(async () => {
  server = await startTestServer({ routes: [...routes, echo, byId, literal, broken, slow] });
  editor = await signIn(server, { role: "editor" });
});
afterAll(() => server.stop());

const get = (path: string, options: UrlRequestOptions = {}) =>
  requestUrl(server.url + path, options);
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  requestUrl(server.url + path, {
    method: "POST",
    body,
    headers: { ...editor.headers, ...headers },
  });

describe("the order of a request's checks", () => {
  it("answers 401 before it checks the id or the body", async () => {
    const response = await get("/api/v1/test/things/x", { method: "POST", body: "{" });
    expect(statusAndBodyOf(response)).toEqual([401, { error: "Not authenticated" }]);
  });

  it("answers 400 to a malformed id before it reads the body", async () => {
    expect(statusAndBodyOf(await post("/api/v1/test/things/x", "{"))).toEqual([
      400,
      { error: "Validation failed", errors: [{ path: "id", message: "id must be a number" }] },
    ]);
  });

  it("answers 404 to an unknown object before it reads the body", async () => {
    const answer = statusAndBodyOf(await post("/api/v1/test/things/404", "{"));
    expect(answer).toEqual([404, { error: "Unknown thing" }]);
  });

  it("reports every invalid field at once", async () => {
    const response = await post("/api/v1/test/things/1", '{"name":"longer than ten","size":0.5}');
    expect(statusAndBodyOf(response)).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [
          { path: "name", message: "name length must be less than or equal to 10 characters long" },
          { path: "size", message: "size must be an integer" },
          { path: "size", message: "size must be greater than or equal to 1" },
        ],
      },
    ]);
  });

  it("reports only the first fault of a body with thousands of values", async () => {
    const body = { name: "longer than ten", size: 0.5, more: Array.from({ length: 2_000 }) };
    expect(statusAndBodyOf(await post("/api/v1/test/things/1", JSON.stringify(body)))).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [
          { path: "name", message: "name length must be less than or equal to 10 characters long" },
        ],
      },
    ]);
  });
});

describe("a request body", () => {
  it.each([
    ["broken JSON", "{", 400, { error: "Invalid JSON" }],
    ["an array", "[1]", 400, { error: "The body must be a JSON object" }],
    ["a text", '"x"', 400, { error: "The body must be a JSON object" }],
    ["a number", "7", 400, { error: "The body must be a JSON object" }],
    ["null", "null", 400, { error: "The body must be a JSON object" }],
  ])("is answered 400 if it is %s", async (_name, body, status, expected) => {
    expect(statusAndBodyOf(await post("/api/v1/test/things/1", body))).toEqual([status, expected]);
  });

  it("is answered 415 if it is of another media type", async () => {
    const response = await post("/api/v1/test/things/1", "name=x", {
      "content-type": "text/plain",
    });
    expect(statusAndBodyOf(response)).toEqual([
      415,
      { error: "The body must be application/json" },
    ]);
  });

  it("is answered 413 if it exceeds the size limit", async () => {
    const body = JSON.stringify({ name: "x".repeat(300 * 1024) });
    const answer = statusAndBodyOf(await post("/api/v1/test/things/1", body));
    expect(answer).toEqual([413, { error: "Request body is too large" }]);
  });

  it.each([
    [32, [200, { found: 1, body: { name: "x" } }]],
    [33, [400, { error: "The body is nested deeper than 32" }]],
    [5_000, [400, { error: "The body is nested deeper than 32" }]],
  ])("is accepted only up to 32 nested levels: %i levels", async (levels, expected) => {
    const deep = `${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}`;
    const body = `{"name":"x","deep":${deep}}`;
    expect(statusAndBodyOf(await post("/api/v1/test/things/1", body))).toEqual(expected);
  });

  it.each(["\\u0000", "\\ud800"])(
    "is answered 400 with the field's name if a text contains %s",
    async (escape) => {
      const response = await post("/api/v1/test/things/1", `{"name":"a${escape}"}`);
      const message = "name must be well-formed text without NUL";
      expect(statusAndBodyOf(response)).toEqual([
        400,
        { error: "Validation failed", errors: [{ path: "name", message }] },
      ]);
    },
  );

  it("is not coerced, and its unknown fields are dropped", async () => {
    const wrong = await post("/api/v1/test/things/1", '{"name":12}');
    expect(statusAndBodyOf(wrong)).toEqual([
      400,
      { error: "Validation failed", errors: [{ path: "name", message: "name must be a string" }] },
    ]);
    const more = await post(
      "/api/v1/test/things/7",
      '{"name":"a","admin":true,"__proto__":{"x":1}}',
    );
    expect(statusAndBodyOf(more)).toEqual([200, { found: 7, body: { name: "a" } }]);
  });
});

describe("a request path", () => {
  it("matches a literal route before a route with a parameter", async () => {
    expect(statusAndBodyOf(await get("/api/v1/test/things/newest"))).toEqual([
      200,
      { literal: true },
    ]);
  });

  it("may end in a slash", async () => {
    expect(statusAndBodyOf(await get("/api/v1/test/things/3/"))).toEqual([200, { id: 3 }]);
  });

  it("is case-sensitive", async () => {
    expect(statusAndBodyOf(await get("/api/v1/Test/things/3"))).toEqual([
      404,
      { error: "Not found" },
    ]);
  });

  it("is answered 400 if it cannot be decoded", async () => {
    expect((await get("/api/v1/test/things/%ff")).status).toBe(400);
  });

  it("is answered for a wrong method with 405 and Allow under /public, and with 404 elsewhere", async () => {
    const open = await get("/api/v1/public/status", { method: "POST" });
    expect([open.headers.get("allow"), ...statusAndBodyOf(open)]).toEqual([
      "GET, HEAD",
      405,
      { error: "Method not allowed" },
    ]);
    expect(open.headers.get("cache-control")).toBe("no-store");
    const gated = await get("/api/v1/admin/shardlink/config", { method: "POST" });
    expect(statusAndBodyOf(gated)).toEqual([404, { error: "Not found" }]);
  });

  it.each(["OPTIONS", "TRACE", "PROPFIND", "QUERY"])(
    "is answered 404 or 405 for the method %s, like for any wrong method",
    async (method) => {
      const send = async (path: string, headers = {}) => {
        const answered = await sendRaw(server, { method, path, headers });
        return [answered.status, answered.headers.allow];
      };
      expect(await send("/api/v1/nowhere")).toEqual([404, undefined]);
      expect(await send("/api/v1/auth/me")).toEqual([404, undefined]);
      expect(await send("/api/v1/public/status")).toEqual([405, "GET, HEAD"]);
      const foreign = { origin: "https://evil.example", "access-control-request-method": "GET" };
      expect(await send("/api/v1/auth/me", foreign)).toEqual([404, undefined]);
    },
  );

  it("answers a preflight request of an allowed origin with CORS headers", async () => {
    const headers = {
      origin: "http://localhost:3000",
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "content-type, authorization",
    };
    const send = (path: string) => sendRaw(server, { method: "OPTIONS", path, headers });
    for (const path of ["/api/v1/auth/me", "/api/v1/public/status", "/api/v1/test/things/1"]) {
      const answered = await send(path);
      expect([answered.status, answered.text]).toEqual([204, ""]);
      expect(answered.headers).toMatchObject({
        "access-control-allow-origin": "http://localhost:3000",
        "access-control-allow-credentials": "true",
        "access-control-allow-methods": expect.stringContaining("PATCH"),
        "access-control-allow-headers": "content-type, authorization",
        "access-control-max-age": "600",
      });
    }
    expect((await send("/api/v1/nowhere")).status).toBe(404);
  });

  it("answers HEAD like GET, without a body", async () => {
    const response = await get("/api/v1/test/things/3", { method: "HEAD" });
    expect([response.status, response.text]).toEqual([200, ""]);
  });
});

describe("the order in which routes are matched", () => {
  const segment = constantFrom("a", "b", ":id", ":name");
  const paths = array(array(segment, { minLength: 1, maxLength: 4 }), { maxLength: 12 });
  /** Returns the paths in the order in which the router tries them, with all parameters written as ":". */
  const ordered = (declared: readonly Route[]) =>
    sortLiteralFirst(declared).map(({ path }) => path.replaceAll(/:\w+/g, ":"));

  it("puts a literal part before a parameter wherever two paths differ", () => {
    assert(
      property(paths, (given) => {
        const declared = given.map((parts) => ({ ...byId, path: `/${parts.join("/")}` as const }));
        const split = ordered(declared).map((path) => path.split("/"));
        for (const [at, later] of split.entries()) {
          for (const earlier of split.slice(0, at)) {
            const part = earlier.findIndex((name, index) => name !== later[index]);
            expect([earlier[part], later[part]]).not.toEqual([":", expect.any(String)]);
          }
        }
      }),
    );
  });

  it("does not depend on the order of the route list", () => {
    const shuffled = shuffledSubarray([...routes], { minLength: routes.length });
    const expected = ordered(routes);
    assert(
      property(shuffled, (given) => {
        expect(ordered(given)).toEqual(expected);
      }),
    );
  });
});

describe("the request metrics", () => {
  const counted = async (start: string) => {
    const lines = (await server.registry.metrics()).split("\n");
    return lines.filter((line) => line.startsWith(start));
  };

  it("count a client that disconnects before the answer as status 499", async () => {
    const leaving = new AbortController();
    const asked = fetch(`${server.url}/api/v1/test/slow`, { signal: leaving.signal });
    await waitUntil("it is being answered", () => slowAsked > 0);
    leaving.abort();
    await expect(asked).rejects.toThrow("aborted");
    const left =
      'guildhall_http_requests_total{method="GET",route="/api/v1/test/slow",status="499"} 1';
    await waitUntil("it is counted", async () => (await counted(left)).length === 1);
  });

  it("measure the duration of every route except event streams", async () => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const at = "/api/v1/public/shard/stream";
    const stream = await fetch(server.url + at, { signal });
    expect(stream.status).toBe(200);
    leaving.abort();
    const requests = `guildhall_http_requests_total{method="GET",route="${at}",status="200"} 1`;
    await waitUntil("it is counted", async () => (await counted(requests)).length === 1);
    expect(await counted(`guildhall_http_request_duration_seconds_count{route="${at}",`)).toEqual(
      [],
    );
    const other =
      'guildhall_http_request_duration_seconds_count{route="/api/v1/test/things/:id",status_class="2xx"}';
    expect(await counted(other)).toHaveLength(1);
  });
});

describe("a response", () => {
  it("carries an X-Request-Id header", async () => {
    const response = await get("/api/v1/public/status");
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("reveals no internal error message if the service fails", async () => {
    const answer = statusAndBodyOf(await get("/api/v1/test/broken"));
    expect(answer).toEqual([500, { message: "Internal Server Error" }]);
  });

  it("is problem+json only if the client accepts it", async () => {
    const accept = { accept: "application/problem+json" };
    const response = await get("/api/v1/nowhere", { headers: accept });
    expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    expect(statusAndBodyOf(response)).toEqual([
      404,
      {
        type: "about:blank",
        title: "Not found",
        status: 404,
        code: "unknown_path",
        instance: "/api/v1/nowhere",
      },
    ]);
    const wrong = await get("/api/v1/public/status", { method: "POST", headers: accept });
    expect(statusAndBodyOf(wrong)).toEqual([
      405,
      {
        type: "about:blank",
        title: "Method not allowed",
        status: 405,
        code: "method_not_allowed",
        instance: "/api/v1/public/status",
      },
    ]);
    const plain = await get("/api/v1/nowhere", { headers: { accept: "*/*" } });
    expect(statusAndBodyOf(plain)).toEqual([404, { error: "Not found" }]);
  });

  it("carries restrictive security headers", async () => {
    const { headers } = await get("/api/v1/public/status");
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-powered-by")).toBeNull();
  });

  it("allows only configured origins through CORS", async () => {
    const ours = await get("/api/v1/public/status", {
      headers: { origin: "http://localhost:3000" },
    });
    expect(ours.headers.get("access-control-allow-origin")).toBe("http://localhost:3000");
    expect(ours.headers.get("access-control-allow-credentials")).toBe("true");
    const theirs = await get("/api/v1/public/status", {
      headers: { origin: "https://evil.example" },
    });
    expect(theirs.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("has public caching headers for a public read only if the caller is anonymous", async () => {
    const anonymous = await get("/api/v1/public/shard/status");
    expect(anonymous.headers.get("cache-control")).toBe("public, max-age=5");
    const signedIn = await get("/api/v1/public/shard/status", { headers: editor.headers });
    expect(signedIn.headers.get("cache-control")).toBe("private, no-store");
    expect(anonymous.headers.get("vary")).toContain("Cookie, Authorization");
  });
});

describe("the API description", () => {
  it("is served as a page that loads only its own scripts", async () => {
    const page = await get("/api/docs");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
    const script = await get("/api/docs/swagger-ui-init.js");
    expect(script.headers.get("content-type")).toMatch(/javascript/);
    expect(script.text).toContain("/api/docs.json?set=additive");
  });

  it("links only to files that exist", async () => {
    const at = `${server.url}/api/docs`;
    const page = await get("/api/docs");
    const links = [...page.text.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? "");
    const files = await Promise.all(
      links.map(async (link) => {
        const { pathname } = new URL(link, at);
        const response = await get(pathname);
        return [pathname, response.status, response.headers.get("content-type")];
      }),
    );
    const script = "text/javascript; charset=utf-8";
    expect(files).toEqual([
      ["/api/docs/swagger-ui.css", 200, "text/css; charset=utf-8"],
      ["/api/docs/favicon-32x32.png", 200, "image/png"],
      ["/api/docs/favicon-16x16.png", 200, "image/png"],
      ["/api/docs/bridge", 200, "text/html; charset=utf-8"],
      ["/api/docs/swagger-ui-bundle.js", 200, script],
      ["/api/docs/swagger-ui-standalone-preset.js", 200, script],
      ["/api/docs/swagger-ui-init.js", 200, "application/javascript; charset=utf-8"],
    ]);
  });

  it("is served as JSON, once for the core routes and once for the additive routes", async () => {
    for (const set of ["", "?set=core", "?set=additive"]) {
      const response = await get(`/api/docs.json${set}`);
      expect(response.status).toBe(200);
      expect(response.body).toMatchObject({ openapi: "3.0.3" });
    }
    expect((await get("/api/docs.json?set=other")).status).toBe(400);
  });
});

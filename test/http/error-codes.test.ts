import { globSync, readFileSync } from "node:fs";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { defineRoute } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { type ErrorCode, errorCodes } from "../../shared/platform/errors/error-codes.ts";
import { createTestUser, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { type ApiAnswer, callRoute, type CallOptions } from "../support/http/call.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

const broken = defineRoute({
  method: "get",
  path: "/api/v1/test/broken",
  gate: "public",
  set: "additive",
  tag: "Site",
  summary: "a route of the tests",
  answers: {},
  handle: () => {
    throw new Error("a secret of the inside");
  },
});

let shard: LinkedShard;
let admin: SignedIn;
let player: SignedIn;
beforeAll(async () => {
  shard = await startLinkedShard({
    server: {
      routes: [...routes, broken],
      environment: { TRUST_PROXY: "loopback", REAUTH_AFTER: "1s", RL_MARKET_MAX: "1" },
    },
  });
  admin = await signIn(shard.server, { role: "admin" });
  player = await signIn(shard.server);
});
afterAll(() => shard.stop());

const said = ({ status, headers }: ApiAnswer) => [status, headers.get("x-error-code")];
const ask = async (asked: string, options?: CallOptions) =>
  said(await callRoute(shard.server, asked, options));
const askAs = async (who: SignedIn, asked: string, body?: unknown) =>
  said(await shard.as(who, asked, body === undefined ? {} : { body }));

describe("a refusal", () => {
  it.each<[string, number, ErrorCode, [string, CallOptions?]]>([
    ["of an unknown path", 404, "unknown_path", ["GET /nowhere"]],
    ["of a path that scanners try", 404, "unknown_path", ["GET /index.php"]],
    ["of a wrong method", 404, "unknown_path", ["PATCH /auth/login"]],
    ["of a wrong method under /public", 405, "method_not_allowed", ["PUT /public/status"]],
    ["of a path that cannot be decoded", 400, "malformed_path", ["GET /public/shard/points/%"]],
    ["without a session", 401, "not_authenticated", ["GET /auth/me"]],
    ["of a bad parameter", 400, "validation_failed", ["GET /public/shard/market?limit=x"]],
    ["of an unknown object", 404, "not_found", ["GET /public/shard/points/nothing"]],
    ["of an invalid link", 404, "invalid_link", ["GET /auth/invite/x"]],
    ["of a sign-in without a name", 400, "invalid_request", ["POST /auth/login", { body: {} }]],
    ["of broken JSON", 400, "malformed_body", ["POST /auth/login", { body: "{" }]],
    ["of a list as the body", 400, "malformed_body", ["POST /auth/password/forgot", { body: [] }]],
    [
      "of a body that is too large",
      413,
      "body_too_large",
      ["POST /auth/login", { body: { username: "x".repeat(3_000_000) } }],
    ],
    [
      "of another media type",
      415,
      "unsupported_media_type",
      ["POST /auth/login", { body: "a=b", headers: { "content-type": "text/plain" } }],
    ],
    [
      "of a request from another site",
      403,
      "cross_site",
      ["POST /auth/login", { body: {}, headers: { origin: "https://elsewhere.example" } }],
    ],
    [
      "of an invalid refresh token",
      401,
      "invalid_refresh_token",
      ["POST /auth/mobile/refresh", { body: { refreshToken: "x" } }],
    ],
    [
      "of a registration while registration is closed",
      403,
      "registration_closed",
      ["POST /auth/register", { body: {} }],
    ],
    ["for an internal error", 500, "internal_error", ["GET /test/broken"]],
  ])("%s has the status %i and the code %s", async (_what, status, code, [asked, options]) => {
    expect(await ask(asked, options)).toEqual([status, code]);
  });

  it("has one code for a wrong role and another for an old session", async () => {
    expect(await askAs(player, "GET /admin/settings")).toEqual([403, "role_required"]);
    await waitUntil("the sign-in is not fresh any more", async () => {
      const [status, code] = await askAs(player, "POST /auth/me/account/totp/setup", {});
      return status === 403 && code === "reauthentication_required";
    });
    const wrong = await askAs(player, "POST /auth/me/account/totp/setup", { password: "not mine" });
    expect(wrong).toEqual([403, "wrong_password"]);
  });

  it("has one code for a banned address and another for a rate limit", async () => {
    const headers = { "x-forwarded-for": "203.0.113.9" };
    const search = "GET /public/shard/market";
    await ask(search, { headers });
    expect(await ask(search, { headers })).toEqual([429, "rate_limited"]);
    for (let tries = 0; tries < 4; tries++) await ask("GET /.env", { headers });
    expect(await ask(search, { headers })).toEqual([403, "banned"]);
  });

  it("has one code for a disabled feature and another for a locked feature", async () => {
    const asked = "GET /public/shard/houses";
    const set = async (houses: object | null) => {
      const { status } = await shard.as(admin, "PUT /admin/shard/visibility", {
        body: { features: { houses } },
      });
      expect(status).toBe(200);
    };
    await set({ audience: "player" });
    await waitUntil("it is locked", async () => (await ask(asked))[0] === 403);
    expect(await ask(asked)).toEqual([403, "feature_locked"]);
    await set({ enabled: false });
    await waitUntil("it is disabled", async () => (await ask(asked))[0] === 404);
    expect(await ask(asked)).toEqual([404, "feature_disabled"]);
    await set(null);
  });

  it("names the cause if a name is taken or the last administrator would be demoted", async () => {
    const created = await askAs(admin, "POST /admin/users", {
      username: player.username,
      role: "player",
      currentPassword: admin.password,
    });
    expect(created).toEqual([409, "name_taken"]);
    const demoted = await askAs(admin, `PATCH /admin/users/${admin.userId}`, {
      role: "player",
      password: admin.password,
    });
    expect(demoted).toEqual([409, "last_admin"]);
  });

  it("names the mode in its code while the site is in maintenance or closed", async () => {
    const asked = "GET /public/shard/status";
    for (const mode of ["maintenance", "closed"] as const) {
      await shard.as(admin, "PUT /admin/site-mode", { body: { site_mode: mode } });
      await waitUntil(
        `it is ${mode}`,
        () => shard.server.context.siteMode.current.site_mode === mode,
      );
      expect(await ask(`${asked}?${mode}`)).toEqual([503, `site_${mode}`]);
    }
    await shard.as(admin, "PUT /admin/site-mode", { body: { site_mode: "live" } });
  });

  it("has the same code for every cause if it refuses a sign-in", async () => {
    const { username } = await createTestUser(shard.server);
    const disabled = await createTestUser(shard.server);
    const disabling = { disabled: true, password: admin.password };
    await shard.as(admin, `PATCH /admin/users/${disabled.userId}`, { body: disabling });
    const { password } = disabled;
    for (const path of ["login", "mobile/login"]) {
      for (const body of [
        { username, password: "wrong" },
        { username: "nobody-at-all", password },
        { username: disabled.username, password },
      ]) {
        expect(await ask(`POST /auth/${path}`, { body })).toEqual([401, "invalid_credentials"]);
      }
    }
  });
});

describe("an error of the game server", () => {
  afterEach(() => shard.simulator.faults.clear());

  it.each<[number, string, number, ErrorCode]>([
    [400, "INVALID", 400, "shard_refused_request"],
    [403, "PROTECTED", 403, "protected_target"],
    [403, "WRITES_DISABLED", 403, "write_plane_disabled"],
    [403, "SIGNUP_CLOSED", 403, "signup_unavailable"],
    [404, "NOT_FOUND", 404, "unknown_to_shard"],
    [409, "CONFLICT", 409, "idempotency_conflict"],
    [409, "BUSY", 502, "shard_busy"],
    [422, "UNSUPPORTED", 502, "shard_unsupported"],
    [429, "LIMIT", 429, "shard_limit_reached"],
    [503, "SHARD_DOWN", 503, "shard_unavailable"],
    [500, "UNAVAILABLE", 502, "shard_failed"],
  ])("%i %s is answered as %i %s", async (given, code, status, errorCode) => {
    shard.simulator.faults.trigger("status", { status: given, code, times: 0 });
    const answered = await askAs(admin, "POST /admin/shard/broadcast", { text: "hear ye" });
    expect(answered).toEqual([status, errorCode]);
  });
});

describe("a problem+json body", () => {
  it("contains the code of the X-Error-Code header, which the plain body lacks", async () => {
    const accept = "application/problem+json";
    const problem = await callRoute(shard.server, "GET /auth/me", { headers: { accept } });
    expect(problem.body).toEqual({
      type: "about:blank",
      title: "Not authenticated",
      status: 401,
      code: "not_authenticated",
      instance: "/api/v1/auth/me",
    });
    const plain = await callRoute(shard.server, "GET /auth/me");
    expect(plain.body).toEqual({ error: "Not authenticated" });
  });
});

describe("the X-Error-Code header", () => {
  it("is readable by pages of allowed origins", async () => {
    const { headers } = await callRoute(shard.server, "GET /auth/me", {
      headers: { origin: "http://localhost:3000" },
    });
    expect(headers.get("access-control-expose-headers")?.split(",")).toContain("X-Error-Code");
  });

  it("is sent only with errors", async () => {
    const { status, headers } = await callRoute(shard.server, "GET /public/status");
    expect([status, headers.get("x-error-code")]).toEqual([200, null]);
  });
});

describe("the catalog of error codes", () => {
  it("contains no unused code", () => {
    const files = globSync("{api,jobs,shared}/**/*.ts").filter(
      (file) => !file.endsWith("error-codes.ts"),
    );
    const sources = files.map((file) => readFileSync(file, "utf8")).join("\n");
    const codes = Object.keys(errorCodes);
    expect(codes.filter((code) => !sources.includes(`"${code}"`))).toEqual([]);
  });

  it("has codes of lower-case words and a sentence for each code", () => {
    for (const [code, { meaning }] of Object.entries(errorCodes)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(meaning).toMatch(/^[A-Z`].*\.$/);
    }
  });
});

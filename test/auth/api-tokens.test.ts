import { globSync, readFileSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Route, defineRoute as declare } from "../../api/http/route.ts";
import { scopeOf, scopes } from "../../api/http/scopes.ts";
import { routes } from "../../api/routes.ts";
import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import type { TokenRole } from "../../shared/auth/administration/api-tokens.ts";
import { pruneCredentials } from "../../shared/auth/sessions/prune-credentials.ts";
import { hashToken, generateToken } from "../../shared/platform/crypto/tokens.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { tablesHolding } from "../support/database/tables-holding.ts";
import { storeSetting } from "../support/factories/site.ts";
import { changeApiToken, changeUser } from "../support/factories/users.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { openStream } from "../support/http/event-stream.ts";
import { makeList } from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let other: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  const environment = { SSE_RECHECK: "1s", ACTIVITY_RETENTION: "30d" };
  server = await startTestServer({ environment });
  other = await startTestServer({ database: server.database, environment });
  admin = await signIn(server, { role: "admin" });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const codeOfAnswer = ({ headers }: Pick<ApiAnswer, "headers">) => headers.get("x-error-code");
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const later = () => new Date(Date.now() + 60_000).toISOString();

interface CreatedToken {
  readonly token: { readonly id: number };
  readonly secret: string;
}

const ask = (body: object, { headers }: Pick<SignedIn, "headers"> = admin) =>
  callRoute(server, "POST /admin/tokens", { headers, body });

async function createApiToken(body: object = {}, by = admin): Promise<CreatedToken> {
  const whole = { name: "bot", role: "moderator", scopes, ...body };
  const answered = await ask(whole, by);
  if (answered.status !== 201) throw new Error(answered.text);
  return answered.body as CreatedToken;
}

const revoke = (id: number | string, { headers } = admin) =>
  callRoute(server, `DELETE /admin/tokens/${id}`, { headers });
const apiTokens = () => server.context.models.ApiToken;
const revokeEach = () =>
  apiTokens().scope("unrevoked").update({ revokedAt: clockNow() }, { where: {} });
const expire = (id: number) => changeApiToken(server, id, { expiresAt: clockNow() });
const audit = (secret: string, at = server) =>
  callRoute(at, "GET /admin/shard/audit", { headers: bearer(secret) });

describe("POST /admin/tokens", () => {
  it("answers the secret once, and stores only its hash", async () => {
    const expiresAt = later();
    const asked = {
      name: "Town crier",
      role: "moderator",
      scopes: ["shard-staff:write"],
      expiresAt,
    };
    const answered = await ask(asked);
    const { secret, token } = answered.body as CreatedToken;
    const listed = {
      id: expect.any(Number),
      name: "Town crier",
      role: "moderator",
      scopes: ["shard-staff:write"],
      created_at: anyTime,
      created_by: admin.userId,
      expires_at: expiresAt,
      last_used_at: null,
    };
    expect(statusAndBodyOf(answered)).toEqual([
      201,
      { token: listed, secret: expect.stringMatching(/^ght_[\w-]{43}$/) },
    ]);
    expect(answered.headers.get("cache-control")).toBe("no-store");
    const list = await callRoute(server, "GET /admin/tokens", { headers: admin.headers });
    expect(list.body).toMatchObject({ tokens: [listed] });
    expect(list.text).not.toContain(secret);
    expect(await tablesHolding(server, secret.slice(4))).toEqual([]);
    expect((await apiTokens().findByPk(token.id))?.tokenHash).toEqual(hashToken(secret));
  });

  it.each([
    ["name", { name: undefined }],
    ["name", { name: "" }],
    ["name", { name: "x".repeat(65) }],
    ["name", { name: "a\u0000b" }],
    ["name", { name: "a\u202eb" }],
    ["name", { name: " \u3164\u2800 " }],
    ["name", { name: 7 }],
    ["role", { role: "admin" }],
    ["role", { role: undefined }],
    ["scopes", { scopes: undefined }],
    ["scopes", { scopes: [] }],
    ["scopes", { scopes: "shard:read" }],
    ["scopes.0", { scopes: ["auth:read"] }],
    ["scopes.0", { scopes: ["users:write"] }],
    ["scopes.0", { scopes: ["Shard:read"] }],
    ["scopes.1", { scopes: ["shard:read", "shard:read"] }],
    ["expiresAt", { expiresAt: "2020-01-01T00:00:00Z" }],
    ["expiresAt", { expiresAt: "2030" }],
    ["expiresAt", { expiresAt: "2030-13-01T00:00:00Z" }],
    ["expiresAt", { expiresAt: 1_900_000_000_000 }],
  ])("answers 400 and names the field %s if the new token has %j", async (path, fault) => {
    const { status, body } = await ask({
      name: "bot",
      role: "player",
      scopes: ["shard:read"],
      ...fault,
    });
    const { errors } = body as { errors: { path: string }[] };
    expect([status, errors.map((one) => one.path)]).toEqual([400, [path]]);
  });
});

describe("DELETE /admin/tokens/:id", () => {
  it("revokes the token in every process, and answers 404 the second time", async () => {
    const { token, secret } = await createApiToken();
    expect((await audit(secret, other)).status).toBe(200);
    expect(statusAndBodyOf(await revoke(token.id))).toEqual([200, { id: token.id }]);
    for (const at of [server, other]) {
      const answered = await audit(secret, at);
      expect(statusAndBodyOf(answered)).toEqual([401, { error: "Not authenticated" }]);
      expect(answered.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
    }
    expect(statusAndBodyOf(await revoke(token.id))).toEqual([404, { error: "Unknown token" }]);
    expect((await revoke(2 ** 40)).status).toBe(404);
    expect((await revoke("x")).status).toBe(400);
  });
});

const counted = declare({
  method: "get",
  path: "/api/v1/test/counted",
  gate: "staff",
  set: "additive",
  tag: "Site",
  summary: "a route of the tests",
  limiters: ["userChange"],
  answers: {},
  handle: () => ({ ok: true }),
});

const pathOf = ({ path }: Route) => path.replaceAll(/:\w+/g, "999999");

async function requestWithoutScope(
  route: Route,
  secret: string,
): Promise<{ status: number; code: string | null }> {
  const ended = new AbortController();
  const { status, headers } = await fetch(server.url + pathOf(route), {
    method: route.method.toUpperCase(),
    headers: bearer(secret),
    redirect: "manual",
    signal: ended.signal,
  });
  ended.abort();
  return { status, code: headers.get("x-error-code") };
}

describe("every route", () => {
  const roleFor = ({ gate }: Route): TokenRole =>
    gate.startsWith("roles:") && !gate.includes("moderator") ? "editor" : "moderator";
  const named = (all: readonly Route[]) =>
    all.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);
  /**
   * Returns the refusals that an API token may get. The routes for challenges and refresh tokens read an API
   * token as a challenge or refresh token, and refuse it as unknown.
   */
  const refusalsOf = ({ gate }: Route): readonly string[] => {
    if (gate === "roles:admin") return ["403 role_required"];
    if (gate === "reportKey") return ["401 report_key_unknown"];
    if (gate === "plugin") return ["401 plugin_key_unknown", "400 validation_failed"];
    const isSession = gate !== "challenge" && gate !== "refresh";
    return isSession
      ? ["403 session_required"]
      : ["400 validation_failed", "400 invalid_request", "401 invalid_code"];
  };
  const open = routes.filter((route) => scopeOf(route) !== null);
  const secrets = new Map<string, string>();
  /**
   * Insert the row directly: there are more combinations of roles and scopes than the API allows
   * tokens.
   */
  const plant = async (role: TokenRole, held: readonly string[]): Promise<string> => {
    const secret = generateToken("ght_");
    const row = { name: "bot", role, scopes: [...held], createdBy: admin.userId };
    await server.context.models.ApiToken.create({ ...row, tokenHash: hashToken(secret) });
    return secret;
  };
  beforeAll(async () => {
    for (const role of ["editor", "moderator"] as const) {
      secrets.set(role, await plant(role, scopes));
      for (const scope of scopes) {
        const without = scopes.filter((one) => one !== scope);
        secrets.set(`${role} without ${scope}`, await plant(role, without));
      }
    }
  });
  afterAll(revokeEach);

  it.each(named(open))(
    "%s admits a token with the scope of the route, and answers 403 to other tokens",
    async (_name, route) => {
      const role = roleFor(route);
      const closed = secrets.get(`${role} without ${scopeOf(route)}`) ?? "";
      expect(await requestWithoutScope(route, closed)).toEqual({
        status: 403,
        code: "scope_missing",
      });
      const { status, code } = await requestWithoutScope(route, secrets.get(role) ?? "");
      expect(status).not.toBe(401);
      expect([null, "session_required", "scope_missing", "role_required"].slice(1)).not.toContain(
        code,
      );
    },
  );

  it.each(named(routes.filter((route) => scopeOf(route) === null)))(
    "%s admits no API token",
    async (_name, route) => {
      const { status, code } = await requestWithoutScope(route, secrets.get("moderator") ?? "");
      expect(refusalsOf(route)).toContain(`${status} ${code}`);
    },
  );

  it("admits no API token if the route is personal or only for administrators", () => {
    const closed = /^\/api\/v1\/(auth|player|admin\/account)(\/|$)/;
    expect(open.filter(({ path, gate }) => closed.test(path) || gate === "roles:admin")).toEqual(
      [],
    );
    const namesOf = (all: readonly (string | null)[]) =>
      new Set(all.map((scope) => scope?.split(":")[0]));
    expect(namesOf(scopes)).toEqual(namesOf(open.map(scopeOf)));
  });
});

describe("an action of a caller", () => {
  it("passes the whole caller to the activity log, not only the user id (a check of the source code)", () => {
    const written = globSync("shared/**/*.ts").filter(
      (file) =>
        !file.startsWith("shared/auth/") &&
        /actorId: (caller|actor)\.userId/.test(readFileSync(file, "utf8")),
    );
    expect(written).toEqual([]);
  });
});

describe("an API token", () => {
  afterAll(revokeEach);

  it("has the access level of its role", async () => {
    const levelOf = async (role: string) => {
      const { secret } = await createApiToken({ role });
      const headers = bearer(secret);
      return (await callRoute(server, "GET /public/shard/features", { headers })).body;
    };
    expect(await levelOf("player")).toMatchObject({ level: "player" });
    expect(await levelOf("editor")).toMatchObject({ level: "staff" });
    expect(await levelOf("moderator")).toMatchObject({ level: "staff" });
  });

  it("gets a 403 that names the missing scope", async () => {
    const { secret } = await createApiToken({ scopes: ["shard-staff:write"] });
    const answered = await audit(secret);
    expect(statusAndBodyOf(answered)).toEqual([
      403,
      { error: "The token lacks the scope shard-staff:read" },
    ]);
    expect(answered.headers.get("www-authenticate")).toBe(
      'Bearer error="insufficient_scope", scope="shard-staff:read"',
    );
  });

  it("is rejected by a route that its role may not use", async () => {
    const { secret } = await createApiToken({ role: "editor" });
    expect(statusAndBodyOf(await audit(secret))).toEqual([
      403,
      { error: "Admin or moderator role required" },
    ]);
  });

  it("is accepted only in the Authorization header, and from any origin", async () => {
    const { secret } = await createApiToken();
    const kick = (headers: Record<string, string>) =>
      callRoute(server, "POST /admin/shard/kick", { headers, body: {} });
    const foreign = { ...bearer(secret), origin: "https://elsewhere.example" };
    expect((await kick(foreign)).status).toBe(400);
    expect((await kick({ cookie: `session=${secret}` })).status).toBe(401);
    expect((await kick({ ...admin.headers, ...bearer(`${secret}x`) })).status).toBe(401);
    for (const authorization of [
      `Bearer ${secret.toLowerCase()}`,
      `Bearer ${secret.replace("ght_", "GHT_")}`,
      `Bearer ght_`,
      `Bearer ${secret.slice(4)}`,
      `Basic ${secret}`,
      `Bearer ${secret}${"A".repeat(5000)}`,
    ]) {
      expect((await kick({ authorization })).status).toBe(401);
    }
  });

  it("is named in the activity log together with its creator, and its last use is listed", async () => {
    const { secret, token } = await createApiToken({ name: "Kicker" });
    const answered = await callRoute(server, "POST /admin/shard/kick", {
      headers: bearer(secret),
      body: { account: "maple" },
    });
    expect(answered.status).toBe(503);
    const { body } = await callRoute(server, "GET /admin/activity?action=shard.kick", {
      headers: admin.headers,
    });
    const { activity } = body as { activity: { actor: object }[] };
    const acting = { id: token.id, name: "Kicker" };
    expect(activity[0]?.actor).toEqual({
      id: admin.userId,
      username: admin.username,
      token: acting,
    });
    const { tokens } = (await callRoute(server, "GET /admin/tokens", { headers: admin.headers }))
      .body as { tokens: { id: number; last_used_at: string | null }[] };
    expect(tokens.find(({ id }) => id === token.id)?.last_used_at).toEqual(anyTime);
  });

  it("is counted separately from its creator in limits per user", async () => {
    const limited = await startTestServer({
      database: server.database,
      routes: [...routes, counted],
      environment: { RL_USER_CHANGE_MAX: "2" },
    });
    const [one, two] = [await createApiToken(), await createApiToken()];
    const statuses: number[] = [];
    for (const headers of [
      ...makeList(3, () => bearer(one.secret)),
      ...makeList(3, () => bearer(two.secret)),
      ...makeList(3, () => admin.headers),
    ]) {
      const options = { headers, isUndescribed: true };
      statuses.push((await callRoute(limited, "GET /test/counted", options)).status);
    }
    expect(statuses).toEqual([200, 200, 429, 200, 200, 429, 200, 200, 429]);
    await limited.stop();
  });

  it("stops working at its expiry", async () => {
    const { secret, token } = await createApiToken({ expiresAt: later() });
    expect((await audit(secret)).status).toBe(200);
    await expire(token.id);
    expect((await audit(secret)).status).toBe(401);
  });

  it.each([
    ["loses the role", "PATCH", { role: "moderator" }],
    ["is disabled", "PATCH", { disabled: true }],
    ["is deleted", "DELETE", {}],
  ])("ends permanently when its creator %s", async (_what, method, body) => {
    const maker = await signIn(server, { role: "admin" });
    const { secret } = await createApiToken({}, maker);
    const kept = await createApiToken();
    const stream = await openStream(`${server.url}/api/v1/public/shard/stream`, {
      headers: bearer(secret),
    });
    await stream.waitFor(({ event }) => event === "hello");
    const path = `/admin/users/${maker.userId}`;
    const { headers } = admin;
    expect((await callRoute(server, `${method} ${path}`, { headers, body })).status).toBe(200);
    expect((await audit(secret)).status).toBe(401);
    expect((await audit(secret, other)).status).toBe(401);
    await stream.ended;
    await changeUser(server, maker.userId, { role: "admin", disabledAt: null });
    expect((await audit(secret)).status).toBe(401);
    expect((await audit(kept.secret)).status).toBe(200);
  });

  it("survives a password change of its creator", async () => {
    const maker = await signIn(server, { role: "admin" });
    const { secret } = await createApiToken({}, maker);
    const { headers, password } = maker;
    const body = { currentPassword: password, newPassword: "quite another one" };
    expect(
      (await callRoute(server, "PATCH /auth/me/account/password", { headers, body })).status,
    ).toBe(200);
    expect((await audit(secret)).status).toBe(200);
  });

  it("loses its streams when it is revoked, and at the next SSE_RECHECK after its expiry", async () => {
    const [told, untold, spared] = [
      await createApiToken(),
      await createApiToken(),
      await createApiToken(),
    ];
    const streams = await Promise.all(
      [told, untold, spared].map(({ secret }) =>
        openStream(`${server.url}/api/v1/public/shard/stream`, { headers: bearer(secret) }),
      ),
    );
    for (const stream of streams) await stream.waitFor(({ event }) => event === "hello");
    expect((await revoke(told.token.id)).status).toBe(200);
    await streams[0]?.ended;
    await expire(untold.token.id);
    await streams[1]?.ended;
    const byes = streams.map(({ blocks }) => blocks.filter(({ event }) => event === "bye").length);
    expect(byes).toEqual([1, 1, 0]);
    const all = { headers: admin.headers };
    expect((await callRoute(server, "DELETE /auth/me/sessions", all)).status).toBe(200);
    expect(streams[2]?.blocks.some(({ event }) => event === "bye")).toBe(false);
    streams[2]?.close();
    admin = await signIn(server, { role: "admin" });
  });

  it("needs a creator with a second factor if the site requires second factors of staff", async () => {
    const { secret } = await createApiToken();
    const setting = { staff_second_factor_required: true };
    await storeSetting(server, "staff_second_factor_required", true);
    await server.context.settings.reload();
    expect(server.context.settings.current).toMatchObject(setting);
    expect(codeOfAnswer(await audit(secret))).toBe("second_factor_required");
    await changeUser(server, admin.userId, { totpEnabled: true });
    expect((await audit(secret)).status).toBe(200);
    await changeUser(server, admin.userId, { totpEnabled: false });
    await server.context.models.Setting.destroy({ where: {} });
    await server.context.settings.reload();
  });

  it("is deleted once the activity retention has passed since its revocation", async () => {
    const { token } = await createApiToken();
    const tokenExists = async () => (await apiTokens().findByPk(token.id)) !== null;
    const revokedBefore = (days: number) =>
      changeApiToken(server, token.id, { revokedAt: clockNowPlus(-days * 86_400_000) });
    await revokedBefore(29);
    await pruneCredentials(server.context);
    expect(await tokenExists()).toBe(true);
    await revokedBefore(31);
    await pruneCredentials(server.context);
    expect(await tokenExists()).toBe(false);
  });

  it("cannot create another token", async () => {
    const { secret } = await createApiToken();
    const body = { name: "child", role: "player", scopes: ["shard:read"] };
    const refused = await callRoute(server, "POST /admin/tokens", {
      headers: bearer(secret),
      body,
    });
    expect(statusAndBodyOf(refused)).toEqual([403, { error: "Admin role required" }]);
  });
});

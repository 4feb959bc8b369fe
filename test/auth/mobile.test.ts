import { createHash, randomUUID } from "node:crypto";

import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import { clearTokenSuccessors } from "../../shared/auth/sessions/clear-successors.ts";
import { signToken } from "../../shared/platform/crypto/jwt.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  forgetSteps,
  wrongCodeOf,
  wrongCodesOf,
} from "../support/accounts/second-factor.ts";
import { createTestUser, signIn, type TestUser } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { query } from "../support/database/query.ts";
import { tablesHolding } from "../support/database/tables-holding.ts";
import { textOfTable } from "../support/database/text-of-table.ts";
import { activityOf } from "../support/factories/site.ts";
import {
  buildTrustedDevice,
  cutOffUser,
  deleteUser,
  disableUser,
} from "../support/factories/users.ts";
import { type ApiAnswer, callRoute, cookieOf, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { sharedServer } from "../support/service/shared-server.ts";

let server: TestServer;
/** A server with a grace period of zero: any reuse of a refresh token is theft. */
let graceless: TestServer;
beforeAll(async () => {
  server = await sharedServer();
  graceless = await startTestServer({
    database: server.database,
    environment: { ...unlimited, REFRESH_GRACE: "0s" },
  });
});
afterAll(async () => {
  await graceless.stop();
});

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const bearer = ({ accessToken }: Tokens) => ({ authorization: `Bearer ${accessToken}` });

const login = (body: object) => callRoute(server, "POST /auth/mobile/login", { body });
const refresh = (refreshToken: unknown, at = server) =>
  callRoute(at, "POST /auth/mobile/refresh", { body: { refreshToken } });

async function tokensOf(
  { username, password }: Pick<TestUser, "username" | "password">,
  extra: object = {},
): Promise<Tokens> {
  const answered = await login({ username, password, ...extra });
  expect(answered.status).toBe(200);
  return answered.body as Tokens;
}

const me = async (tokens: Tokens, at = server): Promise<number> =>
  (await callRoute(at, "GET /auth/me", { headers: bearer(tokens) })).status;

const endDevice = async (_: TestServer, userId: number) => {
  const end = { reason: "revoked", spared: null };
  await inTransaction(server.context.sequelize, (transaction) =>
    server.context.models.MobileFamily.revokeAllOf(userId, end, transaction),
  );
};

const codeAnd = (answered: ApiAnswer) => [
  ...statusAndBodyOf(answered),
  answered.headers.get("x-error-code"),
];
const wrongToken = [401, { error: "Invalid refresh token" }];

/** Returns the lifetime in whole days. */
const daysOf = ({ createdAt, expiresAt }: { readonly createdAt: Date; readonly expiresAt: Date }) =>
  Math.floor((expiresAt.getTime() - createdAt.getTime()) / 86_400_000);

describe("POST /auth/mobile/login", () => {
  it("answers a pair of tokens and the user, and sets no cookie", async () => {
    const { username, password, userId } = await createTestUser(server);
    const answered = await login({ username, password, device_name: "Pixel" });
    expect(statusAndBodyOf(answered)).toEqual([
      200,
      {
        accessToken: expect.any(String),
        refreshToken: expect.stringMatching(/^rt_[\w-]{43}$/),
        expiresIn: "15m",
        tokenType: "Bearer",
        user: { id: userId, username, role: "player", totp_enabled: false, email: null },
      },
    ]);
    expect(answered.setCookies).toEqual([]);
    expect(answered.headers.get("cache-control")).toBe("no-store");
    const { accessToken } = answered.body as Tokens;
    expect(decodeProtectedHeader(accessToken).typ).toBe("at+jwt");
    const claims = decodeJwt(accessToken);
    expect(claims).toEqual({
      sub: String(userId),
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: (claims.iat ?? 0) + 900,
      aud: "mobile",
      sid: expect.any(Number),
      gen: 0,
      auth_time: claims.iat,
    });
  });

  it("accepts a device name of 100 characters", async () => {
    const tokens = await tokensOf(await createTestUser(server), { device_name: "n".repeat(100) });
    const { body } = await callRoute(server, "GET /auth/me/sessions", { headers: bearer(tokens) });
    expect(body).toEqual([expect.objectContaining({ device_name: "n".repeat(100) })]);
  });

  it("stores no refresh token in plain text", async () => {
    const { refreshToken } = await tokensOf(await createTestUser(server));
    expect(await tablesHolding(server, refreshToken.slice(3))).toEqual([]);
  });

  it("fails like the web sign-in, and answers the same 400 to every malformed body", async () => {
    const { username, password } = await createTestUser(server);
    const failures = [
      { username, password: "not this one" },
      { username: "nobody-here", password },
      { username, password, company: "x" },
    ];
    for (const body of failures) {
      const answered = await login(body);
      expect([answered.status, answered.text]).toEqual([
        401,
        '{"error":"Invalid username or password"}',
      ]);
    }
    const faults = [
      { username },
      { username, password, code: "1", recoveryCode: "2" },
      { username, password, device_name: 5 },
      { username, password, device_name: "x".repeat(101) },
    ];
    for (const body of faults) {
      expect(statusAndBodyOf(await login(body))).toEqual([400, { error: "Invalid request" }]);
    }
  });

  it("requires the second factor of an enrolled user in the same request", async () => {
    const user = await createEnrolledUser(server);
    const { username, password, secret, recoveryCodes } = user;
    expect(statusAndBodyOf(await login({ username, password }))).toEqual([
      401,
      { error: "Code required", totpRequired: true },
    ]);
    const wrongly = await login({ username, password, code: wrongCodeOf(secret) });
    expect(statusAndBodyOf(wrongly)).toEqual([401, { error: "Invalid code" }]);
    const guessed = await login({ username, password: "not this one", code: codeOf(secret) });
    expect(statusAndBodyOf(guessed)).toEqual([401, { error: "Invalid username or password" }]);
    await forgetSteps(server, user.userId);
    const code = codeOf(secret);
    expect(await me(await tokensOf(user, { code }))).toBe(200);
    expect(statusAndBodyOf(await login({ username, password, code }))).toEqual([
      401,
      { error: "Invalid code" },
    ]);
    const [recoveryCode] = recoveryCodes;
    expect(await me(await tokensOf(user, { recoveryCode }))).toBe(200);
    expect((await login({ username, password, recoveryCode })).status).toBe(401);
  });

  it("requires the second factor even with a trusted browser's cookie", async () => {
    const { username, password, userId } = await createEnrolledUser(server);
    await buildTrustedDevice(server, {
      userId,
      tokenHash: createHash("sha256").update("known").digest(),
    });
    const answered = await callRoute(server, "POST /auth/mobile/login", {
      body: { username, password },
      headers: { cookie: "gh_td=known" },
    });
    expect(answered.status).toBe(401);
  });

  it("rejects a correct code after ten wrong ones", async () => {
    const { username, password, secret, userId } = await createEnrolledUser(server);
    for (let tries = 0; tries < 10; tries += 1) {
      await login({ username, password, code: wrongCodeOf(secret) });
    }
    await forgetSteps(server, userId);
    expect(statusAndBodyOf(await login({ username, password, code: codeOf(secret) }))).toEqual([
      401,
      { error: "Invalid code" },
    ]);
  });

  it("counts wrong codes together with the web sign-in, which rejects a correct code after ten wrong ones", async () => {
    const { username, password, secret, userId } = await createEnrolledUser(server);
    const completed = async (code: string) => {
      const challenge = await requestChallenge(server, { username, password });
      return callRoute(server, "POST /auth/login/totp", { body: { challenge, code } });
    };
    for (let tries = 0; tries < 5; tries += 1) {
      await login({ username, password, code: wrongCodeOf(secret) });
      await completed(wrongCodeOf(secret));
    }
    await forgetSteps(server, userId);
    const code = codeOf(secret);
    expect([
      statusAndBodyOf(await completed(code)),
      statusAndBodyOf(await login({ username, password, code })),
    ]).toEqual([
      [401, { error: "Invalid code" }],
      [401, { error: "Invalid code" }],
    ]);
    expect(await wrongCodesOf(server, userId)).toEqual({
      failures: expect.any(Number),
      lockedMs: expect.any(Number),
    });
  });

  it("begins device sessions that end after 180 days, with tokens that end after 30 days", async () => {
    const { userId, ...user } = await createTestUser(server);
    await tokensOf(user);
    const { MobileFamily, MobileSession } = server.context.models;
    const families = await MobileFamily.findAll({ where: { userId } });
    const sessions = await MobileSession.findAll({
      where: { familyId: families.map(({ id }) => id) },
    });
    expect([families.map(daysOf), sessions.map(daysOf)]).toEqual([[180], [30]]);
  });

  it("works from any origin, because it uses no cookie", async () => {
    const { username, password } = await createTestUser(server);
    const answered = await callRoute(server, "POST /auth/mobile/login", {
      body: { username, password },
      headers: { origin: "capacitor://localhost" },
    });
    expect(answered.status).toBe(200);
  });
});

describe("an access token", () => {
  it("is accepted only as a bearer token, where a refresh token is rejected", async () => {
    const tokens = await tokensOf(await createTestUser(server));
    expect(await me(tokens)).toBe(200);
    const { accessToken, refreshToken } = tokens;
    for (const headers of [
      { cookie: `session=${accessToken}` },
      { authorization: `Bearer ${refreshToken}` },
    ] as Readonly<Record<string, string>>[]) {
      expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(401);
    }
    expect(statusAndBodyOf(await refresh(accessToken))).toEqual(wrongToken);
  });

  it("may be used from any origin", async () => {
    const tokens = await tokensOf(await createTestUser(server));
    const headers = { ...bearer(tokens), origin: "https://elsewhere.example" };
    const answered = await callRoute(server, "PATCH /auth/me/account/username", {
      headers,
      body: { username: "Roaming.User" },
    });
    expect(answered.status).toBe(200);
  });

  it("expires before its refresh token, which stays valid", async () => {
    const environment = { ...unlimited, ACCESS_TTL: "1s" };
    const short = await startTestServer({ database: server.database, environment });
    const { username, password } = await createTestUser(server);
    const body = { username, password };
    const tokens = (await callRoute(short, "POST /auth/mobile/login", { body })).body as Tokens;
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect(await me(tokens, short)).toBe(401);
    const next = await refresh(tokens.refreshToken, short);
    await short.stop();
    expect(next.body).toMatchObject({ expiresIn: "1s" });
    expect(next.status).toBe(200);
  });
});

describe("POST /auth/mobile/refresh", () => {
  it("answers a new token pair, and the device keeps its id, name and sign-in time", async () => {
    const user = await createTestUser(server);
    const first = await tokensOf(user, { device_name: "Tablet" });
    const list = async (tokens: Tokens) =>
      (await callRoute(server, "GET /auth/me/sessions", { headers: bearer(tokens) })).body as {
        id: number;
        created_at: string;
        last_used_at: string;
      }[];
    const [before] = await list(first);
    const answered = await refresh(first.refreshToken);
    expect(statusAndBodyOf(answered)).toEqual([
      200,
      {
        accessToken: expect.any(String),
        refreshToken: expect.stringMatching(/^rt_/),
        expiresIn: "15m",
        tokenType: "Bearer",
        user: {
          id: user.userId,
          username: user.username,
          role: "player",
          totp_enabled: false,
          email: null,
        },
      },
    ]);
    const second = answered.body as Tokens;
    expect(second.refreshToken).not.toBe(first.refreshToken);
    const after = await list(second);
    expect(after).toEqual([
      {
        id: before?.id,
        device_name: "Tablet",
        created_at: before?.created_at,
        last_used_at: expect.any(String),
        current: true,
      },
    ]);
    expect(Date.parse(after[0]?.last_used_at ?? "")).toBeGreaterThan(
      Date.parse(before?.last_used_at ?? ""),
    );
    expect(decodeJwt(second.accessToken)["auth_time"]).toBe(
      decodeJwt(first.accessToken)["auth_time"],
    );
  });

  it("answers the same new refresh token to a repeated request, with a new access token", async () => {
    const first = await tokensOf(await createTestUser(server), { device_name: "Tablet" });
    const answered = await refresh(first.refreshToken);
    const second = answered.body as Tokens;
    const again = await refresh(first.refreshToken);
    expect(statusAndBodyOf(again)).toEqual([
      200,
      { ...(answered.body as object), accessToken: expect.any(String) },
    ]);
    for (const pair of [second, again.body as Tokens]) expect(await me(pair)).toBe(200);
    const { body } = await callRoute(server, "GET /auth/me/sessions", { headers: bearer(second) });
    expect(body).toEqual([expect.objectContaining({ device_name: "Tablet", current: true })]);
    expect((await refresh(second.refreshToken)).status).toBe(200);
  });

  it("answers refresh_token_overtaken to the old token once the next is used, and the device stays signed in", async () => {
    const first = await tokensOf(await createTestUser(server));
    const second = (await refresh(first.refreshToken)).body as Tokens;
    const third = (await refresh(second.refreshToken)).body as Tokens;
    const scores = () =>
      server.context.models.AddressReputation.findAll({ order: ["addressKey"], raw: true });
    const before = await scores();
    expect(codeAnd(await refresh(first.refreshToken))).toEqual([
      ...wrongToken,
      "refresh_token_overtaken",
    ]);
    expect((await refresh(second.refreshToken)).body).toMatchObject({
      refreshToken: third.refreshToken,
    });
    expect(await me(third)).toBe(200);
    expect((await refresh(third.refreshToken)).status).toBe(200);
    expect(await scores()).toEqual(before);
  });

  it("answers 401 to a repeated request once the device session has ended", async () => {
    for (const end of [endDevice, disableUser, cutOffUser]) {
      const { userId, ...user } = await createTestUser(server);
      const first = await tokensOf(user);
      await refresh(first.refreshToken);
      await end(server, userId);
      expect(codeAnd(await refresh(first.refreshToken))).toEqual([
        ...wrongToken,
        "invalid_refresh_token",
      ]);
    }
  });

  it("stores the next token encrypted, until its use or the end of the grace period", async () => {
    const user = await createTestUser(server);
    const stored = () =>
      query<{ successor_sealed: string | null }>(
        server,
        `select successor_sealed from mobile_sessions
         join mobile_families family on family.id = family_id
         where user_id = $1 order by mobile_sessions.id`,
        user.userId,
      );
    const first = await tokensOf(user);
    const second = (await refresh(first.refreshToken)).body as Tokens;
    const sealed = expect.stringMatching(/^v1\.token\.[\w.-]+$/);
    expect(await stored()).toEqual([{ successor_sealed: sealed }, { successor_sealed: null }]);
    const text = await textOfTable(server, "mobile_sessions");
    expect(text).not.toContain(second.refreshToken.slice(3));
    await refresh(second.refreshToken);
    expect((await stored()).map(({ successor_sealed: one }) => one)).toEqual([null, sealed, null]);
    await clearTokenSuccessors(server.context);
    expect((await stored())[1]).toEqual({ successor_sealed: sealed });
    await clearTokenSuccessors(graceless.context);
    expect((await stored()).map(({ successor_sealed: one }) => one)).toEqual([null, null, null]);
    expect(codeAnd(await refresh(second.refreshToken))[2]).toBe("refresh_token_overtaken");
  });

  it("stores no next token if there is no grace period", async () => {
    const { userId, ...user } = await createTestUser(server);
    await refresh((await tokensOf(user)).refreshToken, graceless);
    const { MobileSession } = server.context.models;
    const include = [{ association: "family", where: { userId }, required: true }];
    const sessions = await MobileSession.findAll({ include });
    expect(sessions.map(({ successorSealed }) => successorSealed)).toEqual([null, null]);
  });

  it("ends the device session in all processes if a used token is sent after the grace period (R91)", async () => {
    const { username, password, userId } = await createTestUser(server);
    const first = await tokensOf({ username, password });
    const other = await tokensOf({ username, password });
    const second = (await refresh(first.refreshToken)).body as Tokens;
    expect(statusAndBodyOf(await refresh(first.refreshToken, graceless))).toEqual(wrongToken);
    expect([await me(second), await me(second, graceless), await me(first)]).toEqual([
      401, 401, 401,
    ]);
    expect(statusAndBodyOf(await refresh(second.refreshToken))).toEqual(wrongToken);
    expect(await me(other)).toBe(200);
    const which = { action: "auth.refresh.reuse", targetId: String(userId) };
    expect(await activityOf(server, which, ["actorId"])).toEqual([{ actorId: null }]);
  });

  it("rejects unknown and malformed refresh tokens", async () => {
    for (const token of ["x", "", `rt_${"A".repeat(43)}`]) {
      const answered = await refresh(token);
      expect([401, 400]).toContain(answered.status);
    }
    expect(statusAndBodyOf(await refresh("rt_unknown"))).toEqual(wrongToken);
    expect(statusAndBodyOf(await refresh(undefined))).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [{ path: "refreshToken", message: "refreshToken is required" }],
      },
    ]);
    expect((await refresh(7)).status).toBe(400);
  });

  it("answers 401 if the token, its device session or its user has ended", async () => {
    const { MobileFamily, MobileSession } = server.context.models;
    const over = { expiresAt: clockNow() };
    const endToken = async (_: TestServer, userId: number) => {
      const { id: familyId } = await MobileFamily.findOne({
        where: { userId },
        rejectOnEmpty: true,
      });
      await MobileSession.update(over, { where: { familyId } });
    };
    const endFamily = async (_: TestServer, userId: number) =>
      MobileFamily.update(over, { where: { userId } });
    for (const end of [endToken, endFamily, disableUser, cutOffUser, deleteUser]) {
      const user = await createTestUser(server);
      const tokens = await tokensOf(user);
      await end(server, user.userId);
      expect(statusAndBodyOf(await refresh(tokens.refreshToken))).toEqual(wrongToken);
    }
  });
});

describe("POST /auth/mobile/logout", () => {
  it("ends the device session, and answers 200 to any token", async () => {
    const { username, password } = await createTestUser(server);
    const tokens = await tokensOf({ username, password });
    const other = await tokensOf({ username, password });
    const logout = (refreshToken: string) =>
      callRoute(server, "POST /auth/mobile/logout", { body: { refreshToken } });
    for (const token of [tokens.refreshToken, tokens.refreshToken, "unknown"]) {
      expect(statusAndBodyOf(await logout(token))).toEqual([200, { ok: true }]);
    }
    expect(await me(tokens)).toBe(401);
    expect(statusAndBodyOf(await refresh(tokens.refreshToken))).toEqual(wrongToken);
    expect(await me(other)).toBe(200);
  });

  it("has the same effect as POST /auth/logout with the access token", async () => {
    const tokens = await tokensOf(await createTestUser(server));
    await callRoute(server, "POST /auth/logout", { headers: bearer(tokens) });
    expect(await me(tokens)).toBe(401);
    expect(statusAndBodyOf(await refresh(tokens.refreshToken))).toEqual(wrongToken);
  });
});

describe("/auth/me/sessions", () => {
  const sessions = async (headers: Readonly<Record<string, string>>) =>
    (await callRoute(server, "GET /auth/me/sessions", { headers })).body as { id: number }[];

  it("lists the active devices, without tokens or hashes", async () => {
    const { headers, username, password } = await signIn(server);
    expect(await sessions(headers)).toEqual([]);
    const phone = await tokensOf({ username, password }, { device_name: "Phone" });
    const unnamed = await tokensOf({ username, password }, { device_name: "" });
    const entry = {
      id: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
      last_used_at: expect.stringMatching(/Z$/),
      current: false,
    };
    expect(await sessions(headers)).toEqual([
      { ...entry, device_name: null },
      { ...entry, device_name: "Phone" },
    ]);
    expect(await sessions(bearer(phone))).toEqual([
      { ...entry, device_name: null },
      { ...entry, device_name: "Phone", current: true },
    ]);
    await callRoute(server, "POST /auth/logout", { headers: bearer(unnamed) });
    expect(await sessions(headers)).toHaveLength(1);
  });

  it("ends one device of the caller, and answers deleted: false for any other id", async () => {
    const { headers, username, password } = await signIn(server);
    const tokens = await tokensOf({ username, password });
    const stranger = await signIn(server);
    const [{ id } = { id: 0 }] = await sessions(headers);
    const end = async (number: number, by: Readonly<Record<string, string>>) => {
      const answered = await callRoute(server, `DELETE /auth/me/sessions/${number}`, {
        headers: by,
      });
      return [answered.status, answered.text];
    };
    const nothing = [200, '{"deleted":false}'];
    expect(await end(id, stranger.headers)).toEqual(nothing);
    expect(await end(id + 1000, stranger.headers)).toEqual(nothing);
    expect(await end(Number.MAX_SAFE_INTEGER, headers)).toEqual(nothing);
    expect(await me(tokens)).toBe(200);
    expect(await end(id, headers)).toEqual([200, '{"deleted":true}']);
    expect(await end(id, headers)).toEqual(nothing);
    expect(await me(tokens)).toBe(401);
    expect((await refresh(tokens.refreshToken)).status).toBe(401);
    expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(200);
  });

  it("ends all other sessions and issues the caller a new one", async () => {
    const { headers, username, password } = await signIn(server);
    const elsewhere = await signIn(server);
    const phones = [await tokensOf({ username, password }), await tokensOf({ username, password })];
    const answered = await callRoute(server, "DELETE /auth/me/sessions", { headers });
    expect(statusAndBodyOf(answered)).toEqual([200, { revoked: 2 }]);
    for (const phone of phones) {
      expect([await me(phone), (await refresh(phone.refreshToken)).status]).toEqual([401, 401]);
    }
    expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(401);
    const cookie = answered.setCookies[0]?.split(";")[0] ?? "";
    expect((await callRoute(server, "GET /auth/me", { headers: { cookie } })).status).toBe(200);
    expect((await callRoute(server, "GET /auth/me", elsewhere)).status).toBe(200);
  });

  it("answers a new token pair to a bearer caller who ends all other sessions", async () => {
    const { username, password, headers } = await signIn(server);
    const own = await tokensOf({ username, password }, { device_name: "Mine" });
    const other = await tokensOf({ username, password });
    const answered = await callRoute(server, "DELETE /auth/me/sessions", { headers: bearer(own) });
    expect(answered.body).toMatchObject({ revoked: 1, tokenType: "Bearer", expiresIn: "15m" });
    expect(answered.setCookies).toEqual([]);
    const next = answered.body as Tokens;
    expect([await me(own), await me(other), await me(next)]).toEqual([401, 401, 200]);
    expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(401);
    expect(await sessions(bearer(next))).toEqual([
      expect.objectContaining({ device_name: "Mine", current: true }),
    ]);
  });

  it("keeps the expiry of a device session when it issues new tokens for the device", async () => {
    const { userId, ...user } = await createTestUser(server);
    const own = await tokensOf(user);
    const { MobileFamily } = server.context.models;
    const where = { userId };
    const latestEnd = async () =>
      (await MobileFamily.findOne({ where, order: [["id", "desc"]] }))?.expiresAt;
    await MobileFamily.update({ expiresAt: clockNowPlus(3_600_000) }, { where });
    const end = await latestEnd();
    expect(end).toBeInstanceOf(Date);
    const answered = await callRoute(server, "DELETE /auth/me/sessions", { headers: bearer(own) });
    expect(await me(answered.body as Tokens)).toBe(200);
    expect(await latestEnd()).toEqual(end);
  });

  it("keeps the expiry and sign-in time of a browser session when it issues a new cookie", async () => {
    const { userId } = await createTestUser(server);
    const anHourLeft = Math.floor(Date.now() / 1000) - 7 * 86_400 + 3_600;
    const asked = {
      userId,
      tokenId: randomUUID(),
      generation: 0,
      issuedAt: anHourLeft,
      expiresAt: anHourLeft + 7 * 86_400,
      extra: { amr: ["pwd"], auth_time: anHourLeft },
    };
    const token = await signToken("session", asked, server.config.JWT_KEYS);
    const headers = { cookie: `session=${token}` };
    const answered = await callRoute(server, "DELETE /auth/me/sessions", { headers });
    const cookie = cookieOf(answered, "session") as string;
    const [claims, before] = [decodeJwt(cookie.slice("session=".length)), decodeJwt(token)];
    expect(claims).toMatchObject({ exp: before.exp, auth_time: anHourLeft });
    expect(claims.jti).toBe(before.jti);
    const seconds = Number(/Max-Age=(\d+)/.exec(answered.setCookies[0] ?? "")?.[1]);
    expect(seconds).toBe((claims.exp ?? 0) - (claims.iat ?? 0));
    expect((await callRoute(server, "GET /auth/me", { headers: { cookie } })).status).toBe(200);
  });

  it("contains no tokens or hashes, and neither do the answers of /auth/me and /auth/me/account", async () => {
    const { headers, username, password } = await signIn(server);
    await tokensOf({ username, password });
    for (const path of ["/auth/me", "/auth/me/account", "/auth/me/sessions"]) {
      const { text } = await callRoute(server, `GET ${path}`, { headers });
      expect(text).not.toMatch(/hash|secret|valid_after|\$2b\$|rt_/);
    }
  });
});

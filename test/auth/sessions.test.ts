import { hkdfSync, randomUUID } from "node:crypto";

import { decodeJwt, SignJWT } from "jose";
import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { findInvalidSessionCallers } from "../../shared/auth/sessions/dead-sessions.ts";
import { callerOf, createTestUser, signIn, type SignedIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { changeUser } from "../support/factories/users.ts";
import {
  type ApiAnswer,
  callRoute,
  cookieOf,
  statusAndBodyOf,
  retryAfter,
} from "../support/http/call.ts";
import { openStream } from "../support/http/event-stream.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment: { ...unlimited, RL_USER_CHANGE_MAX: "10" } });
});
afterAll(() => server.stop());

const unauthenticated = [401, { error: "Not authenticated" }];

const types = {
  session: { typ: "session+jwt", audience: "web" },
  access: { typ: "at+jwt", audience: "mobile" },
  challenge: { typ: "challenge+jwt", audience: "totp" },
} as const;

/** Signs a payload with the service's key for this kind of token. */
function forge(kind: keyof typeof types, payload: Record<string, unknown>): Promise<string> {
  const [[keyId, key] = ["", Buffer.alloc(0)]] = server.config.JWT_KEYS;
  const { typ, audience } = types[kind];
  return new SignJWT({ aud: audience, ...payload })
    .setProtectedHeader({ alg: "HS256", typ, kid: keyId })
    .sign(Buffer.from(hkdfSync("sha256", key, "", typ, 32)));
}

const without = (claims: object, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name));

describe("a token that is signed with the site's key but has invalid claims", () => {
  const now = Math.floor(Date.now() / 1000);
  const common = () => ({ jti: randomUUID(), gen: 0, iat: now, exp: now + 60 });
  const badIds = ["0", "01", "-1", "1.5", "1e3", " 1", "2147483648", "9".repeat(30), "", "x"];
  const badTimes = [-1, 1.5, 1e15, 1e300, "5", null, [now]];

  const faultsOf = (own: Record<string, readonly unknown[]>) => ({
    sub: [...badIds, 1, ["1"], [1], { id: 1 }, null, true],
    jti: ["", "x", 5, null, [randomUUID()], randomUUID().toUpperCase()],
    iat: badTimes,
    exp: [...badTimes, now, now - 60],
    gen: [1, -1, 0.5, 2 ** 31, "0", null, [0]],
    auth_time: badTimes,
    ...own,
  });

  /** Sends a payload with each claim missing or faulty in turn, then the correct payload. */
  async function present(
    right: Readonly<Record<string, unknown>>,
    faults: Readonly<Record<string, readonly unknown[]>>,
    send: (payload: Record<string, unknown>) => Promise<ApiAnswer>,
  ) {
    const answers = [];
    for (const [name, values] of Object.entries(faults)) {
      const payloads = values.map((value) => ({ ...right, [name]: value }));
      for (const payload of [without(right, name), ...payloads]) {
        answers.push([payload, ...statusAndBodyOf(await send(payload))]);
      }
    }
    const others = answers.filter(([, status]) => status !== 401);
    return { first: (await send({ ...right })).status, count: answers.length, others };
  }

  it("is rejected as a session, without a server error", async () => {
    const { userId } = await createTestUser(server);
    const right = { ...common(), sub: String(userId), auth_time: now, amr: ["pwd"] };
    const faults = faultsOf({ amr: ["pwd", [5], [["pwd"]], { 0: "pwd" }, null] });
    const send = async (payload: Record<string, unknown>) => {
      const headers = { cookie: `session=${await forge("session", payload)}` };
      return callRoute(server, "GET /auth/me", { headers });
    };
    const presented = await present(right, faults, send);
    expect(presented).toEqual({ first: 200, count: 64, others: [] });
    expect(statusAndBodyOf(await send({ ...right, sid: 1 }))).toEqual(unauthenticated);
  });

  it("is rejected as an access token, without a server error", async () => {
    const { userId, username, password } = await createTestUser(server);
    await callRoute(server, "POST /auth/mobile/login", { body: { username, password } });
    const { id: sid } = await server.context.models.MobileFamily.findOne({
      where: { userId },
      rejectOnEmpty: true,
    });
    const right = { ...common(), sub: String(userId), auth_time: now, sid };
    const faults = faultsOf({ sid: [0, -1, 1.5, 2 ** 31, 1e300, "1", [sid], null] });
    const presented = await present(right, faults, async (payload) => {
      const authorization = `Bearer ${await forge("access", payload)}`;
      return callRoute(server, "GET /auth/me", { headers: { authorization } });
    });
    expect(presented).toEqual({ first: 200, count: 67, others: [] });
  });

  it("is rejected as a challenge, without a server error", async () => {
    const right = { ...common(), sub: "1", stage: "totp" };
    for (const fault of [{ sub: "2147483648" }, { sub: [1] }, { stage: 1 }, { kind: "sso_totp" }]) {
      const challenge = await forge("challenge", { ...right, ...fault });
      const body = { challenge, code: "000000" };
      const answered = await callRoute(server, "POST /auth/login/totp", { body });
      expect(statusAndBodyOf(answered)).toEqual([401, { error: "Invalid code" }]);
    }
  });
});

describe("DELETE /auth/me/sessions", () => {
  it("is limited to ten uses in ten minutes, which are counted separately from other changes", async () => {
    let { headers }: Pick<SignedIn, "headers"> = await signIn(server);
    const body = { currentPassword: "not this one", newPassword: "a brand new password" };
    for (let tries = 0; tries < 10; tries += 1) {
      const route = "PATCH /auth/me/account/password";
      expect((await callRoute(server, route, { headers, body })).status).toBe(403);
    }
    for (let done = 0; done < 10; done += 1) {
      const answered = await callRoute(server, "DELETE /auth/me/sessions", { headers });
      expect(statusAndBodyOf(answered)).toEqual([200, { revoked: 0 }]);
      headers = { cookie: cookieOf(answered, "session") ?? "" };
    }
    const refused = await callRoute(server, "DELETE /auth/me/sessions", { headers });
    expect(statusAndBodyOf(refused)).toEqual([429, { error: "Too many requests" }]);
    expect(retryAfter(refused)).toBeGreaterThan(500);
    expect(retryAfter(refused)).toBeLessThanOrEqual(600);
    expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(200);
  });
});

const hour = 3_600;

/** Returns the cookie of a session that began this many hours ago. */
async function signedInAgo(userId: number, hours: number) {
  const signedInAt = Math.floor(Date.now() / 1000) - hours * hour;
  const whose = { sub: String(userId), jti: randomUUID(), gen: 0 };
  const claims = { ...whose, auth_time: signedInAt, amr: ["pwd"] };
  const times = { iat: signedInAt, exp: signedInAt + 168 * hour };
  return { cookie: `session=${await forge("session", { ...claims, ...times })}` };
}

const statusOf = async (headers: Readonly<Record<string, string>>) =>
  (await callRoute(server, "GET /auth/me", { headers })).status;

describe("a session of a user who becomes staff", () => {
  const becameStaffAgo = (userId: number, hours: number) =>
    changeUser(server, userId, { staffSince: clockNowPlus(-3_600_000 * hours) });

  async function promoted(...rolesAfter: readonly string[]) {
    const admin = await signIn(server, { role: "admin" });
    const { userId } = await createTestUser(server);
    const headers = await signedInAgo(userId, 100);
    for (const role of rolesAfter) {
      const route = `PATCH /admin/users/${userId}`;
      await callRoute(server, route, { headers: admin.headers, body: { role } });
    }
    return { userId, headers };
  }

  it("ends twelve hours after the promotion", async () => {
    const { userId, headers } = await promoted("moderator");
    expect(await statusOf(headers)).toBe(200);
    await becameStaffAgo(userId, 11);
    expect(await statusOf(headers)).toBe(200);
    await becameStaffAgo(userId, 12);
    expect(await statusOf(headers)).toBe(401);
    const change = await callRoute(server, "DELETE /auth/me/sessions", { headers });
    expect(statusAndBodyOf(change)).toEqual(unauthenticated);
  });

  it("is not extended by a further promotion", async () => {
    const { userId, headers } = await promoted("moderator");
    await becameStaffAgo(userId, 12);
    const admin = await signIn(server, { role: "admin" });
    const body = { role: "admin" };
    await callRoute(server, `PATCH /admin/users/${userId}`, { headers: admin.headers, body });
    expect(await statusOf(headers)).toBe(401);
  });

  it("expires no later if its cookie is issued again", async () => {
    const { userId, headers } = await promoted("editor");
    await becameStaffAgo(userId, 10);
    const answered = await callRoute(server, "DELETE /auth/me/sessions", { headers });
    const cookie = cookieOf(answered, "session") ?? "";
    const { exp = 0 } = decodeJwt(cookie.slice("session=".length));
    expect(Math.round((exp - Date.now() / 1000) / 60)).toBe(120);
    expect(await statusOf({ cookie })).toBe(200);
    await becameStaffAgo(userId, 12);
    expect(await statusOf({ cookie })).toBe(401);
  });

  it("is reported as invalid by the check of open streams when it ends", async () => {
    const { userId, headers } = await promoted("moderator");
    const caller = await callerOf(server, headers);
    expect([...(await findInvalidSessionCallers([caller], server.context))]).toEqual([]);
    await becameStaffAgo(userId, 12);
    expect([...(await findInvalidSessionCallers([caller], server.context))]).toEqual([caller]);
  });

  it("loses its open stream when it ends", async () => {
    const environment = { ...unlimited, SSE_RECHECK: "1s" };
    const watchful = await startTestServer({ environment, database: server.database });
    try {
      const { userId, headers } = await promoted("moderator");
      const url = `${watchful.url}/api/v1/public/shard/stream`;
      const stream = await openStream(url, { headers });
      await stream.waitFor(({ event }) => event === "hello");
      await becameStaffAgo(userId, 12);
      await stream.ended;
      const byes = stream.blocks.filter(({ event }) => event === "bye");
      expect(byes).toEqual([
        expect.objectContaining({ data: expect.objectContaining({ reason: "revoked" }) }),
      ]);
    } finally {
      await watchful.stop();
    }
  });

  it("ends twelve hours after the sign-in if its user was already staff, and later for a player", async () => {
    const staff = await createTestUser(server, { role: "editor" });
    expect(await statusOf(await signedInAgo(staff.userId, 11))).toBe(200);
    expect(await statusOf(await signedInAgo(staff.userId, 12))).toBe(401);
    const player = await createTestUser(server);
    expect(await statusOf(await signedInAgo(player.userId, 100))).toBe(200);
  });
});

describe("POST /auth/logout", () => {
  const logOut = (headers: Readonly<Record<string, string>>) =>
    callRoute(server, "POST /auth/logout", { headers });

  const logOuts = async (userId: number) => {
    return server.context.models.ActivityEntry.count({
      where: { action: "auth.logout", actorId: userId },
    });
  };

  it("ends the reissued session if the browser sends its former token", async () => {
    const { userId, headers } = await signIn(server);
    const answered = await callRoute(server, "DELETE /auth/me/sessions", { headers });
    const cookie = cookieOf(answered, "session") ?? "";
    expect([await statusOf(headers), await statusOf({ cookie })]).toEqual([401, 200]);
    expect(statusAndBodyOf(await logOut(headers))).toEqual([200, { ok: true }]);
    expect(await statusOf({ cookie })).toBe(401);
    await logOut(headers);
    expect(await logOuts(userId)).toBe(1);
  });

  it("ends the device session if the app sends its former or expired token", async () => {
    const { userId, username, password } = await createTestUser(server);
    const body = { username, password };
    for (const isExpired of [false, true]) {
      const login = await callRoute(server, "POST /auth/mobile/login", { body });
      const { accessToken } = login.body as { accessToken: string };
      const now = Math.floor(Date.now() / 1000);
      const claims = { ...decodeJwt(accessToken), ...(isExpired && { exp: now - 60 }) };
      const given = { authorization: `Bearer ${await forge("access", claims)}` };
      const own = { authorization: `Bearer ${accessToken}` };
      const again = await callRoute(server, "DELETE /auth/me/sessions", { headers: own });
      const next = again.body as { accessToken: string; refreshToken: string };
      const headers = { authorization: `Bearer ${next.accessToken}` };
      expect([await statusOf(own), await statusOf(headers)]).toEqual([401, 200]);
      expect(statusAndBodyOf(await logOut(given))).toEqual([200, { ok: true }]);
      expect(await statusOf(headers)).toBe(401);
      const refreshed = await callRoute(server, "POST /auth/mobile/refresh", { body: next });
      expect(statusAndBodyOf(refreshed)).toEqual([401, { error: "Invalid refresh token" }]);
    }
    expect(await logOuts(userId)).toBe(2);
  });
});

describe("a device session with reissued tokens", () => {
  it("keeps its id, and its former refresh token is rejected without ending the session", async () => {
    const { username, password } = await createTestUser(server);
    const body = { username, password, device_name: "Phone" };
    const login = await callRoute(server, "POST /auth/mobile/login", { body });
    const first = login.body as { accessToken: string; refreshToken: string };
    const list = async ({ accessToken }: { accessToken: string }) => {
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await callRoute(server, "GET /auth/me/sessions", { headers })).body as {
        id: number;
      }[];
    };
    const [before] = await list(first);
    const headers = { authorization: `Bearer ${first.accessToken}` };
    const answered = await callRoute(server, "DELETE /auth/me/sessions", { headers });
    const next = answered.body as { accessToken: string; refreshToken: string };
    expect(answered.body).toMatchObject({ revoked: 0 });
    await server.context.models.MobileSession.update(
      { consumedAt: clockNowPlus(-3_600_000) },
      { where: { consumedAt: { [Op.ne]: null } } },
    );
    const stale = await callRoute(server, "POST /auth/mobile/refresh", { body: first });
    expect(statusAndBodyOf(stale)).toEqual([401, { error: "Invalid refresh token" }]);
    expect(await list(next)).toEqual([
      { ...before, last_used_at: expect.any(String), current: true },
    ]);
    expect((await callRoute(server, "POST /auth/mobile/refresh", { body: next })).status).toBe(200);
  });
});

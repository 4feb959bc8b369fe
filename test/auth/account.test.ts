import { beforeAll, describe, expect, it, vi } from "vitest";

import { clockNow, selectReadAt, remainingMs } from "../../models/queries/clock.ts";
import { isSignedIn } from "../support/accounts/is-signed-in.ts";
import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  forgetSteps,
  wrongCodeOf,
} from "../support/accounts/second-factor.ts";
import { createTestUser, logIn, signIn } from "../support/accounts/sign-in.ts";
import { activityOf } from "../support/factories/site.ts";
import {
  ageDeviceSessions,
  buildIdentity,
  changeUser,
  userOf,
} from "../support/factories/users.ts";
import { callRoute, cookieOf, statusAndBodyOf, wrongField } from "../support/http/call.ts";
import type { TestServer } from "../support/service/server.ts";
import { sharedServer } from "../support/service/shared-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

type Headers = Readonly<Record<string, string>>;

const mobile = async (username: string, password: string) => {
  const answered = await callRoute(server, "POST /auth/mobile/login", {
    body: { username, password },
  });
  const { accessToken, refreshToken } = answered.body as Record<string, string>;
  return { headers: { authorization: `Bearer ${accessToken}` }, refreshToken };
};

const refreshed = async (refreshToken: string | undefined) =>
  (await callRoute(server, "POST /auth/mobile/refresh", { body: { refreshToken } })).status;

/**
 * Creates a device session whose sign-in is eleven minutes old, and so too old for a confirmation.
 */
async function createOldSession(user: { userId: number; username: string; password: string }) {
  const { headers, refreshToken } = await mobile(user.username, user.password);
  await ageDeviceSessions(server, user.userId, 660);
  const body = { refreshToken };
  const answered = await callRoute(server, "POST /auth/mobile/refresh", { body });
  const { accessToken } = answered.body as { accessToken: string };
  return { ...headers, authorization: `Bearer ${accessToken}` };
}

describe("GET /auth/me/account", () => {
  it("answers the caller's account, and 401 without a session", async () => {
    const { headers, userId, username } = await signIn(server, { role: "editor" });
    expect(statusAndBodyOf(await callRoute(server, "GET /auth/me/account", { headers }))).toEqual([
      200,
      { id: userId, username, role: "editor", totp_enabled: false },
    ]);
    expect(statusAndBodyOf(await callRoute(server, "GET /auth/me/account"))).toEqual([
      401,
      { error: "Not authenticated" },
    ]);
  });
});

describe("PATCH /auth/me/account/username", () => {
  const rename = (headers: Headers, username: unknown) =>
    callRoute(server, "PATCH /auth/me/account/username", { headers, body: { username } });

  it("changes the name, keeps sessions valid and frees the old name", async () => {
    const { headers, userId, username, password } = await signIn(server);
    const answered = await rename(headers, "Änne-Mary.1_x");
    expect(statusAndBodyOf(answered)).toEqual([
      200,
      { id: userId, username: "Änne-Mary.1_x", role: "player", totp_enabled: false },
    ]);
    expect(await isSignedIn(server, headers)).toBe(true);
    await logIn(server, { username: "äNNE-mary.1_X", password });
    await createTestUser(server, { username });
  });

  it("accepts the caller's own name in another case", async () => {
    const { headers, username } = await signIn(server);
    const answered = await rename(headers, username.toUpperCase());
    expect(answered.body).toMatchObject({ username: username.toUpperCase() });
  });

  it("answers 409 to a taken name and 400 to a malformed one", async () => {
    const { headers } = await signIn(server);
    const { username } = await createTestUser(server);
    expect(statusAndBodyOf(await rename(headers, username.toUpperCase()))).toEqual([
      409,
      { error: "Username is taken" },
    ]);
    const rule = "username must be 3 to 32 letters, digits, '.', '_' or '-'";
    for (const name of ["ab", "x".repeat(33), "with space", "a@b.c", "<script>", "a\u200Bbc"]) {
      expect(statusAndBodyOf(await rename(headers, name))).toEqual(wrongField("username", rule));
    }
    expect((await rename(headers, "")).status).toBe(400);
    expect(statusAndBodyOf(await rename(headers, 5))).toEqual(
      wrongField("username", "username must be a string"),
    );
  });
});

describe("PATCH /auth/me/account/password", () => {
  const newPassword = "a brand new password";
  const change = (headers: Headers, body: object) =>
    callRoute(server, "PATCH /auth/me/account/password", { headers, body });

  it("ends all sessions and issues the caller a new one", async () => {
    const { headers, username, password } = await signIn(server);
    const other = { cookie: await logIn(server, { username, password }) };
    const phone = await mobile(username, password);
    const answered = await change(headers, { currentPassword: password, newPassword });
    expect(statusAndBodyOf(answered)).toEqual([200, { ok: true }]);
    expect([
      await isSignedIn(server, headers),
      await isSignedIn(server, other),
      await isSignedIn(server, phone.headers),
    ]).toEqual([false, false, false]);
    expect(await refreshed(phone.refreshToken)).toBe(401);
    const cookie = cookieOf(answered, "session") as string;
    expect(await isSignedIn(server, { cookie })).toBe(true);
    const body = { username, password };
    expect((await callRoute(server, "POST /auth/login", { body })).status).toBe(401);
    expect(
      await isSignedIn(server, {
        cookie: await logIn(server, { username, password: newPassword }),
      }),
    ).toBe(true);
  });

  it("changes the password twice in quick succession, and only the last session stays valid", async () => {
    const { headers, password } = await signIn(server);
    const first = await change(headers, { currentPassword: password, newPassword });
    const one = { cookie: cookieOf(first, "session") as string };
    const second = await change(one, {
      currentPassword: newPassword,
      newPassword: "and another one",
    });
    const two = { cookie: cookieOf(second, "session") as string };
    expect([
      await isSignedIn(server, headers),
      await isSignedIn(server, one),
      await isSignedIn(server, two),
    ]).toEqual([false, false, true]);
  });

  it("answers a new token pair to a caller with a bearer token", async () => {
    const { username, password } = await createTestUser(server);
    const phone = await mobile(username, password);
    const answered = await change(phone.headers, { currentPassword: password, newPassword });
    expect(statusAndBodyOf(answered)).toEqual([
      200,
      {
        ok: true,
        accessToken: expect.any(String),
        refreshToken: expect.stringMatching(/^rt_/),
        expiresIn: "15m",
        tokenType: "Bearer",
        user: expect.objectContaining({ username }),
      },
    ]);
    const { accessToken, refreshToken } = answered.body as Record<string, string>;
    expect(await isSignedIn(server, phone.headers)).toBe(false);
    expect(await isSignedIn(server, { authorization: `Bearer ${accessToken}` })).toBe(true);
    expect(await refreshed(refreshToken)).toBe(200);
  });

  it("requires the current password, and changes nothing if it is wrong or missing", async () => {
    const { headers, password, username, userId } = await signIn(server);
    const wrong = await change(headers, { currentPassword: "not this one", newPassword });
    expect(statusAndBodyOf(wrong)).toEqual([403, { error: "Wrong password" }]);
    expect(statusAndBodyOf(await change(headers, { newPassword }))).toEqual(
      wrongField("currentPassword", "currentPassword is required"),
    );
    expect(await isSignedIn(server, headers)).toBe(true);
    await logIn(server, { username, password });
    await changeUser(server, userId, { passwordHash: null });
    const none = await change(headers, { currentPassword: password, newPassword });
    expect(statusAndBodyOf(none)).toEqual([403, { error: "Wrong password" }]);
  });

  it("rejects weak and overlong passwords, and accepts any other characters", async () => {
    const { headers, password, username } = await signIn(server, { username: "Longish.Name" });
    const refusals = {
      short: "newPassword must be 8 characters or more",
      "😀😀😀😀😀😀😀": "newPassword must be 8 characters or more",
      ["x".repeat(1025)]: "newPassword must be 1024 characters or fewer",
      [username.toLowerCase()]: "newPassword must not be the user name",
      GUILDHALL: "newPassword must not be the site's name",
      trustno1: "newPassword must not be one of the most common passwords",
      Password1: "newPassword must not be one of the most common passwords",
    };
    for (const [weak, message] of Object.entries(refusals)) {
      const answered = await change(headers, { currentPassword: password, newPassword: weak });
      expect(statusAndBodyOf(answered)).toEqual(wrongField("newPassword", message));
    }
    const odd = " \t😀 ünï 😀\u0001";
    const answered = await change(headers, { currentPassword: password, newPassword: odd });
    expect(answered.status).toBe(200);
    await logIn(server, { username, password: odd });
    const trimmed = { username, password: odd.trim() };
    expect((await callRoute(server, "POST /auth/login", { body: trimmed })).status).toBe(401);
  });

  it("forgets all trusted devices and keeps the second factor enabled", async () => {
    const user = await createEnrolledUser(server);
    await forgetSteps(server, user.userId);
    const challenge = await requestChallenge(server, user);
    const trusted = await callRoute(server, "POST /auth/login/totp", {
      body: { challenge, code: codeOf(user.secret), trustDevice: true },
    });
    const device = cookieOf(trusted, "gh_td") as string;
    const answered = await change(user.headers, { currentPassword: user.password, newPassword });
    expect(answered.setCookies).toContainEqual(expect.stringMatching(/^gh_td=;/));
    const body = { username: user.username, password: newPassword };
    const again = await callRoute(server, "POST /auth/login", {
      body,
      headers: { cookie: device },
    });
    expect(again.body).toMatchObject({ totpRequired: true });
  });
});

describe("POST /auth/me/account/totp/setup", () => {
  const setup = (headers: Headers, body: object = {}) =>
    callRoute(server, "POST /auth/me/account/totp/setup", { headers, body });

  it("answers the secret, the otpauth URL and a QR code", async () => {
    const { headers, username } = await signIn(server);
    const { status, body } = await setup(headers);
    expect(status).toBe(200);
    const { secret, otpauthUrl, qr } = body as Record<string, string>;
    expect(Object.keys(body as object).toSorted()).toEqual(["otpauthUrl", "qr", "secret"]);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(otpauthUrl).toBe(
      `otpauth://totp/Guildhall:${username}?secret=${secret}&issuer=Guildhall`,
    );
    expect(qr).toMatch(/^data:image\/svg\+xml;base64,/);
    const svg = Buffer.from(qr?.split(",")[1] ?? "", "base64").toString();
    expect(svg).toMatch(/^<svg .*<\/svg>$/s);
  });

  it("does not enable the second factor before a code is confirmed", async () => {
    const { headers, username, password } = await signIn(server);
    await setup(headers);
    const { body } = await callRoute(server, "GET /auth/me/account", { headers });
    expect(body).toMatchObject({ totp_enabled: false });
    await logIn(server, { username, password });
  });

  it("requires the password or a code if the sign-in is older than ten minutes", async () => {
    const user = await createTestUser(server);
    const headers = await createOldSession(user);
    expect(statusAndBodyOf(await setup(headers))).toEqual([
      403,
      { error: "Send your password or a code to confirm" },
    ]);
    expect(statusAndBodyOf(await setup(headers, { password: "not this one" }))).toEqual([
      403,
      { error: "Wrong password" },
    ]);
    expect(statusAndBodyOf(await setup(headers, { code: "123456" }))).toEqual([
      403,
      { error: "Invalid code" },
    ]);
    expect((await setup(headers, { password: user.password })).status).toBe(200);
  });

  it("rejects a wrong password even after a fresh sign-in, and a password together with a code", async () => {
    const { headers, password } = await signIn(server);
    expect((await setup(headers, { password: "not this one" })).status).toBe(403);
    expect(statusAndBodyOf(await setup(headers, { password, code: "123456" }))).toEqual(
      wrongField("code", "code cannot be combined with password"),
    );
  });

  it("answers 409 if the second factor is already enabled", async () => {
    const { headers } = await createEnrolledUser(server);
    expect(statusAndBodyOf(await setup(headers))).toEqual([
      409,
      { error: "The second factor is enabled already" },
    ]);
  });

  it("stores the secret encrypted", async () => {
    const { userId, secret } = await createEnrolledUser(server);
    const { totpSecretSealed: sealed } = await userOf(server, userId);
    expect(sealed).toMatch(/^v1\.test\./);
    expect(sealed).not.toContain(secret);
  });
});

describe("POST /auth/me/account/totp/enable", () => {
  const enable = (headers: Headers, code: unknown) =>
    callRoute(server, "POST /auth/me/account/totp/enable", { headers, body: { code } });

  it("enables the second factor, answers ten recovery codes and keeps sessions valid", async () => {
    const { headers, username, password } = await signIn(server);
    const other = { cookie: await logIn(server, { username, password }) };
    const { body } = await callRoute(server, "POST /auth/me/account/totp/setup", {
      headers,
      body: {},
    });
    const { secret } = body as { secret: string };
    expect(statusAndBodyOf(await enable(headers, wrongCodeOf(secret)))).toEqual([
      403,
      { error: "Invalid code" },
    ]);
    const code = codeOf(secret);
    const answered = await enable(headers, code);
    expect(statusAndBodyOf(answered)).toEqual([
      200,
      { totp_enabled: true, recoveryCodes: expect.any(Array) },
    ]);
    const { recoveryCodes } = answered.body as { recoveryCodes: string[] };
    expect(new Set(recoveryCodes).size).toBe(10);
    const letter = "[0-9A-HJKMNP-TV-Z]";
    const shape = new RegExp(`^${letter}{2}-${letter}{5}-${letter}{5}$`);
    for (const recoveryCode of recoveryCodes) expect(recoveryCode).toMatch(shape);
    expect([await isSignedIn(server, headers), await isSignedIn(server, other)]).toEqual([
      true,
      true,
    ]);
    // The code that enabled the factor is accepted once more, at the first sign-in.
    const challenge = await requestChallenge(server, { username, password });
    const login = await callRoute(server, "POST /auth/login/totp", { body: { challenge, code } });
    expect(login.status).toBe(200);
    expect((await enable(headers, code)).status).toBe(409);
  });

  it("accepts a code with a space in the middle, as apps show it", async () => {
    const { headers } = await signIn(server);
    const { body } = await callRoute(server, "POST /auth/me/account/totp/setup", {
      headers,
      body: {},
    });
    const code = codeOf((body as { secret: string }).secret);
    const halves = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect((await enable(headers, halves)).status).toBe(200);
  });

  it("answers 409 if no setup has begun in the last ten minutes", async () => {
    const { headers, userId } = await signIn(server);
    const nothing = [409, { error: "No second factor is being set up: start with totp/setup" }];
    expect(statusAndBodyOf(await enable(headers, "123456"))).toEqual(nothing);
    const { body } = await callRoute(server, "POST /auth/me/account/totp/setup", {
      headers,
      body: {},
    });
    const { PendingTotp } = server.context.models;
    const attributes = ["expiresAt", selectReadAt()];
    const pending = await PendingTotp.findByPk(userId, { attributes, rejectOnEmpty: true });
    expect(Math.ceil(remainingMs(pending.expiresAt, pending) / 60_000)).toBe(10);
    await PendingTotp.update({ expiresAt: clockNow() }, { where: { userId } });
    const { secret } = body as { secret: string };
    expect(statusAndBodyOf(await enable(headers, codeOf(secret)))).toEqual(nothing);
    expect((await enable(headers, 123456)).status).toBe(400);
  });
});

describe("POST /auth/me/account/totp/disable", () => {
  const disable = (headers: Headers, body: object) =>
    callRoute(server, "POST /auth/me/account/totp/disable", { headers, body });

  it("accepts a code, and ends other sessions, recovery codes and trusted devices", async () => {
    const user = await createEnrolledUser(server);
    await forgetSteps(server, user.userId);
    const challenge = await requestChallenge(server, user);
    const other = await callRoute(server, "POST /auth/login/totp", {
      body: { challenge, code: codeOf(user.secret), trustDevice: true },
    });
    const elsewhere = { cookie: cookieOf(other, "session") as string };
    const answered = await disable(user.headers, { code: codeOf(user.secret) });
    expect(statusAndBodyOf(answered)).toEqual([200, { totp_enabled: false }]);
    expect([await isSignedIn(server, user.headers), await isSignedIn(server, elsewhere)]).toEqual([
      false,
      false,
    ]);
    const own = { cookie: cookieOf(answered, "session") as string };
    expect(await isSignedIn(server, own)).toBe(true);
    const codes = await callRoute(server, "GET /auth/me/recovery-codes", { headers: own });
    expect(codes.body).toEqual({ remaining: 0, total: 0, created_at: null });
    const devices = await callRoute(server, "GET /auth/me/trusted-devices", { headers: own });
    expect(devices.body).toEqual([]);
    const body = { username: user.username, password: user.password };
    const login = await callRoute(server, "POST /auth/login", { body });
    expect(login.body).toMatchObject({ user: { totp_enabled: false } });
  });

  it("accepts a recovery code, and answers a new token pair to a bearer caller", async () => {
    const user = await createEnrolledUser(server);
    const { username, password, recoveryCodes } = user;
    const login = await callRoute(server, "POST /auth/mobile/login", {
      body: { username, password, recoveryCode: recoveryCodes[0] },
    });
    const headers = {
      authorization: `Bearer ${(login.body as { accessToken: string }).accessToken}`,
    };
    const answered = await disable(headers, { recoveryCode: recoveryCodes[1] });
    expect(answered.body).toMatchObject({ totp_enabled: false, tokenType: "Bearer" });
  });

  it("requires a correct code even after a fresh sign-in", async () => {
    const { headers, secret, password } = await createEnrolledUser(server);
    expect(statusAndBodyOf(await disable(headers, {}))).toEqual(
      wrongField("code", "code or recoveryCode is required"),
    );
    expect((await disable(headers, { password })).status).toBe(400);
    expect(statusAndBodyOf(await disable(headers, { code: wrongCodeOf(secret) }))).toEqual([
      403,
      { error: "Invalid code" },
    ]);
    const { body } = await callRoute(server, "GET /auth/me/account", { headers });
    expect(body).toMatchObject({ totp_enabled: true });
  });

  it("answers 409 if the second factor is not enabled", async () => {
    const { headers } = await signIn(server);
    expect(statusAndBodyOf(await disable(headers, { code: "123456" }))).toEqual([
      409,
      { error: "The second factor is not enabled" },
    ]);
  });
});

describe("/auth/me/account/identities", () => {
  const link = (userId: number, provider: string, name: string) =>
    buildIdentity(server, {
      userId,
      providerId: provider,
      providerName: name,
      subject: `subject ${userId}`,
    });
  const unlink = (headers: Headers, provider: string, body: object = {}) =>
    callRoute(server, `DELETE /auth/me/account/identities/${provider}`, { headers, body });

  it("lists the caller's linked identities", async () => {
    const { headers, userId } = await signIn(server);
    expect((await callRoute(server, "GET /auth/me/account/identities", { headers })).body).toEqual(
      [],
    );
    await link(userId, "discord", "Discord");
    await link(userId, "google", "Google");
    const { body } = await callRoute(server, "GET /auth/me/account/identities", { headers });
    expect(body).toEqual([
      { provider: "discord", name: "Discord", linked_at: expect.stringMatching(/Z$/) },
      { provider: "google", name: "Google", linked_at: expect.stringMatching(/Z$/) },
    ]);
  });

  it("unlinks an identity, and answers 404 for one that the caller does not have", async () => {
    const { headers, userId } = await signIn(server);
    const stranger = await signIn(server);
    await link(userId, "discord", "Discord");
    expect(statusAndBodyOf(await unlink(stranger.headers, "discord"))).toEqual([
      404,
      { error: "Not found" },
    ]);
    expect(statusAndBodyOf(await unlink(headers, "discord"))).toEqual([200, { unlinked: true }]);
    expect((await unlink(headers, "discord")).status).toBe(404);
  });

  it("answers 409 for the last identity of an account without a password", async () => {
    const { headers, userId } = await signIn(server);
    await server.context.models.AuthProvider.update(
      { enabled: true, clientId: "harbour" },
      { where: { id: "discord" } },
    );
    const { id } = await link(userId, "discord", "Discord");
    await server.context.models.Identity.update(
      { issuer: server.config.DISCORD_BASE_URL },
      { where: { id } },
    );
    await link(userId, "google", "Google");
    await changeUser(server, userId, { passwordHash: null });
    expect((await unlink(headers, "google")).status).toBe(200);
    expect(statusAndBodyOf(await unlink(headers, "discord"))).toEqual([
      409,
      { error: "Set a password first: this is the last way to sign in" },
    ]);
  });

  it("requires the password if the sign-in is old, and accepts a code only once", async () => {
    const user = await createTestUser(server);
    await link(user.userId, "discord", "Discord");
    const headers = await createOldSession(user);
    expect((await unlink(headers, "discord")).status).toBe(403);
    expect((await unlink(headers, "discord", { password: user.password })).status).toBe(200);
    const enrolled = await createEnrolledUser(server);
    await link(enrolled.userId, "discord", "Discord");
    await link(enrolled.userId, "google", "Google");
    const code = codeOf(enrolled.secret);
    expect((await unlink(enrolled.headers, "discord", { code })).status).toBe(200);
    expect(statusAndBodyOf(await unlink(enrolled.headers, "google", { code }))).toEqual([
      403,
      { error: "Invalid code" },
    ]);
  });
});

describe("the legacy account paths", () => {
  it("name the new path with the request's own parameters in the Link header", async () => {
    const { headers } = await signIn(server);
    const route = "DELETE /player/account/identities/the%20guild%3E";
    const { headers: answered } = await callRoute(server, route, { headers });
    expect(answered.get("link")).toBe(
      '</api/v1/auth/me/account/identities/the%20guild%3E>; rel="successor-version"',
    );
  });

  it.each([
    ["/player/account", "player"],
    ["/admin/account", "moderator"],
  ] as const)(
    "%s answers like the new path and names the new path in the Link header",
    async (prefix, role) => {
      const { headers, userId, username, password } = await signIn(server, { role });
      const answered = await callRoute(server, `GET ${prefix}`, { headers });
      expect(statusAndBodyOf(answered)).toEqual([
        200,
        { id: userId, username, role, totp_enabled: false },
      ]);
      expect(answered.headers.get("link")).toBe(
        '</api/v1/auth/me/account>; rel="successor-version"',
      );
      expect(answered.headers.get("deprecation")).toMatch(/^@\d+$/);
      expect(answered.headers.get("sunset")).toMatch(/GMT$/);
      expect(answered.headers.get("x-robots-tag")).toBe("noindex, nofollow");
      const renamed = await callRoute(server, `PATCH ${prefix}/username`, {
        headers,
        body: { username: `${role}-renamed` },
      });
      expect(renamed.body).toMatchObject({ username: `${role}-renamed` });
      const wrong = await callRoute(server, `PATCH ${prefix}/password`, {
        headers,
        body: { currentPassword: "not this one", newPassword: "a brand new password" },
      });
      expect(wrong.status).toBe(403);
      const changed = await callRoute(server, `PATCH ${prefix}/password`, {
        headers,
        body: { currentPassword: password, newPassword: "a brand new password" },
      });
      expect(statusAndBodyOf(changed)).toEqual([200, { ok: true }]);
      expect(await isSignedIn(server, headers)).toBe(false);
    },
  );

  it("reject a player at /admin/account and admit an administrator", async () => {
    const { headers } = await signIn(server);
    const answered = await callRoute(server, "GET /admin/account", { headers });
    expect(statusAndBodyOf(answered)).toEqual([403, { error: "Staff role required" }]);
    const admin = await signIn(server, { role: "admin" });
    const list = await callRoute(server, "GET /admin/account/identities", admin);
    expect(statusAndBodyOf(list)).toEqual([200, []]);
  });
});

describe("the account of a caller", () => {
  it("is read with one database statement", async () => {
    const { headers } = await signIn(server);
    // Each statement outside a transaction takes a connection, so the spy counts statements.
    const taken = vi.spyOn(server.context.sequelize.connectionManager, "getConnection");
    await callRoute(server, "GET /auth/me/account", { headers });
    expect(taken).toHaveBeenCalledTimes(1);
    taken.mockRestore();
  });

  it("has its sign-in, second factor and password change in the activity log, without secrets", async () => {
    const user = await createEnrolledUser(server);
    const { headers, userId, password } = user;
    await callRoute(server, "PATCH /auth/me/account/password", {
      headers,
      body: { currentPassword: password, newPassword: "a brand new password" },
    });
    const lines = await activityOf(server, { targetId: String(userId) }, [
      "action",
      "actorId",
      "detail",
    ]);
    expect(lines.map(({ action }) => action)).toEqual([
      "auth.login.success",
      "auth.totp.enabled",
      "auth.password.changed",
    ]);
    const text = JSON.stringify(lines);
    for (const secret of [password, user.secret, ...user.recoveryCodes, "a brand new password"]) {
      expect(text).not.toContain(secret);
    }
  });
});

import bcrypt from "bcrypt";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { Op } from "sequelize";
import { beforeAll, describe, expect, it, vi } from "vitest";

import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  type EnrolledUser,
  forgetSteps,
  triesOf,
  wrongCodeOf,
  wrongCodesOf,
} from "../support/accounts/second-factor.ts";
import { createTestUser, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { query } from "../support/database/query.ts";
import {
  ageDeviceSessions,
  buildTrustedDevice,
  changeUser,
  disableUser,
  userOf,
} from "../support/factories/users.ts";
import {
  type ApiAnswer,
  callRoute,
  cookieOf,
  statusAndBodyOf,
  wrongField,
} from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { sharedServer } from "../support/service/shared-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const complete = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  callRoute(server, "POST /auth/login/totp", { body, headers });

const wrong = [401, { error: "Invalid code" }];

const shown = ({ userId, username }: EnrolledUser) => ({
  user: { id: userId, username, role: "player", totp_enabled: true, email: null },
});

async function countActivity({ userId }: EnrolledUser, action: string): Promise<number> {
  return server.context.models.ActivityEntry.count({ where: { targetId: String(userId), action } });
}

const minutesOf = (ms: number | null) => (ms === null ? null : Math.round(ms / 60_000));

/**
 * Creates a device session whose sign-in is eleven minutes old, and so too old for a confirmation.
 */
async function signedInLongAgo(user: EnrolledUser): Promise<{ readonly authorization: string }> {
  const { username, password, recoveryCodes, userId } = user;
  const body = { username, password, recoveryCode: recoveryCodes.at(-1) };
  const signedIn = await callRoute(server, "POST /auth/mobile/login", { body });
  await ageDeviceSessions(server, userId, 660);
  const refreshed = await callRoute(server, "POST /auth/mobile/refresh", { body: signedIn.body });
  const { accessToken } = refreshed.body as { accessToken: string };
  return { authorization: `Bearer ${accessToken}` };
}

const endTrust = (where: { readonly userId: number; readonly label?: string }) =>
  server.context.models.TrustedDevice.update({ expiresAt: clockNow() }, { where });

async function signInWithCode(
  user: EnrolledUser,
  extra: object = {},
  headers = {},
): Promise<ApiAnswer> {
  await forgetSteps(server, user.userId);
  const challenge = await requestChallenge(server, user);
  return complete({ challenge, code: codeOf(user.secret), ...extra }, headers);
}

describe("POST /auth/login of a user with a second factor", () => {
  it("answers a challenge that is not accepted as a session", async () => {
    const { username, password } = await createEnrolledUser(server);
    const answered = await callRoute(server, "POST /auth/login", { body: { username, password } });
    expect(statusAndBodyOf(answered)).toEqual([
      200,
      { totpRequired: true, challenge: expect.any(String), expiresIn: "5m" },
    ]);
    const { challenge } = answered.body as { challenge: string };
    const [line = "", ...others] = answered.setCookies;
    expect(others).toEqual([]);
    expect(line.replace(/ Expires=[^;]+;/, "")).toBe(
      `totp_challenge=${challenge}; Max-Age=300; Path=/; HttpOnly; SameSite=Strict`,
    );
    expect(decodeProtectedHeader(challenge).typ).toBe("challenge+jwt");
    expect(decodeJwt(challenge)).toMatchObject({ aud: "totp", stage: "totp" });
    const asSession: Readonly<Record<string, string>>[] = [
      { authorization: `Bearer ${challenge}` },
      { cookie: `session=${challenge}` },
      { cookie: `sso_totp=${challenge}` },
    ];
    for (const headers of asSession) {
      expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(401);
    }
  });

  it("fails as for any user if the password is wrong", async () => {
    const { username } = await createEnrolledUser(server);
    const body = { username, password: "not this one" };
    const answered = await callRoute(server, "POST /auth/login", { body });
    expect(statusAndBodyOf(answered)).toEqual([401, { error: "Invalid username or password" }]);
  });
});

describe("POST /auth/login/totp", () => {
  it("signs in with a code and a challenge in the body, the bearer token or the cookie", async () => {
    const user = await createEnrolledUser(server);
    const ways = [
      (challenge: string) => [{ challenge }, {}] as const,
      (challenge: string) => [{}, { authorization: `Bearer ${challenge}` }] as const,
      (challenge: string) => [{}, { cookie: `totp_challenge=${challenge}` }] as const,
    ];
    for (const way of ways) {
      await forgetSteps(server, user.userId);
      const [body, headers] = way(await requestChallenge(server, user));
      const answered = await complete({ ...body, code: codeOf(user.secret) }, headers);
      expect(statusAndBodyOf(answered)).toEqual([200, shown(user)]);
      const cookie = cookieOf(answered, "session") as string;
      expect(decodeJwt(cookie.slice("session=".length))["amr"]).toEqual(["pwd", "otp"]);
      expect(answered.setCookies).toContainEqual(expect.stringMatching(/^totp_challenge=;/));
      expect((await callRoute(server, "GET /auth/me", { headers: { cookie } })).status).toBe(200);
    }
  });

  it("rejects different challenges in body and header, and a request without a valid challenge", async () => {
    const user = await createEnrolledUser(server);
    const challenge = await requestChallenge(server, user);
    const other = await requestChallenge(server, user);
    const code = codeOf(user.secret);
    const both = await complete({ challenge, code }, { authorization: `Bearer ${other}` });
    expect(statusAndBodyOf(both)).toEqual([
      400,
      { error: "The request contains different challenges: send only one" },
    ]);
    expect(statusAndBodyOf(await complete({ code }))).toEqual(wrong);
    expect(statusAndBodyOf(await complete({ challenge: "x", code }))).toEqual(wrong);
    // A missing or wrong challenge is refused before the other fields are checked.
    expect(statusAndBodyOf(await complete({}))).toEqual(wrong);
    expect(statusAndBodyOf(await complete({ challenge: "x", code, recoveryCode: code }))).toEqual(
      wrong,
    );
    const same = await complete({ challenge, code }, { authorization: `Bearer ${challenge}` });
    expect(same.status).toBe(200);
  });

  it("rejects a malformed request and uses up no code, challenge or try", async () => {
    const user = await createEnrolledUser(server);
    const { secret, recoveryCodes } = user;
    await forgetSteps(server, user.userId);
    const challenge = await requestChallenge(server, user);
    const [recoveryCode] = recoveryCodes;
    const code = codeOf(secret);
    expect(statusAndBodyOf(await complete({ challenge }))).toEqual(
      wrongField("code", "code or recoveryCode is required"),
    );
    expect(statusAndBodyOf(await complete({ challenge, code, recoveryCode }))).toEqual(
      wrongField("recoveryCode", "recoveryCode cannot be combined with code"),
    );
    expect(statusAndBodyOf(await complete({ challenge, recoveryCode, trustDevice: true }))).toEqual(
      wrongField("trustDevice", "trustDevice cannot be combined with recoveryCode"),
    );
    expect(statusAndBodyOf(await complete({ challenge, code: Number(code) }))).toEqual(
      wrongField("code", "code must be a string"),
    );
    expect(await triesOf(server, user.userId)).toEqual([0]);
    const spent = { userId: user.userId, usedAt: { [Op.not]: null } };
    expect(await server.context.models.RecoveryCode.count({ where: spent })).toBe(0);
    expect((await complete({ challenge, code })).status).toBe(200);
  });

  it("accepts a code once, even with a space in it", async () => {
    const user = await createEnrolledUser(server);
    await forgetSteps(server, user.userId);
    const code = codeOf(user.secret);
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    const [first, second] = [
      await requestChallenge(server, user),
      await requestChallenge(server, user),
    ];
    expect((await complete({ challenge: first, code: spaced })).status).toBe(200);
    expect(statusAndBodyOf(await complete({ challenge: second, code }))).toEqual(wrong);
  });

  it("accepts a challenge once", async () => {
    const user = await createEnrolledUser(server);
    await forgetSteps(server, user.userId);
    const challenge = await requestChallenge(server, user);
    expect((await complete({ challenge, code: codeOf(user.secret) })).status).toBe(200);
    const again = await complete({ challenge, code: codeOf(user.secret, 1) });
    expect(statusAndBodyOf(again)).toEqual(wrong);
  });

  it("accepts the codes of one time step before and after, and of no step further away", async () => {
    const user = await createEnrolledUser(server);
    const tries = [-2, -1, 1, 3].map(async (steps) => {
      const challenge = await requestChallenge(server, user);
      return { challenge, steps };
    });
    const statuses: number[] = [];
    for (const { challenge, steps } of await Promise.all(tries)) {
      await forgetSteps(server, user.userId);
      statuses.push((await complete({ challenge, code: codeOf(user.secret, steps) })).status);
    }
    // A new time step may begin during the test, so one of the two neighboring codes may be
    // refused.
    expect(statuses[0]).toBe(401);
    expect(statuses[3]).toBe(401);
    expect([statuses[1], statuses[2]]).toContain(200);
  });

  it("gives the same answer to every wrong code", async () => {
    const user = await createEnrolledUser(server);
    const used = user.recoveryCodes[0] as string;
    const challenge = await requestChallenge(server, user);
    expect((await complete({ challenge, recoveryCode: used })).status).toBe(200);
    const answers = [
      { code: wrongCodeOf(user.secret) },
      { code: "12345" },
      { code: "１２３４５６" },
      { recoveryCode: used },
      { recoveryCode: "ZZ-ZZZZZ-ZZZZZ" },
      { recoveryCode: "no code at all" },
    ];
    for (const body of answers) {
      const fresh = await requestChallenge(server, user);
      expect(statusAndBodyOf(await complete({ challenge: fresh, ...body }))).toEqual(wrong);
    }
  });

  it("rejects even the correct code after five wrong codes for one challenge", async () => {
    const user = await createEnrolledUser(server);
    await forgetSteps(server, user.userId);
    const challenge = await requestChallenge(server, user);
    for (let tries = 0; tries < 5; tries += 1) {
      const code = wrongCodeOf(user.secret);
      expect(statusAndBodyOf(await complete({ challenge, code }))).toEqual(wrong);
    }
    const right = await complete({ challenge, code: codeOf(user.secret) });
    expect(statusAndBodyOf(right)).toEqual(wrong);
    expect((await signInWithCode(user)).status).toBe(200);
  });

  it("locks the second factor after ten wrong codes in a row, and keeps sessions valid", async () => {
    const user = await createEnrolledUser(server);
    for (let round = 0; round < 2; round += 1) {
      const challenge = await requestChallenge(server, user);
      for (let tries = 0; tries < 5; tries += 1) {
        await complete({ challenge, code: wrongCodeOf(user.secret) });
      }
    }
    expect(statusAndBodyOf(await signInWithCode(user))).toEqual(wrong);
    const recoveryCode = user.recoveryCodes[0];
    const byRecovery = await complete({
      challenge: await requestChallenge(server, user),
      recoveryCode,
    });
    expect(statusAndBodyOf(byRecovery)).toEqual(wrong);
    expect((await callRoute(server, "GET /auth/me", { headers: user.headers })).status).toBe(200);
    const { failures, lockedMs } = await wrongCodesOf(server, user.userId);
    expect([failures, minutesOf(lockedMs)]).toEqual([10, 15]);
    expect(await countActivity(user, "auth.totp.failure")).toBe(12);
    expect(await countActivity(user, "auth.totp.locked")).toBe(1);
    await changeUser(server, user.userId, { totpLockedUntil: clockNow() });
    expect((await signInWithCode(user)).status).toBe(200);
    const after = await userOf(server, user.userId);
    expect(after).toMatchObject({ totpFailCount: 0, totpLockedUntil: null });
  });

  it("doubles the lock after each further ten wrong codes, up to a day", async () => {
    const user = await createEnrolledUser(server);
    const minutesAfter = async (failures: number) => {
      await changeUser(server, user.userId, { totpFailCount: failures - 1, totpLockedUntil: null });
      const challenge = await requestChallenge(server, user);
      await complete({ challenge, code: wrongCodeOf(user.secret) });
      return minutesOf((await wrongCodesOf(server, user.userId)).lockedMs);
    };
    expect(await minutesAfter(19)).toBeNull();
    expect(await minutesAfter(20)).toBe(30);
    expect(await minutesAfter(30)).toBe(60);
    expect(await minutesAfter(70)).toBe(960);
    expect(await minutesAfter(80)).toBe(1440);
    expect(await minutesAfter(100_000)).toBe(1440);
  });

  it("rejects an expired challenge", async () => {
    const environment = { ...unlimited, CHALLENGE_TTL: "1s" };
    const short = await startTestServer({ database: server.database, environment });
    const user = await createEnrolledUser(server);
    await forgetSteps(server, user.userId);
    const challenge = await requestChallenge(short, user);
    await short.stop();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(statusAndBodyOf(await complete({ challenge, code: codeOf(user.secret) }))).toEqual(
      wrong,
    );
  });

  it("rejects a challenge from before a password change or before the user was disabled", async () => {
    const [changed, disabled] = [
      await createEnrolledUser(server),
      await createEnrolledUser(server),
    ];
    const challenges = [
      await requestChallenge(server, changed),
      await requestChallenge(server, disabled),
    ];
    await callRoute(server, "PATCH /auth/me/account/password", {
      headers: changed.headers,
      body: { currentPassword: changed.password, newPassword: "another good one" },
    });
    await disableUser(server, disabled.userId);
    for (const [index, user] of [changed, disabled].entries()) {
      await forgetSteps(server, user.userId);
      const answer = { challenge: challenges[index], code: codeOf(user.secret) };
      expect(statusAndBodyOf(await complete(answer))).toEqual(wrong);
    }
  });

  it("does not count a try that ends in an internal error", async () => {
    const user = await createEnrolledUser(server);
    await forgetSteps(server, user.userId);
    const challenge = await requestChallenge(server, user);
    await query(server, "alter table totp_used rename to totp_used_away");
    const body = { challenge, code: codeOf(user.secret) };
    const failed = await callRoute(server, "POST /auth/login/totp", { body, mayFail: true });
    await query(server, "alter table totp_used_away rename to totp_used");
    expect(statusAndBodyOf(failed)).toEqual([500, { message: "Internal Server Error" }]);
    const { AuthChallenge } = server.context.models;
    expect(await AuthChallenge.findAll({ where: { userId: user.userId } })).toEqual([
      expect.objectContaining({ attempts: 0, consumedAt: null }),
    ]);
    expect((await wrongCodesOf(server, user.userId)).failures).toBe(0);
    expect((await complete({ challenge, code: codeOf(user.secret) })).status).toBe(200);
  });
});

describe("a second factor whose encryption key is missing", () => {
  it("answers 503, counts no failure and still accepts a recovery code", async () => {
    const user = await createEnrolledUser(server);
    const other = `other:${Buffer.alloc(32, 8).toString("base64")}`;
    const environment = { ...unlimited, SECRETS_KEYS: other };
    const keyless = await startTestServer({ database: server.database, environment });
    const challenge = await requestChallenge(keyless, user);
    const at = (body: object) => callRoute(keyless, "POST /auth/login/totp", { body });
    const byCode = await at({ challenge, code: codeOf(user.secret) });
    expect(statusAndBodyOf(byCode)).toEqual([
      503,
      { error: "Codes cannot be checked at the moment" },
    ]);
    expect(byCode.headers.get("retry-after")).toBe("10");
    const tries = await triesOf(server, user.userId);
    const { failures } = await wrongCodesOf(server, user.userId);
    const byRecovery = await at({ challenge, recoveryCode: user.recoveryCodes[0] });
    await keyless.stop();
    expect([tries, failures]).toEqual([[0], 0]);
    expect(statusAndBodyOf(byRecovery)).toEqual([200, shown(user)]);
  });
});

describe("a recovery code", () => {
  it("signs in once, in any case, with spaces for dashes and with look-alike letters", async () => {
    const user = await createEnrolledUser(server);
    expect(user.recoveryCodes).toHaveLength(10);
    expect(new Set(user.recoveryCodes).size).toBe(10);
    for (const text of user.recoveryCodes) {
      expect(text).toMatch(/^[0-9A-HJKMNP-TV-Z]{2}-[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
    }
    const [first = ""] = user.recoveryCodes;
    const typed = first
      .toLowerCase()
      .replaceAll("-", " ")
      .replaceAll("0", "o")
      .replaceAll("1", "l");
    const challenge = await requestChallenge(server, user);
    const answered = await complete({ challenge, recoveryCode: typed });
    expect(statusAndBodyOf(answered)).toEqual([200, shown(user)]);
    const again = { challenge: await requestChallenge(server, user), recoveryCode: first };
    expect(statusAndBodyOf(await complete(again))).toEqual(wrong);
    const cookie = cookieOf(answered, "session") as string;
    const left = await callRoute(server, "GET /auth/me/recovery-codes", { headers: { cookie } });
    expect(left.body).toEqual({ remaining: 9, total: 10, created_at: expect.any(String) });
  });

  it("is stored as a bcrypt hash", async () => {
    const { userId } = await createEnrolledUser(server);
    const codes = await server.context.models.RecoveryCode.findAll({ where: { userId } });
    expect(codes).toHaveLength(10);
    for (const { codeHash } of codes) {
      expect(codeHash).toMatch(/^\$2b\$/);
    }
  });

  it("is rejected if it belongs to another user", async () => {
    const [one, other] = [await createEnrolledUser(server), await createEnrolledUser(server)];
    const challenge = await requestChallenge(server, one);
    const recoveryCode = other.recoveryCodes[0];
    expect(statusAndBodyOf(await complete({ challenge, recoveryCode }))).toEqual(wrong);
  });
});

describe("/auth/me/recovery-codes", () => {
  it("counts no codes for a user without a second factor, and creates no codes", async () => {
    const { headers } = await signIn(server);
    const count = await callRoute(server, "GET /auth/me/recovery-codes", { headers });
    expect(count.body).toEqual({ remaining: 0, total: 0, created_at: null });
    for (const path of ["", "/regenerate"]) {
      const made = await callRoute(server, `POST /auth/me/recovery-codes${path}`, {
        headers,
        body: {},
      });
      expect(statusAndBodyOf(made)).toEqual([409, { error: "The second factor is not enabled" }]);
    }
  });

  it("creates a first set only if none exists", async () => {
    const { headers, userId, password } = await createEnrolledUser(server);
    const make = () =>
      callRoute(server, "POST /auth/me/recovery-codes", { headers, body: { password } });
    expect(statusAndBodyOf(await make())).toEqual([409, { error: "Recovery codes already exist" }]);
    await server.context.models.RecoveryCode.destroy({ where: { userId } });
    const made = await make();
    expect(statusAndBodyOf(made)).toEqual([201, { codes: expect.any(Array) }]);
    expect((made.body as { codes: string[] }).codes).toHaveLength(10);
  });

  it("requires the password or a code if the sign-in is older than ten minutes", async () => {
    const user = await createEnrolledUser(server);
    await forgetSteps(server, user.userId);
    const headers = await signedInLongAgo(user);
    const path = "POST /auth/me/recovery-codes/regenerate";
    const regenerate = (body: object) => callRoute(server, path, { headers, body });
    expect(statusAndBodyOf(await regenerate({}))).toEqual([
      403,
      { error: "Send your password or a code to confirm" },
    ]);
    expect(statusAndBodyOf(await regenerate({ password: "not this one" }))).toEqual([
      403,
      { error: "Wrong password" },
    ]);
    const byCode = { code: wrongCodeOf(user.secret) };
    expect(statusAndBodyOf(await regenerate(byCode))).toEqual([403, { error: "Invalid code" }]);
    const challenge = await requestChallenge(server, user);
    const kept = await complete({ challenge, recoveryCode: user.recoveryCodes[0] });
    expect(kept.status).toBe(200);
    expect((await regenerate({ code: codeOf(user.secret) })).status).toBe(200);
  });

  it("computes no bcrypt hash for a rejected request", async () => {
    const [user, plain] = [await createEnrolledUser(server), await signIn(server)];
    const headers = await signedInLongAgo(user);
    const hashes = vi.spyOn(bcrypt, "hash");
    const make = (body: object, as: Readonly<Record<string, string>> = headers) =>
      callRoute(server, "POST /auth/me/recovery-codes", { headers: as, body });
    const refused = [
      await make({ password: user.password, code: "123456" }),
      await make({}),
      await make({ password: "not this one" }),
      await make({ code: wrongCodeOf(user.secret) }),
      await make({ password: user.password }),
      await make({}, user.headers),
      await make({ password: plain.password }, plain.headers),
    ];
    const before = hashes.mock.calls.length;
    await server.context.models.RecoveryCode.destroy({ where: { userId: user.userId } });
    const taken = await make({ password: user.password });
    const made = hashes.mock.calls.length;
    hashes.mockRestore();
    expect(refused.map(({ status }) => status)).toEqual([400, 403, 403, 403, 409, 409, 409]);
    expect([before, taken.status, made]).toEqual([0, 201, 10]);
  });

  it("uses up no second-factor code if the user already has recovery codes", async () => {
    const user = await createEnrolledUser(server);
    await forgetSteps(server, user.userId);
    const { headers } = user;
    const body = { code: codeOf(user.secret) };
    const first = await callRoute(server, "POST /auth/me/recovery-codes", { headers, body });
    expect(statusAndBodyOf(first)).toEqual([409, { error: "Recovery codes already exist" }]);
    const path = "POST /auth/me/recovery-codes/regenerate";
    expect((await callRoute(server, path, { headers, body })).status).toBe(200);
  });

  it("answers 403 to a used code, and to any code during a lock, as to a wrong code", async () => {
    const user = await createEnrolledUser(server);
    const { headers, secret, userId } = user;
    const post = (path: string, code: string) =>
      callRoute(server, `POST /auth/me/recovery-codes${path}`, { headers, body: { code } });
    const code = codeOf(secret);
    expect((await post("/regenerate", code)).status).toBe(200);
    const wrongOwn = [403, { error: "Invalid code" }];
    expect(statusAndBodyOf(await post("", code))).toEqual(wrongOwn);
    await forgetSteps(server, userId);
    await changeUser(server, userId, { totpLockedUntil: clockNowPlus(3_600_000) });
    const hashes = vi.spyOn(bcrypt, "hash");
    const locked = [await post("", code), await post("/regenerate", code)];
    const made = hashes.mock.calls.length;
    hashes.mockRestore();
    expect(locked.map(statusAndBodyOf)).toEqual([wrongOwn, wrongOwn]);
    expect(made).toBe(0);
  });

  it("replaces all former recovery codes", async () => {
    const user = await createEnrolledUser(server);
    const { headers, password } = user;
    const made = await callRoute(server, "POST /auth/me/recovery-codes/regenerate", {
      headers,
      body: { password },
    });
    const { codes } = made.body as { codes: string[] };
    expect(codes).toHaveLength(10);
    const old = {
      challenge: await requestChallenge(server, user),
      recoveryCode: user.recoveryCodes[0],
    };
    expect(statusAndBodyOf(await complete(old))).toEqual(wrong);
    const fresh = { challenge: await requestChallenge(server, user), recoveryCode: codes[0] };
    expect((await complete(fresh)).status).toBe(200);
  });
});

describe("a trusted device", () => {
  it("skips the second factor of its user, but never the password", async () => {
    const user = await createEnrolledUser(server);
    const { username, password } = user;
    const answered = await signInWithCode(user, { trustDevice: true });
    const cookie = cookieOf(answered, "gh_td") as string;
    const line = answered.setCookies.find((text) => text.startsWith("gh_td=")) ?? "";
    expect(line.replace(/ Expires=[^;]+;/, "")).toMatch(
      /^gh_td=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const login = (body: object) =>
      callRoute(server, "POST /auth/login", { body, headers: { cookie } });
    const skipped = await login({ username, password });
    expect(statusAndBodyOf(skipped)).toEqual([200, shown(user)]);
    expect((await login({ username, password: "not this one" })).status).toBe(401);
    const other = await createEnrolledUser(server);
    const asOther = await login({ username: other.username, password: other.password });
    expect(asOther.body).toMatchObject({ totpRequired: true });
  });

  it("is recognized by a cookie whose name begins with SITE_ABBREVIATION", async () => {
    const environment = { ...unlimited, SITE_ABBREVIATION: "Oak7" };
    const named = await startTestServer({ database: server.database, environment });
    const { userId, secret, ...user } = await createEnrolledUser(server);
    await forgetSteps(server, userId);
    const body = { challenge: await requestChallenge(named, user), code: codeOf(secret) };
    const trusted = await callRoute(named, "POST /auth/login/totp", {
      body: { ...body, trustDevice: true },
    });
    const cookie = cookieOf(trusted, "Oak7_td") as string;
    const { username, password } = user;
    const logInAt = async (at: TestServer) =>
      (
        await callRoute(at, "POST /auth/login", {
          body: { username, password },
          headers: { cookie },
        })
      ).body;
    const answers = [await logInAt(named), await logInAt(server)];
    await named.stop();
    expect(answers).toEqual([
      shown({ ...user, userId, secret }),
      { totpRequired: true, challenge: expect.any(String), expiresIn: "5m" },
    ]);
  });

  it("survives a log-out and is listed with a browser label", async () => {
    const user = await createEnrolledUser(server);
    const agent = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0";
    const trusted = await signInWithCode(user, { trustDevice: true }, { "user-agent": agent });
    const session = cookieOf(trusted, "session") as string;
    const device = cookieOf(trusted, "gh_td") as string;
    const cookie = `${session}; ${device}`;
    const listed = await callRoute(server, "GET /auth/me/trusted-devices", { headers: { cookie } });
    expect(listed.body).toEqual([
      {
        id: expect.any(Number),
        label: "Firefox on Windows",
        created_at: expect.stringMatching(/Z$/),
        last_used_at: expect.stringMatching(/Z$/),
        expires_at: expect.stringMatching(/Z$/),
        current: true,
      },
    ]);
    const [entry] = listed.body as { created_at: string; expires_at: string }[];
    const life = Date.parse(entry?.expires_at ?? "") - Date.parse(entry?.created_at ?? "");
    expect(life).toBe(30 * 86_400_000);
    await callRoute(server, "POST /auth/logout", { headers: { cookie } });
    const { username, password } = user;
    const again = await callRoute(server, "POST /auth/login", {
      body: { username, password },
      headers: { cookie: device },
    });
    expect(again.body).toEqual(shown(user));
    const elsewhere = await callRoute(server, "GET /auth/me/trusted-devices", user);
    expect(elsewhere.body).toEqual([expect.objectContaining({ current: false })]);
  });

  it("is recognized by an older release's cookie until the cookie is replaced or the trust is revoked", async () => {
    const user = await createEnrolledUser(server);
    const { username, password } = user;
    const trusted = cookieOf(await signInWithCode(user, { trustDevice: true }), "gh_td") as string;
    const former = trusted.replace(/^gh_/, "");
    const skip = (cookie: string) =>
      callRoute(server, "POST /auth/login", { body: { username, password }, headers: { cookie } });
    expect((await skip(former)).body).toEqual(shown(user));
    expect((await skip(`gh_td=another; ${former}`)).body).toMatchObject({ totpRequired: true });
    const names = ({ setCookies }: ApiAnswer) =>
      setCookies.map((line) => line.replace(/=.*?(; Max-Age=\d+)?;.*/, "=$1"));
    const again = await signInWithCode(user, { trustDevice: true }, { cookie: former });
    expect(names(again)).toEqual([
      "session=; Max-Age=604800",
      "totp_challenge=",
      "gh_td=; Max-Age=2592000",
      "td=",
    ]);
    expect((await skip(former)).body).toMatchObject({ totpRequired: true });
    const cookie = `${cookieOf(again, "session")}; ${former}`;
    const ended = await callRoute(server, "DELETE /auth/me/trusted-devices", {
      headers: { cookie },
    });
    expect(names(ended)).toEqual(["gh_td=", "td="]);
  });

  it("is replaced, not added, when it is trusted again", async () => {
    const user = await createEnrolledUser(server);
    const first = cookieOf(await signInWithCode(user, { trustDevice: true }), "gh_td") as string;
    await signInWithCode(user, { trustDevice: true }, { cookie: first });
    const { body } = await callRoute(server, "GET /auth/me/trusted-devices", user);
    expect(body).toHaveLength(1);
  });

  it("is refused over the limit without using up the code, which then works without trusting the browser", async () => {
    const user = await createEnrolledUser(server);
    for (let made = 0; made < 10; made += 1) {
      await buildTrustedDevice(server, { userId: user.userId });
    }
    await forgetSteps(server, user.userId);
    const challenge = await requestChallenge(server, user);
    const code = codeOf(user.secret);
    for (let tries = 0; tries < 6; tries += 1) {
      const refused = await complete({ challenge, code, trustDevice: true });
      expect(statusAndBodyOf(refused)).toEqual([
        409,
        { error: "Too many trusted devices", trustLimitReached: true },
      ]);
      expect(refused.setCookies).toEqual([]);
    }
    expect(await countActivity(user, "auth.trusted_device.limit")).toBe(6);
    const wrongly = await complete({
      challenge,
      code: wrongCodeOf(user.secret),
      trustDevice: true,
    });
    expect(statusAndBodyOf(wrongly)).toEqual(wrong);
    const answered = await complete({ challenge, code, trustDevice: false });
    expect(statusAndBodyOf(answered)).toEqual([200, shown(user)]);
    await endTrust({ userId: user.userId, label: "x" });
    expect((await signInWithCode(user, { trustDevice: true })).status).toBe(200);
  });

  it("needs the second factor again once its trust is revoked, alone or together with all other devices", async () => {
    const user = await createEnrolledUser(server);
    const asked = async (cookie: string) => {
      const { username, password } = user;
      const body = { username, password };
      const answered = await callRoute(server, "POST /auth/login", { body, headers: { cookie } });
      return "totpRequired" in (answered.body as object);
    };
    const [one, two] = [
      cookieOf(await signInWithCode(user, { trustDevice: true }), "gh_td") as string,
      cookieOf(await signInWithCode(user, { trustDevice: true }), "gh_td") as string,
    ];
    const { body } = await callRoute(server, "GET /auth/me/trusted-devices", {
      headers: { cookie: `${user.cookie}; ${one}` },
    });
    const current = (body as { id: number; current: boolean }[]).find((device) => device.current);
    const path = `DELETE /auth/me/trusted-devices/${current?.id}`;
    const stranger = await signIn(server);
    expect((await callRoute(server, path, stranger)).text).toBe('{"deleted":false}');
    expect((await callRoute(server, path, user)).text).toBe('{"deleted":true}');
    expect((await callRoute(server, path, user)).text).toBe('{"deleted":false}');
    expect([await asked(one), await asked(two)]).toEqual([true, false]);
    const all = await callRoute(server, "DELETE /auth/me/trusted-devices", user);
    expect(statusAndBodyOf(all)).toEqual([200, { deleted: 1 }]);
    expect(await asked(two)).toBe(true);
  });

  it("is not trusted after its expiry", async () => {
    const user = await createEnrolledUser(server);
    const cookie = cookieOf(await signInWithCode(user, { trustDevice: true }), "gh_td") as string;
    await endTrust({ userId: user.userId });
    const { username, password } = user;
    const body = { username, password };
    const answered = await callRoute(server, "POST /auth/login", { body, headers: { cookie } });
    expect(answered.body).toMatchObject({ totpRequired: true });
    expect((await callRoute(server, "GET /auth/me/trusted-devices", user)).body).toEqual([]);
  });

  it("is not found under an unknown id, and DELETE answers deleted: false", async () => {
    const { headers } = await signIn(server);
    for (const id of ["1", "2147483648", String(Number.MAX_SAFE_INTEGER)]) {
      const answered = await callRoute(server, `DELETE /auth/me/trusted-devices/${id}`, {
        headers,
      });
      expect([answered.status, answered.text]).toEqual([200, '{"deleted":false}']);
    }
  });
});

describe("a user without a second factor", () => {
  it("is not asked for a code, even if the browser sends cookies of a challenge and a trusted device", async () => {
    const { username, password } = await createTestUser(server);
    const headers = { cookie: "gh_td=x; totp_challenge=y" };
    const body = { username, password };
    const answered = await callRoute(server, "POST /auth/login", { body, headers });
    expect(answered.body).toMatchObject({ user: { username } });
  });
});

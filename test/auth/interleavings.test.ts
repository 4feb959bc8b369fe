import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import { beforeAll, describe, expect, it } from "vitest";

import { makeResetLink } from "../../shared/auth/account/password-reset.ts";
import { computeSlowHash } from "../../shared/platform/crypto/slow-hash.ts";
import { takeTransactionLock } from "../../shared/platform/db/lock.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { isSignedIn } from "../support/accounts/is-signed-in.ts";
import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  forgetSteps,
} from "../support/accounts/second-factor.ts";
import { createTestUser, logIn, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { endDevices, signOut } from "../support/factories/sessions.ts";
import {
  changeUser,
  cutOffUser,
  deleteUser,
  disableUser,
  userOf,
} from "../support/factories/users.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import {
  type UserChange,
  userChangeOf,
  changeUserDuringRequest as overtakeOn,
  waitUntilLockWaits,
} from "../support/races/overtake.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { sharedServer } from "../support/service/shared-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

/**
 * Starts a request, waits until it wants to lock the user's row, changes that row, and lets the
 * request continue.
 */
const overtake = <T>(userId: number, request: () => Promise<T>, change: UserChange): Promise<T> =>
  overtakeOn(server, { userId, change }, request);

const untilLockAwaited = (count = 1) => waitUntilLockWaits(server, count);

/**
 * Starts a password change and delays its commit by a second. During the delay, starts the request: it reads the
 * former password, although it begins after the time of the revocation.
 */
async function duringChange(
  change: { readonly headers: SignedIn["headers"]; readonly body: object },
  request: () => Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  const { sequelize } = server.context;
  const held = await sequelize.transaction();
  await sequelize.query("lock table activity_log in share mode", { transaction: held });
  const changed = callRoute(server, "PATCH /auth/me/account/password", change);
  await untilLockAwaited();
  await sleep(1_000);
  const answer = request();
  await untilLockAwaited(2);
  await held.commit();
  expect((await changed).status).toBe(200);
  return answer;
}

describe("a request during which its session ends", () => {
  const unauthenticated = [401, { error: "Not authenticated" }];

  it.each([
    ["PATCH /auth/me/account/username", () => ({ username: "overtaken" })],
    [
      "PATCH /auth/me/account/password",
      (password: string) => ({ currentPassword: password, newPassword: "a brand new password" }),
    ],
    ["POST /auth/me/account/totp/setup", (password: string) => ({ password })],
    ["DELETE /auth/me/sessions", () => ({})],
    ["DELETE /auth/me/account", (password: string) => ({ password })],
    ["DELETE /auth/me/sessions/1", () => ({})],
  ] as const)("%s answers 401 and changes nothing", async (route, bodyOf) => {
    for (const changeOf of [() => cutOffUser, () => disableUser, signOut]) {
      const { headers, cookie, userId, username, password } = await signIn(server);
      const change = changeOf(cookie);
      const body = bodyOf(password);
      const answered = await overtake(
        userId,
        () => callRoute(server, route, { headers, body }),
        change,
      );
      expect(statusAndBodyOf(answered)).toEqual(unauthenticated);
      expect(answered.headers.get("www-authenticate")).toBe("Bearer");
      expect(answered.setCookies).toEqual([]);
      await changeUser(server, userId, { disabledAt: null });
      await logIn(server, { username, password });
    }
  });

  it.each([
    ["PATCH /auth/me/account/password", { newPassword: "a brand new password" }],
    ["DELETE /auth/me/sessions", {}],
    ["DELETE /auth/me/sessions/1", {}],
  ] as const)("%s answers 401 to an app and changes nothing", async (route, fields) => {
    const { userId, username, password, headers: web } = await signIn(server);
    const login = await callRoute(server, "POST /auth/mobile/login", {
      body: { username, password },
    });
    const { accessToken } = login.body as { accessToken: string };
    const headers = { authorization: `Bearer ${accessToken}` };
    const body = { currentPassword: password, ...fields };
    const request = () => callRoute(server, route, { headers, body });
    expect(statusAndBodyOf(await overtake(userId, request, endDevices))).toEqual(unauthenticated);
    expect(await isSignedIn(server, web)).toBe(true);
    await logIn(server, { username, password });
  });

  it("does not disable the second factor and does not use up the code", async () => {
    const user = await createEnrolledUser(server);
    const { headers, userId, secret } = user;
    const body = { code: codeOf(secret) };
    const route = "POST /auth/me/account/totp/disable";
    const answered = await overtake(
      userId,
      () => callRoute(server, route, { headers, body }),
      cutOffUser,
    );
    expect(statusAndBodyOf(answered)).toEqual(unauthenticated);
    expect(await userOf(server, userId)).toMatchObject({ totpEnabled: true });
    expect(await server.context.models.TotpUse.count({ where: { userId } })).toBe(0);
  });
});

describe("a log-out during which its user is deleted", () => {
  it("answers 200 to web and app", async () => {
    const web = await signIn(server);
    const app = await createTestUser(server);
    const { body } = await callRoute(server, "POST /auth/mobile/login", { body: app });
    const { accessToken } = body as { accessToken: string };
    for (const [userId, headers] of [
      [web.userId, web.headers],
      [app.userId, { authorization: `Bearer ${accessToken}` }],
    ] as const) {
      const request = () => callRoute(server, "POST /auth/logout", { headers });
      expect(statusAndBodyOf(await overtake(userId, request, deleteUser))).toEqual([
        200,
        { ok: true },
      ]);
    }
  });
});

describe("the creation of an invitation during which its creator stops being an administrator", () => {
  it("is refused with 403", async () => {
    for (const change of [userChangeOf({ role: "editor" }), deleteUser]) {
      const { headers, userId } = await signIn(server, { role: "admin" });
      let answer: Promise<ApiAnswer> | undefined;
      await inTransaction(server.context.sequelize, async (transaction) => {
        await takeTransactionLock("adminSet", transaction);
        answer = callRoute(server, "POST /admin/invites", { headers, body: { role: "admin" } });
        await Promise.race([answer, untilLockAwaited()]);
        await change(server, userId, transaction);
      });
      expect(statusAndBodyOf((await answer) as ApiAnswer)).toEqual([
        403,
        { error: "Admin role required" },
      ]);
    }
  });
});

describe("an administrator's request during which the session ends", () => {
  it.each([
    ["POST /admin/invites", { role: "admin" }],
    ["POST /admin/users", { username: "planted", password: "a long enough one", role: "admin" }],
    ["PATCH /admin/users/:id", { role: "admin" }],
    ["DELETE /admin/users/:id", {}],
  ])("%s answers 401 and changes nothing", async (route, body) => {
    const { userId: other } = await createTestUser(server);
    const { headers, cookie, userId } = await signIn(server, { role: "admin" });
    const path = route.replace(":id", String(other));
    const request = () => callRoute(server, path, { headers, body });
    const answered = await overtake(userId, request, signOut(cookie));
    expect(statusAndBodyOf(answered)).toEqual([401, { error: "Not authenticated" }]);
    expect(await userOf(server, other)).toMatchObject({ role: "player" });
    expect(await server.context.models.Invite.count({ where: { createdBy: userId } })).toBe(0);
  });
});

describe("a sign-in during a change of its user", () => {
  const refused = [401, { error: "Invalid username or password" }];

  it("is refused if the user's sessions end, for web and app", async () => {
    for (const change of [cutOffUser, disableUser, deleteUser]) {
      for (const route of ["POST /auth/login", "POST /auth/mobile/login"]) {
        const { userId, username, password } = await createTestUser(server);
        const body = { username, password };
        const answered = await overtake(userId, () => callRoute(server, route, { body }), change);
        expect(statusAndBodyOf(answered)).toEqual(refused);
        expect(answered.setCookies).toEqual([]);
      }
    }
  });

  it("is refused if a new password is stored in a later second, for web and app", async () => {
    for (const route of ["POST /auth/login", "POST /auth/mobile/login"]) {
      const { headers, username, password } = await signIn(server);
      const change = { currentPassword: password, newPassword: "a brand new password" };
      const answered = await duringChange({ headers, body: change }, () =>
        callRoute(server, route, { body: { username, password } }),
      );
      expect(statusAndBodyOf(answered)).toEqual(refused);
      expect(answered.setCookies).toEqual([]);
    }
  });

  it("asks for the second factor if it becomes enabled", async () => {
    const enable = userChangeOf({ totpEnabled: true, totpSecretSealed: "x" });
    const { userId, username, password } = await createTestUser(server);
    const body = { username, password };
    const web = await overtake(
      userId,
      () => callRoute(server, "POST /auth/login", { body }),
      enable,
    );
    expect(web.body).toMatchObject({ totpRequired: true });
    const other = await createTestUser(server);
    const app = await overtake(
      other.userId,
      () =>
        callRoute(server, "POST /auth/mobile/login", {
          body: { username: other.username, password: other.password },
        }),
      enable,
    );
    expect(statusAndBodyOf(app)).toEqual([401, { error: "Code required", totpRequired: true }]);
  });

  it("is answered like a wrong code at the second step if the user's sessions end meanwhile", async () => {
    for (const change of [cutOffUser, disableUser, deleteUser]) {
      const user = await createEnrolledUser(server);
      await forgetSteps(server, user.userId);
      const challenge = await requestChallenge(server, user);
      const body = { challenge, code: codeOf(user.secret) };
      const request = () => callRoute(server, "POST /auth/login/totp", { body });
      const answered = await overtake(user.userId, request, change);
      expect(statusAndBodyOf(answered)).toEqual([401, { error: "Invalid code" }]);
      expect(await server.context.models.TotpUse.count({ where: { userId: user.userId } })).toBe(0);
    }
  });
});

describe("a refresh during which the sessions of its user end", () => {
  it("answers 401", async () => {
    for (const change of [cutOffUser, disableUser, deleteUser, endDevices]) {
      const { userId, username, password } = await createTestUser(server);
      const { body } = await callRoute(server, "POST /auth/mobile/login", {
        body: { username, password },
      });
      const request = () => callRoute(server, "POST /auth/mobile/refresh", { body });
      const answered = await overtake(userId, request, change);
      expect(statusAndBodyOf(answered)).toEqual([401, { error: "Invalid refresh token" }]);
    }
  });
});

describe("a reset link that is made while its user is being changed", () => {
  const openLinks = (userId: number) =>
    server.context.models.PasswordReset.count({ where: { userId, usedAt: null } });

  /**
   * Starts to make a reset link, changes the user while the link waits for the user's row, then
   * lets it continue.
   */
  const makeLinkAfter = async (change: UserChange) => {
    const { userId } = await createTestUser(server, { email: "former@example.org" });
    const made = await overtake(userId, () => makeResetLink(userId, server.context), change);
    return [made?.email, await openLinks(userId)];
  };

  it("goes to the user's new address, and is not made for a disabled or deleted user", async () => {
    const readdress = userChangeOf({ email: "latter@example.org" });
    expect(await makeLinkAfter(readdress)).toEqual(["latter@example.org", 1]);
    for (const change of [disableUser, deleteUser]) {
      expect(await makeLinkAfter(change)).toEqual([undefined, 0]);
    }
  });
});

describe("a password hash of an older cost", () => {
  it("is replaced only at a later sign-in if other password hashes are queued", async () => {
    const { userId, username, password } = await signIn(server);
    const environment = { ...unlimited, BCRYPT_COST: "5" };
    const newer = await startTestServer({ database: server.database, environment });
    const cost = async () => {
      return (await userOf(server, userId)).passwordHash?.slice(4, 6);
    };
    const signingIn = new AbortController();
    const hashOn = async (): Promise<void> => {
      while (!signingIn.signal.aborted) await computeSlowHash("a text", 4, undefined);
    };
    const crowd = Array.from({ length: availableParallelism() + 8 }, hashOn);
    await logIn(newer, { username, password });
    signingIn.abort();
    await Promise.all(crowd);
    expect(await cost()).toBe("04");
    await logIn(newer, { username, password });
    expect(await cost()).toBe("05");
    await newer.stop();
  });

  it("is replaced at sign-in, and no session ends", async () => {
    const { headers, userId, username, password } = await signIn(server);
    const row = async () => {
      const { passwordHash, pepperId, generation } = await userOf(server, userId);
      return { hash: passwordHash, pepper: pepperId, generation };
    };
    const before = await row();
    const peppers = `one:${Buffer.alloc(32, 3).toString("base64")}`;
    const environment = { ...unlimited, BCRYPT_COST: "5", PASSWORD_PEPPERS: peppers };
    const newer = await startTestServer({ database: server.database, environment });
    await logIn(newer, { username, password });
    const after = await row();
    await logIn(newer, { username, password });
    const again = await row();
    await newer.stop();
    expect(before?.hash).toMatch(/^\$2b\$04\$/);
    expect(after?.hash).toMatch(/^\$2b\$05\$/);
    expect([before?.pepper, after?.pepper]).toEqual([null, "one"]);
    expect(after?.generation).toBe(before?.generation);
    expect(again).toEqual(after);
    expect((await callRoute(server, "GET /auth/me", { headers })).status).toBe(200);
  });
});

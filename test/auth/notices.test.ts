import { randomInt } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { findCaller, readCredential } from "../../shared/auth/sessions/sessions.ts";
import type { Channels } from "../../shared/platform/notify/channels.ts";
import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  forgetSteps,
} from "../support/accounts/second-factor.ts";
import { createTestUser, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { buildShardLink } from "../support/factories/shard.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
const revoked: Channels["auth_revoked"][] = [];
beforeAll(async () => {
  // No mail is sent: the API only queues it, and no worker runs.
  const environment = { ...unlimited, SMTP_URL: "smtp://127.0.0.1:1", REFRESH_GRACE: "0s" };
  server = await startTestServer({ environment });
  server.context.listener.on("auth_revoked", (payload) => revoked.push(payload));
});
afterAll(() => server.stop());

const mailsTo = async (userId: number) =>
  (await jobsOf(server, "auth.send-mail", { userId })).map(({ data }) => data["letter"]);

/**
 * Returns the notifications about a user. First sends a notification of its own and waits for it,
 * so that all earlier ones have arrived.
 */
async function notificationsOf(userId: number): Promise<Channels["auth_revoked"][]> {
  const last = -randomInt(1_000_000_000);
  await query(server, "select pg_notify('auth_revoked', $1)", JSON.stringify({ userId: last }));
  await waitUntil("the last one has come", () => revoked.some((told) => told.userId === last));
  return revoked.filter((payload) => payload.userId === userId);
}

const post = ({ headers }: Pick<SignedIn, "headers">, path: string, body: object) =>
  callRoute(server, `POST ${path}`, { headers, body });

describe("a user", () => {
  it("gets a mail when their name, password, second factor or recovery codes change", async () => {
    const user = await createEnrolledUser(server);
    const { headers, userId, password, recoveryCodes } = user;
    await callRoute(server, "PATCH /auth/me/account/username", {
      headers,
      body: { username: "told.of-it" },
    });
    await post(user, "/auth/me/recovery-codes/regenerate", { password });
    await forgetSteps(server, userId);
    const challenge = await requestChallenge(server, { ...user, username: "told.of-it" });
    await callRoute(server, "POST /auth/login/totp", {
      body: { challenge, recoveryCode: recoveryCodes[0] },
    });
    await callRoute(server, "PATCH /auth/me/account/password", {
      headers,
      body: { currentPassword: password, newPassword: "a brand new password" },
    });
    expect(await mailsTo(userId)).toEqual([
      "totpEnabled",
      "usernameChanged",
      "recoveryCodesMade",
      "passwordChanged",
    ]);
  });

  it("gets a mail when a recovery code is used and when the second factor is disabled", async () => {
    const user = await createEnrolledUser(server);
    const challenge = await requestChallenge(server, user);
    const [recoveryCode] = user.recoveryCodes;
    await callRoute(server, "POST /auth/login/totp", { body: { challenge, recoveryCode } });
    await post(user, "/auth/me/account/totp/disable", { code: codeOf(user.secret) });
    expect(await mailsTo(user.userId)).toEqual(["totpEnabled", "recoveryCodeUsed", "totpDisabled"]);
  });

  it("gets a mail when an administrator resets the second factor", async () => {
    const user = await createEnrolledUser(server);
    const admin = await signIn(server, { role: "admin" });
    await post(admin, `/admin/users/${user.userId}/mfa/reset`, {});
    expect(await mailsTo(user.userId)).toEqual(["totpEnabled", "totpDisabled"]);
    expect(await mailsTo(admin.userId)).toEqual([]);
  });

  it("gets no mail about the reset of a second factor they never had", async () => {
    const { userId } = await signIn(server);
    const admin = await signIn(server, { role: "admin" });
    const reset = await post(admin, `/admin/users/${userId}/mfa/reset`, {});
    expect(reset.status).toBe(200);
    expect(await mailsTo(userId)).toEqual([]);
  });

  it("gets a mail when a used refresh token is sent again", async () => {
    const { username, password, userId } = await createTestUser(server);
    const body = { username, password };
    const login = await callRoute(server, "POST /auth/mobile/login", { body });
    for (let uses = 0; uses < 3; uses += 1) {
      await callRoute(server, "POST /auth/mobile/refresh", { body: login.body });
    }
    expect(await mailsTo(userId)).toEqual(["sessionStolen"]);
  });

  it("gets no mail about a rejected change", async () => {
    const { headers, userId } = await signIn(server);
    await callRoute(server, "PATCH /auth/me/account/password", {
      headers,
      body: { currentPassword: "not this one", newPassword: "a brand new password" },
    });
    await callRoute(server, "PATCH /auth/me/account/username", {
      headers,
      body: { username: "?" },
    });
    expect(await mailsTo(userId)).toEqual([]);
  });
});

describe("every process", () => {
  it("is notified which session ended", async () => {
    const { headers, userId, cookie } = await signIn(server);
    const token = cookie.slice("session=".length);
    const credential = await readCredential({ via: "web", token }, server.config);
    await post({ headers: { cookie } }, "/auth/logout", {});
    expect(await notificationsOf(userId)).toEqual([{ userId, tokenId: credential?.tokenId }]);
    expect(headers).toEqual({ cookie });
  });

  it("is notified which device session ended", async () => {
    const { headers, userId, username, password } = await signIn(server);
    const body = { username, password };
    await callRoute(server, "POST /auth/mobile/login", { body });
    const listed = await callRoute(server, "GET /auth/me/sessions", { headers });
    const [{ id } = { id: 0 }] = listed.body as { id: number }[];
    await callRoute(server, `DELETE /auth/me/sessions/${id}`, { headers });
    expect(await notificationsOf(userId)).toEqual([{ userId, familyId: id }]);
  });

  it("is notified when all sessions of a user end", async () => {
    const { headers, userId, password } = await signIn(server);
    const answered = await callRoute(server, "PATCH /auth/me/account/password", {
      headers,
      body: { currentPassword: password, newPassword: "a brand new password" },
    });
    const cookie = answered.setCookies[0]?.split(";")[0] ?? "";
    await callRoute(server, "DELETE /auth/me/sessions", { headers: { cookie } });
    expect(await notificationsOf(userId)).toEqual([{ userId }, { userId }]);
  });
});

describe("the caller behind a session", () => {
  const rungOf = async ({ cookie }: SignedIn) => {
    const token = cookie.slice("session=".length);
    const credential = await readCredential({ via: "web", token }, server.config);
    return credential && (await findCaller(credential, server.context))?.rung;
  };

  it("has the access level of the user role, or player level if a game account is linked", async () => {
    const player = await signIn(server);
    expect(await rungOf(player)).toBe("logged_in");
    await buildShardLink(server, { account: "A", userId: player.userId });
    expect(await rungOf(player)).toBe("player");
    for (const role of ["moderator", "editor"] as const) {
      expect(await rungOf(await signIn(server, { role }))).toBe("staff");
    }
    expect(await rungOf(await signIn(server, { role: "admin" }))).toBe("admin");
  });
});

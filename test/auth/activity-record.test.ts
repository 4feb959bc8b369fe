import { beforeAll, describe, expect, it } from "vitest";

import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  forgetSteps,
  wrongCodeOf,
} from "../support/accounts/second-factor.ts";
import { createTestUser, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { buildIdentity } from "../support/factories/users.ts";
import { type ApiAnswer, callRoute, cookieOf } from "../support/http/call.ts";
import type { TestServer } from "../support/service/server.ts";
import { sharedServer } from "../support/service/shared-server.ts";

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await sharedServer();
  admin = await signIn(server, { role: "admin" });
  await asAdmin("PUT /admin/settings", { registration_enabled: true });
});

const asAdmin = (route: string, body?: object) =>
  callRoute(server, route, { headers: admin.headers, ...(body && { body }) });

interface Line {
  readonly action: string;
  readonly actor: { readonly id: number } | null;
  readonly target: { readonly type: string; readonly id: string } | null;
}

/**
 * Returns the log lines about a user that administrators see, oldest first: the action and the
 * actor of each.
 */
async function activityLinesOf(userId: number): Promise<[string, number | null][]> {
  const answered = await asAdmin("GET /admin/activity?limit=100");
  const { activity } = answered.body as { activity: Line[] };
  return activity
    .filter(({ target }) => target?.type === "user" && target.id === String(userId))
    .map(({ action, actor }): [string, number | null] => [action, actor?.id ?? null])
    .toReversed();
}

const sessionOf = (answered: ApiAnswer) => ({ cookie: cookieOf(answered, "session") as string });

describe("the activity log", () => {
  it("contains every account action of a user, and failed attempts by others", async () => {
    const password = "a long enough one";
    const registered = await callRoute(server, "POST /auth/register", {
      body: { username: "recorded", password },
    });
    const { id } = registered.body as { id: number };
    const user = { username: "recorded.2", password };
    let headers = sessionOf(registered);
    const own = (route: string, body: object = {}) => callRoute(server, route, { headers, body });

    await own("PATCH /auth/me/account/username", { username: user.username });
    await own("PATCH /auth/me/account/password", { currentPassword: "x", newPassword: password });
    const setup = await own("POST /auth/me/account/totp/setup");
    const { secret } = setup.body as { secret: string };
    const enabled = await own("POST /auth/me/account/totp/enable", { code: codeOf(secret) });
    const { recoveryCodes } = enabled.body as { recoveryCodes: string[] };

    const complete = async (answer: object) => {
      await forgetSteps(server, id);
      const challenge = await requestChallenge(server, user);
      return callRoute(server, "POST /auth/login/totp", { body: { challenge, ...answer } });
    };
    await complete({ code: wrongCodeOf(secret) });
    await complete({ code: codeOf(secret), trustDevice: true });
    await complete({ recoveryCode: recoveryCodes[0] });
    await own("POST /auth/me/recovery-codes/regenerate");
    await own("DELETE /auth/me/trusted-devices");
    await forgetSteps(server, id);
    await callRoute(server, "POST /auth/mobile/login", { body: { ...user, code: codeOf(secret) } });
    const devices = await callRoute(server, "GET /auth/me/sessions", { headers });
    const [device] = devices.body as { id: number }[];
    await own(`DELETE /auth/me/sessions/${device?.id}`);
    await buildIdentity(server, { userId: id, providerId: "discord", providerName: "Discord" });
    await own("DELETE /auth/me/account/identities/discord");
    headers = sessionOf(await own("POST /auth/me/account/totp/disable", { code: codeOf(secret) }));
    headers = sessionOf(await own("DELETE /auth/me/sessions"));
    await callRoute(server, "POST /auth/login", { body: { ...user, password: "not this one" } });
    await own("POST /auth/logout");

    expect(await activityLinesOf(id)).toEqual([
      ["auth.registered", id],
      ["auth.login.success", id],
      ["auth.username.changed", id],
      ["auth.reauthentication.failure", id],
      ["auth.totp.enabled", id],
      ["auth.totp.failure", null],
      ["auth.totp.success", id],
      ["auth.trusted_device.added", id],
      ["auth.login.success", id],
      ["auth.recovery.used", id],
      ["auth.login.success", id],
      ["auth.recovery.regenerated", id],
      ["auth.trusted_device.revoked", id],
      ["auth.totp.success", id],
      ["auth.login.success", id],
      ["auth.session.revoked", id],
      ["auth.sso.unlinked", id],
      ["auth.totp.success", id],
      ["auth.totp.disabled", id],
      ["auth.session.revoked", id],
      ["auth.login.failure", null],
      ["auth.logout", id],
    ]);
  });

  it("contains every action of an administrator on a user, with the administrator's id", async () => {
    const user = await createEnrolledUser(server);
    const { userId } = user;
    await forgetSteps(server, userId);
    await callRoute(server, "POST /auth/login/totp", {
      body: {
        challenge: await requestChallenge(server, user),
        code: codeOf(user.secret),
        trustDevice: true,
      },
    });
    const before = (await activityLinesOf(userId)).length;
    const devices = await asAdmin(`GET /admin/users/${userId}/trusted-devices`);
    const [device] = devices.body as { id: number }[];
    await asAdmin(`DELETE /admin/users/${userId}/trusted-devices/${device?.id}`);
    await asAdmin(`POST /admin/users/${userId}/mfa/reset`);
    await asAdmin(`POST /admin/users/${userId}/sessions/revoke`);
    const changes = [{ role: "editor" }, { email: "new@x.example" }, { disabled: true }];
    for (const body of [...changes, { disabled: false }]) {
      await asAdmin(`PATCH /admin/users/${userId}`, body);
    }
    await asAdmin(`DELETE /admin/users/${userId}`);
    expect((await activityLinesOf(userId)).slice(before)).toEqual(
      [
        "auth.trusted_device.revoked",
        "auth.mfa.reset",
        "user.sessions_revoked",
        "user.role_changed",
        "user.email_changed",
        "user.disabled",
        "user.enabled",
        "user.deleted",
      ].map((action) => [action, admin.userId]),
    );
  });

  it("contains no line for a request that was rejected or changed nothing", async () => {
    const { headers, userId, username } = await signIn(server);
    const { username: taken } = await createTestUser(server);
    await callRoute(server, "PATCH /auth/me/account/username", {
      headers,
      body: { username: taken },
    });
    await callRoute(server, "POST /auth/me/account/totp/disable", {
      headers,
      body: { code: "123456" },
    });
    await callRoute(server, "DELETE /auth/me/sessions/999999", { headers });
    await callRoute(server, "DELETE /auth/me/trusted-devices", { headers });
    await callRoute(server, "POST /auth/login", { body: { username, password: 5 } });
    expect(await activityLinesOf(userId)).toEqual([["auth.login.success", userId]]);
  });
});

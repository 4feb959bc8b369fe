import { beforeAll, describe, expect, it } from "vitest";

import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  type EnrolledUser,
  forgetSteps,
} from "../support/accounts/second-factor.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { activityOf } from "../support/factories/site.ts";
import { callRoute, cookieOf } from "../support/http/call.ts";
import type { TestServer } from "../support/service/server.ts";
import { sharedServer } from "../support/service/shared-server.ts";

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await sharedServer();
  admin = await signIn(server, { role: "admin" });
});

const ask = async (route: string) => {
  const { status, body } = await callRoute(server, route, { headers: admin.headers });
  return { status, body };
};

/** Makes a user trust a new browser. @returns the browser's cookie */
async function trustOne(user: EnrolledUser): Promise<string> {
  await forgetSteps(server, user.userId);
  const challenge = await requestChallenge(server, user);
  const body = { challenge, code: codeOf(user.secret), trustDevice: true };
  const answered = await callRoute(server, "POST /auth/login/totp", { body });
  return cookieOf(answered, "gh_td") ?? "";
}

const needsCode = async ({ username, password }: EnrolledUser, cookie: string) => {
  const options = { body: { username, password }, headers: { cookie } };
  const { body } = await callRoute(server, "POST /auth/login", options);
  return "totpRequired" in (body as object);
};

const actions = async (userId: number) => {
  const which = { targetId: String(userId), actorId: admin.userId };
  return (await activityOf(server, which, ["action"])).map(({ action }) => action);
};

describe("a user's trusted devices", () => {
  it("are listed for an administrator, and no device is marked as the current one", async () => {
    const user = await createEnrolledUser(server);
    await trustOne(user);
    const { status, body } = await ask(`GET /admin/users/${user.userId}/trusted-devices`);
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        id: expect.any(Number),
        label: expect.any(String),
        created_at: expect.any(String),
        last_used_at: expect.any(String),
        expires_at: expect.any(String),
        current: false,
      },
    ]);
  });

  it("can be revoked one by one, which is logged and makes the browser need a code", async () => {
    const user = await createEnrolledUser(server);
    const cookie = await trustOne(user);
    expect(await needsCode(user, cookie)).toBe(false);
    const path = `/admin/users/${user.userId}/trusted-devices`;
    const [device] = (await ask(`GET ${path}`)).body as { id: number }[];
    const removed = await ask(`DELETE ${path}/${device?.id}`);
    expect(removed).toEqual({ status: 200, body: { deleted: true } });
    expect(await ask(`DELETE ${path}/${device?.id}`)).toEqual({
      status: 200,
      body: { deleted: false },
    });
    expect(await needsCode(user, cookie)).toBe(true);
    expect(await actions(user.userId)).toEqual(["auth.trusted_device.revoked"]);
  });

  it("cannot be revoked through the path of another user", async () => {
    const [owner, other] = [await createEnrolledUser(server), await createEnrolledUser(server)];
    await trustOne(owner);
    const [device] = (await ask(`GET /admin/users/${owner.userId}/trusted-devices`)).body as {
      id: number;
    }[];
    const answered = await ask(`DELETE /admin/users/${other.userId}/trusted-devices/${device?.id}`);
    expect(answered).toEqual({ status: 200, body: { deleted: false } });
  });

  it("are answered 404 for an unknown user", async () => {
    const unknown = { status: 404, body: { error: "Unknown user" } };
    expect(await ask("GET /admin/users/999999/trusted-devices")).toEqual(unknown);
    expect(await ask("DELETE /admin/users/999999/trusted-devices/1")).toEqual(unknown);
    expect(await ask("POST /admin/users/999999/mfa/reset")).toEqual(unknown);
  });
});

describe("POST /admin/users/:id/mfa/reset", () => {
  it("removes the second factor, its codes, the trusted devices and the sessions, and keeps the password", async () => {
    const user = await createEnrolledUser(server);
    const cookie = await trustOne(user);
    const { RecoveryCode } = server.context.models;
    const where = { userId: user.userId };
    expect(await RecoveryCode.count({ where })).toBe(10);
    expect(await ask(`POST /admin/users/${user.userId}/mfa/reset`)).toEqual({
      status: 200,
      body: { totp_enabled: false },
    });
    const old = await callRoute(server, "GET /auth/me", { headers: user.headers });
    expect(old.status).toBe(401);
    expect(await needsCode(user, cookie)).toBe(false);
    expect(await RecoveryCode.count({ where })).toBe(0);
    expect((await ask(`GET /admin/users/${user.userId}/trusted-devices`)).body).toEqual([]);
    expect(await actions(user.userId)).toEqual(["auth.mfa.reset"]);
  });

  it("signs out a user who has no second factor", async () => {
    const user = await signIn(server);
    const answered = await ask(`POST /admin/users/${user.userId}/mfa/reset`);
    expect(answered).toEqual({ status: 200, body: { totp_enabled: false } });
    const old = await callRoute(server, "GET /auth/me", { headers: user.headers });
    expect(old.status).toBe(401);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeResetLink } from "../../shared/auth/account/password-reset.ts";
import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  forgetSteps,
  wrongCodeOf,
} from "../support/accounts/second-factor.ts";
import {
  createTestUser,
  logIn,
  type SignedIn,
  signIn,
  type TestUser,
} from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { expireWorkerHeartbeats } from "../support/database/lost-worker.ts";
import { type ApiAnswer, callRoute, cookieOf } from "../support/http/call.ts";
import { MailTrap, readMailToken } from "../support/network/mail-trap.ts";
import { type ApiProcess, startApiProcess, startProgram } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const environment = { ...unlimited, REFRESH_GRACE: "0s", TRUST_PROXY: "loopback" };
const strict = { ...environment, RL_LOGIN_FAILED_MAX: "10", BOT_BAN_SCORE: "15" };

/** Creates users. The requests go to a process that is killed. */
let server: TestServer;
let web: ApiProcess;
let admin: SignedIn;
beforeAll(async () => {
  server = await startTestServer({ environment });
  web = await startApiProcess(server.database, environment);
  admin = await signIn(server, { role: "admin" });
});
afterAll(async () => {
  await web.stop();
  await server.stop();
});

/** Kills the process and starts another one. */
async function crash(next = environment): Promise<void> {
  await web.kill();
  web = await startApiProcess(server.database, next);
}

type Headers = Readonly<Record<string, string>>;

const ask = (route: string, body?: object, headers: Headers = {}) =>
  callRoute(web, route, { headers, ...(body && { body }) });
const statusOf = async (route: string, body?: object, headers: Headers = {}): Promise<number> =>
  (await ask(route, body, headers)).status;
const asAdmin = (route: string, body: object = {}) => ask(route, body, admin.headers);
const statusAs = (headers: Headers) => statusOf("GET /auth/me", undefined, headers);
const cookieIn = (answered: ApiAnswer, name: string): Headers => ({
  cookie: cookieOf(answered, name) ?? "",
});

interface Device {
  readonly headers: Headers;
  readonly body: { readonly refreshToken: string };
}

async function deviceOf(user: Pick<TestUser, "username" | "password">): Promise<Device> {
  const { body } = await ask("POST /auth/mobile/login", user);
  const { accessToken, refreshToken } = body as Record<"accessToken" | "refreshToken", string>;
  return { headers: { authorization: `Bearer ${accessToken}` }, body: { refreshToken } };
}

async function inviteToken(): Promise<[id: number, token: string]> {
  const { body } = await asAdmin("POST /admin/invites", { role: "editor" });
  const { id, acceptUrl } = body as { id: number; acceptUrl: string };
  return [id, acceptUrl.split("#token=")[1] ?? ""];
}

let count = 0;
const newcomer = () => ({ username: `newcomer-${++count}`, password: "a long enough one" });

/**
 * Ends a session or link in one process.
 * @returns a function that uses the ended session or link in the restarted process and returns the statuses
 */
type RevocationCase = () => Promise<() => Promise<readonly number[]>>;

const endings: Readonly<Record<string, RevocationCase>> = {
  async "a session that was logged out"() {
    const { headers } = await signIn(server);
    await ask("POST /auth/logout", {}, headers);
    return async () => [await statusAs(headers)];
  },
  async "a device that was logged out, by either of its tokens"() {
    const user = await createTestUser(server);
    const [one, other] = [await deviceOf(user), await deviceOf(user)];
    await ask("POST /auth/logout", {}, one.headers);
    await ask("POST /auth/mobile/logout", other.body);
    return async () => [
      await statusAs(one.headers),
      await statusAs(other.headers),
      await statusOf("POST /auth/mobile/refresh", one.body),
      await statusOf("POST /auth/mobile/refresh", other.body),
    ];
  },
  async "a device whose used token came back"() {
    const device = await deviceOf(await createTestUser(server));
    const { body } = await ask("POST /auth/mobile/refresh", device.body);
    await ask("POST /auth/mobile/refresh", device.body);
    return async () => [
      await statusAs(device.headers),
      await statusOf("POST /auth/mobile/refresh", body as object),
    ];
  },
  async "a device that was revoked from elsewhere"() {
    const user = await signIn(server);
    const device = await deviceOf(user);
    const { body } = await ask("GET /auth/me/sessions", undefined, user.headers);
    const [{ id } = { id: 0 }] = body as { id: number }[];
    await ask(`DELETE /auth/me/sessions/${id}`, {}, user.headers);
    return async () => [
      await statusAs(device.headers),
      await statusOf("POST /auth/mobile/refresh", device.body),
    ];
  },
  async "a password that was changed, and all it opened"() {
    const { headers, username, password } = await signIn(server);
    const device = await deviceOf({ username, password });
    const body = { currentPassword: password, newPassword: "a brand new password" };
    await ask("PATCH /auth/me/account/password", body, headers);
    return async () => [
      await statusAs(headers),
      await statusAs(device.headers),
      await statusOf("POST /auth/mobile/refresh", device.body),
      await statusOf("POST /auth/login", { username, password }),
    ];
  },
  async "a challenge, a code and a recovery code that were used"() {
    const user = await createEnrolledUser(server);
    await forgetSteps(server, user.userId);
    const code = codeOf(user.secret);
    const [recoveryCode] = user.recoveryCodes;
    const challenge = await requestChallenge(web, user);
    await ask("POST /auth/login/totp", { challenge, code });
    const second = await requestChallenge(web, user);
    await ask("POST /auth/login/totp", { challenge: second, recoveryCode });
    const [third, fourth] = [await requestChallenge(web, user), await requestChallenge(web, user)];
    return async () => [
      await statusOf("POST /auth/login/totp", { challenge, code: codeOf(user.secret, 1) }),
      await statusOf("POST /auth/login/totp", { challenge: third, code }),
      await statusOf("POST /auth/login/totp", { challenge: fourth, recoveryCode }),
    ];
  },
  async "a challenge whose tries were used up"() {
    const user = await createEnrolledUser(server);
    await forgetSteps(server, user.userId);
    const challenge = await requestChallenge(web, user);
    for (let tries = 0; tries < 5; tries += 1) {
      await ask("POST /auth/login/totp", { challenge, code: wrongCodeOf(user.secret) });
    }
    return async () => [
      await statusOf("POST /auth/login/totp", { challenge, code: codeOf(user.secret) }),
    ];
  },
  async "the rights of who was demoted, and the sessions they were used in"() {
    const former = await signIn(server, { role: "admin" });
    await asAdmin(`PATCH /admin/users/${former.userId}`, { role: "player" });
    return async () => [await statusOf("GET /admin/users", undefined, former.headers)];
  },
  async "a user who was disabled, and one who was deleted"() {
    const [shut, gone] = [await signIn(server), await signIn(server)];
    await asAdmin(`PATCH /admin/users/${shut.userId}`, { disabled: true });
    await asAdmin(`DELETE /admin/users/${gone.userId}`);
    return async () => [
      await statusAs(shut.headers),
      await statusAs(gone.headers),
      await statusOf("POST /auth/login", shut),
      await statusOf("POST /auth/login", gone),
    ];
  },
};

/** Links that have ended. The restarted process must answer 404. */
const deadLinks: Readonly<Record<string, RevocationCase>> = {
  async "an invitation that was accepted, and one that was taken back"() {
    const [, used] = await inviteToken();
    await ask(`POST /auth/invite/${used}/accept`, newcomer());
    const [id, back] = await inviteToken();
    await asAdmin(`DELETE /admin/invites/${id}`);
    return async () => [
      await statusOf(`POST /auth/invite/${used}/accept`, newcomer()),
      await statusOf(`POST /auth/invite/${back}/accept`, newcomer()),
    ];
  },
  async "a reset link that was used, and its elder"() {
    const { userId } = await createTestUser(server, { email: "forgetful@example.org" });
    const elder = await makeResetLink(userId, server.context);
    const used = await makeResetLink(userId, server.context);
    const body = { password: "a brand new password" };
    await ask(`POST /auth/password/reset/${used?.token}`, body);
    return async () => [
      await statusOf(`POST /auth/password/reset/${used?.token}`, body),
      await statusOf(`POST /auth/password/reset/${elder?.token}`, body),
    ];
  },
};

interface Check {
  readonly check: () => Promise<readonly number[]>;
  readonly status: number;
}

async function runEndings(): Promise<ReadonlyMap<string, Check>> {
  const checks = new Map<string, Check>();
  for (const [name, end] of Object.entries(endings)) {
    checks.set(name, { check: await end(), status: 401 });
  }
  for (const [name, end] of Object.entries(deadLinks)) {
    checks.set(name, { check: await end(), status: 404 });
  }
  return checks;
}

async function trustBrowser() {
  const user = await createEnrolledUser(server);
  await forgetSteps(server, user.userId);
  const challenge = await requestChallenge(web, user);
  const body = { challenge, code: codeOf(user.secret), trustDevice: true };
  const trusted = await ask("POST /auth/login/totp", body);
  return { user, device: cookieIn(trusted, "gh_td") };
}

/** Begins each sign-in and enrollment that takes two requests. */
async function startAllFlows() {
  const signedIn = await signIn(server);
  const device = await deviceOf(signedIn);
  const user = await createEnrolledUser(server);
  await forgetSteps(server, user.userId);
  const challenge = await requestChallenge(web, user);
  const { headers } = await signIn(server);
  const setup = await ask("POST /auth/me/account/totp/setup", {}, headers);
  const { secret } = setup.body as { secret: string };
  const [, token] = await inviteToken();
  const forgetful = await createTestUser(server, { email: "late@example.org" });
  const reset = await makeResetLink(forgetful.userId, server.context);
  return { signedIn, device, user, challenge, headers, secret, token, forgetful, reset };
}

describe("a process that is killed and restarted", () => {
  let ended: ReadonlyMap<string, Check>;
  let trusting: Awaited<ReturnType<typeof trustBrowser>>;
  let begun: Awaited<ReturnType<typeof startAllFlows>>;
  beforeAll(async () => {
    ended = await runEndings();
    trusting = await trustBrowser();
    begun = await startAllFlows();
    await crash();
  });

  it("restores no session, token, link or right that had ended before", async () => {
    for (const [name, { check, status }] of ended) {
      const statuses = await check();
      expect([name, [...new Set(statuses)]]).toEqual([name, [status]]);
    }
  });

  it("lets every session, token and half-finished step continue", async () => {
    const { signedIn, device, user, challenge, headers, secret, token, forgetful, reset } = begun;
    const password = "a brand new password";
    expect([
      await statusAs(signedIn.headers),
      await statusAs(device.headers),
      await statusOf("POST /auth/mobile/refresh", device.body),
      await statusOf("POST /auth/login/totp", { challenge, code: codeOf(user.secret) }),
      await statusOf("POST /auth/me/account/totp/enable", { code: codeOf(secret) }, headers),
      await statusOf(`POST /auth/invite/${token}/accept`, newcomer()),
      await statusOf(`POST /auth/password/reset/${reset?.token}`, { password }),
    ]).toEqual([200, 200, 200, 200, 200, 201, 200]);
    await logIn(web, { ...forgetful, password });
  });

  it("asks for a code in a browser that lost its trusted status before the restart", async () => {
    const { user, device } = trusting;
    const { username, password } = user;
    const still = await ask("POST /auth/login", { username, password }, device);
    expect(still.body).toMatchObject({ user: { username } });
    await ask("DELETE /auth/me/trusted-devices", {}, user.headers);
    await crash();
    const again = await ask("POST /auth/login", { username, password }, device);
    expect(again.body).toMatchObject({ totpRequired: true });
  });

  it("still rejects a blocked and a banned address", async () => {
    await crash(strict);
    const [guessing, scanning] = [{ "x-forwarded-for": "198.51.100.1" }, "198.51.100.2"];
    const blameless = { "x-forwarded-for": "198.51.100.3" };
    for (let tries = 0; tries < 10; tries += 1) {
      const body = { username: `nobody-${tries}`, password: "x" };
      expect(await statusOf("POST /auth/login", body, guessing)).toBe(401);
    }
    for (let tries = 0; tries < 4; tries += 1) {
      await fetch(`${web.url}/.env`, { headers: { "x-forwarded-for": scanning } });
    }
    const { username, password } = await createTestUser(server);
    await crash(strict);
    expect([
      await statusOf("POST /auth/login", { username, password }, guessing),
      await statusOf("GET /public/status", undefined, { "x-forwarded-for": scanning }),
      await statusOf("POST /auth/login", { username, password }, blameless),
    ]).toEqual([429, 403, 200]);
  });
});

describe("a worker that is killed with a mail to send", () => {
  const countLinks = (userId: number): Promise<number> =>
    server.context.models.PasswordReset.count({ where: { userId } });

  it("sends the mail after its restart, with a valid link", async () => {
    const trap = await MailTrap.start();
    const mailing = { ...environment, SMTP_URL: trap.url, MAIL_RETRY: "1s" };
    const api = await startTestServer({ database: server.database, environment: mailing });
    const { database } = server;
    const worker = await startProgram("worker", {
      database,
      arguments: ["mail"],
      environment: mailing,
    });
    try {
      trap.refusal = "try again later";
      const email = "waiting@example.org";
      const { userId } = await createTestUser(server, { email });
      await callRoute(api, "POST /auth/password/forgot", { body: { email } });
      await waitUntil("the server refused", () => trap.refused > 0);
      await worker.kill();
      // The killed worker may still own the job, or the job may wait for a retry.
      await expireWorkerHeartbeats(server);
      const unsent = await countLinks(userId);
      trap.refusal = undefined;
      expect(trap.mails).toEqual([]);
      await worker.start();
      const [mail] = await trap.to(email);
      const token = readMailToken(mail as NonNullable<typeof mail>);
      expect((await callRoute(api, `GET /auth/password/reset/${token}`)).status).toBe(200);
      // The killed worker may have made a link without sending it. The retry then makes another link.
      expect(await countLinks(userId)).toBe(unsent + 1);
    } finally {
      await worker.stop();
      await api.stop();
      await trap.stop();
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNow } from "../../models/queries/clock.ts";
import { forgetLimit } from "../support/accounts/rate-limits.ts";
import { requestChallenge, createEnrolledUser } from "../support/accounts/second-factor.ts";
import { createTestUser, logIn, signIn, type TestUser } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { tablesHolding } from "../support/database/tables-holding.ts";
import { activityOf } from "../support/factories/site.ts";
import {
  buildTrustedDevice,
  changeUser,
  deleteUser,
  disableUser,
} from "../support/factories/users.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { type CaughtMail, MailTrap, readMailToken } from "../support/network/mail-trap.ts";
import { sendSimultaneously } from "../support/races/at-once.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";

let trap: MailTrap;
let server: TestServer;
let other: TestServer;
let worker: TestWorker;
beforeAll(async () => {
  trap = await MailTrap.start();
  const environment = {
    SMTP_URL: trap.url,
    MAIL_FROM: "Guildhall <post@guildhall.example>",
    MAIL_RETRY: "1s",
    PUBLIC_BASE_URL: "https://play.example",
    COOKIE_SECURE: "false",
    RL_RESET_MAIL_MAX: "3",
  };
  server = await startTestServer({ environment });
  other = await startTestServer({ environment, database: server.database });
  worker = await startTestWorker(server, ["mail"]);
});
afterAll(async () => {
  await worker.stop();
  await other.stop();
  await server.stop();
  await trap.stop();
});

let count = 0;
const newEmail = () => `person-${++count}@example.org`;
const generic = [200, { message: "If an account exists, an e-mail is on its way" }];
const dead = [404, { error: "Invalid or expired link" }];
const newPassword = "a brand new password";

const postForgot = (email: unknown, headers: Record<string, string> = {}, at = server) =>
  callRoute(at, "POST /auth/password/forgot", { body: { email }, headers });
const readLink = (token: string) => callRoute(server, `GET /auth/password/reset/${token}`);
const confirm = (token: string, password: unknown = newPassword) =>
  callRoute(server, `POST /auth/password/reset/${token}`, { body: { password } });
const statusOf = async (user: Pick<TestUser, "username" | "password">) =>
  (await callRoute(server, "POST /auth/login", { body: user })).status;

/** Requests a reset and returns the mailed token. */
async function tokenFor(email: string): Promise<string> {
  const links = () =>
    trap.mails.filter(({ to, text }) => to.includes(email) && /#token=/.test(text));
  const before = links().length;
  await postForgot(email);
  await waitUntil("the link is mailed", () => links().length > before);
  return readMailToken(links().at(-1) as CaughtMail);
}

async function userWithToken(options: Parameters<typeof createTestUser>[1] = {}) {
  const email = newEmail();
  const user = await createTestUser(server, { email, ...options });
  return { ...user, email, token: await tokenFor(email) };
}

describe("POST /auth/password/forgot", () => {
  it("mails a link with a valid token", async () => {
    const email = newEmail();
    const { username } = await createTestUser(server, { email });
    expect(statusAndBodyOf(await postForgot(email))).toEqual(generic);
    const [mail] = await trap.to(email);
    expect(mail).toMatchObject({
      from: "post@guildhall.example",
      to: [email],
      subject: "Guildhall: Reset your password",
    });
    expect(mail?.headers).toContain("Auto-Submitted: auto-generated");
    expect(mail?.text).toContain(`Hello ${username},`);
    expect(mail?.text).toMatch(/^https:\/\/play\.example\/reset#token=[\w-]{43}\r?$/m);
    expect(mail?.text).toContain("for 1 hour.");
    const token = readMailToken(mail as NonNullable<typeof mail>);
    expect(statusAndBodyOf(await readLink(token))).toEqual([
      200,
      { valid: true, expiresAt: expect.any(String) },
    ]);
  });

  it("mails a separate link for each account of an address", async () => {
    const email = newEmail();
    const users = [
      await createTestUser(server, { email }),
      await createTestUser(server, { email }),
    ];
    await postForgot(email.toUpperCase());
    const mails = await trap.to(email, 2);
    for (const { username } of users) {
      const [mail, ...more] = mails.filter(({ text }) => text.includes(`Hello ${username},`));
      expect(more).toEqual([]);
      const answered = await confirm(readMailToken(mail as NonNullable<typeof mail>));
      expect(statusAndBodyOf(answered)).toEqual([200, { ok: true }]);
      expect(await statusOf({ username, password: newPassword })).toBe(200);
    }
  });

  it("builds the link from PUBLIC_BASE_URL, even if the request names another host", async () => {
    const email = newEmail();
    await createTestUser(server, { email });
    const headers = {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "http",
      forwarded: "host=evil.example;proto=http",
    };
    const route = "POST /auth/password/forgot";
    const answers = await sendSimultaneously([
      { url: server.url, route, headers, body: { email } },
    ]);
    expect(answers).toEqual([{ status: 200, body: generic[1], cookies: [], location: null }]);
    const [mail] = await trap.to(email);
    expect(mail?.text).toContain("https://play.example/reset#");
    expect(mail?.text).not.toContain("evil");
  });

  it("gives the same answer for an unknown address, a disabled user and an invalid address", async () => {
    const email = newEmail();
    const { userId } = await createTestUser(server, { email });
    await disableUser(server, userId);
    const texts = ["nobody@example.org", email, "no address", "", "x".repeat(5000), "a@b@c", " "];
    texts.push("a\0b@example.org", "\0", "a\uD800b@example.org");
    for (const text of texts) expect(statusAndBodyOf(await postForgot(text))).toEqual(generic);
    // Once a later mail has arrived, the queue holds no earlier mail to these addresses.
    await userWithToken();
    expect(trap.mails.filter(({ to }) => texts.some((text) => to.includes(text)))).toEqual([]);
  });

  it("rejects an address that is not a string", async () => {
    for (const email of [undefined, null, 5, ["a@example.org"], { $ne: 1 }]) {
      expect((await postForgot(email)).status).toBe(400);
    }
  });

  it("mails an address up to three times an hour, and then gives the same answer without a mail", async () => {
    const email = newEmail();
    await forgetLimit(server, "resetMail");
    await createTestUser(server, { email });
    for (let tries = 0; tries < 6; tries++) {
      expect(statusAndBodyOf(await postForgot(email, {}, tries % 2 ? server : other))).toEqual(
        generic,
      );
    }
    await trap.to(email, 3);
    await userWithToken();
    expect(trap.mails.filter(({ to }) => to.includes(email))).toHaveLength(3);
    const left = await query<{ minutes: number }>(
      server,
      `select ceil((max(expire) - extract(epoch from clock_timestamp()) * 1000) / 60000)::int as minutes
       from rate_limits where key like 'resetMail:%' and points = 3`,
    );
    expect(left).toEqual([{ minutes: 60 }]);
  });

  it("keeps older links valid until one of them is used", async () => {
    const { email, token: first } = await userWithToken();
    const second = await tokenFor(email);
    expect([(await readLink(first)).status, (await readLink(second)).status]).toEqual([200, 200]);
    expect((await confirm(first)).status).toBe(200);
    expect([
      statusAndBodyOf(await readLink(first)),
      statusAndBodyOf(await confirm(second)),
    ]).toEqual([dead, dead]);
  });

  it("records the request in the activity log", async () => {
    const { userId } = await userWithToken();
    const columns = ["action", "actorId", "detail"] as const;
    expect(await activityOf(server, { targetId: String(userId) }, columns)).toEqual([
      { action: "auth.password.reset_requested", actorId: null, detail: {} },
    ]);
  });
});

describe("GET /auth/password/reset/:token", () => {
  it("does not use up the link", async () => {
    const { token } = await userWithToken();
    for (let looks = 0; looks < 3; looks++) expect((await readLink(token)).status).toBe(200);
    expect((await confirm(token)).status).toBe(200);
  });

  it("answers 404 to an unknown or malformed token, and so does the route that uses the link", async () => {
    for (const token of ["x", "A".repeat(43), "%00", "..%2f", "a".repeat(600), "%EF%BF%BF"]) {
      expect(statusAndBodyOf(await readLink(token))).toEqual(dead);
      expect(statusAndBodyOf(await confirm(token))).toEqual(dead);
    }
  });
});

describe("POST /auth/password/reset/:token", () => {
  it("sets the password and opens no session", async () => {
    const { username, password, token } = await userWithToken();
    const answered = await confirm(token);
    expect(statusAndBodyOf(answered)).toEqual([200, { ok: true }]);
    expect(answered.setCookies).toEqual([]);
    expect(await statusOf({ username, password })).toBe(401);
    expect(await statusOf({ username, password: newPassword })).toBe(200);
  });

  it("ends every session, device and trusted browser", async () => {
    const { username, password, userId, token } = await userWithToken();
    const { cookie } = { cookie: await logIn(server, { username, password }) };
    const phone = await callRoute(server, "POST /auth/mobile/login", {
      body: { username, password },
    });
    const { accessToken, refreshToken } = phone.body as Record<string, string>;
    await buildTrustedDevice(server, { userId, tokenHash: Buffer.from(token) });
    await confirm(token);
    const statuses = await Promise.all([
      callRoute(server, "GET /auth/me", { headers: { cookie } }),
      callRoute(server, "GET /auth/me", { headers: { authorization: `Bearer ${accessToken}` } }),
      callRoute(server, "POST /auth/mobile/refresh", { body: { refreshToken } }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(await server.context.models.TrustedDevice.count({ where: { userId } })).toBe(0);
  });

  it("keeps the second factor enabled", async () => {
    const user = await createEnrolledUser(server);
    const email = newEmail();
    await changeUser(server, user.userId, { email, emailKey: email });
    expect((await confirm(await tokenFor(email))).status).toBe(200);
    const again = { username: user.username, password: newPassword };
    expect(await requestChallenge(server, again)).toEqual(expect.any(String));
  });

  it("sets a first password for a user without a password", async () => {
    const { username, token } = await userWithToken({ password: null });
    expect((await confirm(token)).status).toBe(200);
    expect(await statusOf({ username, password: newPassword })).toBe(200);
  });

  it("rejects a weak password and keeps the link valid", async () => {
    const { username, token } = await userWithToken();
    const rules: readonly (readonly [unknown, string])[] = [
      ["short", "password must be 8 characters or more"],
      ["password123", "password must not be one of the most common passwords"],
      [username, "password must not be the user name"],
      [12345678, "password must be a string"],
    ];
    for (const [password, message] of rules) {
      expect(statusAndBodyOf(await confirm(token, password))).toEqual([
        400,
        { error: "Validation failed", errors: [{ path: "password", message }] },
      ]);
    }
    expect((await confirm(token)).status).toBe(200);
  });

  it("checks the link before the password", async () => {
    expect(statusAndBodyOf(await confirm("A".repeat(43), "short"))).toEqual(dead);
  });

  it("rejects an expired link, and a link of a disabled or deleted user", async () => {
    const [late, shut, gone] = [
      await userWithToken(),
      await userWithToken(),
      await userWithToken(),
    ];
    await server.context.models.PasswordReset.update(
      { expiresAt: clockNow() },
      { where: { userId: late.userId } },
    );
    await disableUser(server, shut.userId);
    await deleteUser(server, gone.userId);
    for (const { token } of [late, shut, gone]) {
      expect([
        statusAndBodyOf(await readLink(token)),
        statusAndBodyOf(await confirm(token)),
      ]).toEqual([dead, dead]);
    }
  });

  it("mails the user that the password was changed", async () => {
    const { email, token, username } = await userWithToken();
    await confirm(token);
    const mails = await trap.to(email, 2);
    expect(mails.at(-1)).toMatchObject({
      subject: "Guildhall: Your password was changed",
      text: expect.stringContaining(`Hello ${username},`),
    });
  });

  it("stores no token in plain text", async () => {
    const { token, userId } = await userWithToken();
    expect(await server.context.models.PasswordReset.count({ where: { userId } })).toBe(1);
    expect(await tablesHolding(server, token)).toEqual([]);
  });
});

describe("a mail server that refuses a mail temporarily", () => {
  it("is tried again, and the link of the delivered mail works", async () => {
    const email = newEmail();
    const { userId } = await createTestUser(server, { email });
    trap.refusal = "try again later";
    trap.refused = 0;
    expect(statusAndBodyOf(await postForgot(email))).toEqual(generic);
    await waitUntil("the server refused", () => trap.refused >= 1);
    trap.refusal = undefined;
    const [mail] = await trap.to(email);
    expect((await readLink(readMailToken(mail as NonNullable<typeof mail>))).status).toBe(200);
    expect(await server.context.models.PasswordReset.count({ where: { userId } })).toBe(1);
  });
});

describe("a mail server that refuses a mail permanently", () => {
  it("is not tried again, the link is withdrawn, and the job records the SMTP status", async () => {
    const email = newEmail();
    const { userId } = await createTestUser(server, { email });
    Object.assign(trap, { refusal: "no such mailbox", refusesBy: 550, refused: 0 });
    expect(statusAndBodyOf(await postForgot(email))).toEqual(generic);
    const ended = async () =>
      (await jobsOf(server, "auth.send-mail", { userId }))
        .filter(({ state }) => ["completed", "failed", "retry"].includes(state))
        .map(({ state, output }) => [state, output]);
    await waitUntil("its job has ended", async () => (await ended()).length > 0);
    expect(await ended()).toEqual([["completed", { refusedBy: 550 }]]);
    Object.assign(trap, { refusal: undefined, refusesBy: 451 });
    expect(trap.refused).toBe(1);
    expect(await server.context.models.PasswordReset.count({ where: { userId } })).toBe(0);
  });
});

describe("POST /auth/password/forgot without a mail server", () => {
  it("gives the same answer if mail is off and if the mail server is unreachable", async () => {
    for (const url of ["", "smtp://127.0.0.1:1"]) {
      const mute = await startTestServer({ environment: { SMTP_URL: url, MAIL_RETRY: "1s" } });
      const muteWorker = await startTestWorker(mute, ["mail"]);
      try {
        const email = newEmail();
        await signIn(mute, { email });
        expect(statusAndBodyOf(await postForgot(email, {}, mute))).toEqual(generic);
        expect(statusAndBodyOf(await postForgot("nobody@example.org", {}, mute))).toEqual(generic);
      } finally {
        await muteWorker.stop();
        await mute.stop();
      }
    }
  });

  it("retries the mail up to five times and then makes the link invalid", async () => {
    const mute = await startTestServer({
      environment: { SMTP_URL: "smtp://127.0.0.1:1", MAIL_RETRY: "1s" },
    });
    const muteWorker = await startTestWorker(mute, ["mail"]);
    try {
      const email = newEmail();
      await createTestUser(mute, { email });
      await postForgot(email, {}, mute);
      const readJob = async () => (await jobsOf(mute, "auth.send-mail"))[0];
      await waitUntil("the mail failed once", async () => (await readJob())?.state === "retry");
      const job = await readJob();
      expect(job).toMatchObject({ retryLimit: 5, retryDelay: 1, retryBackoff: true });
      expect(JSON.stringify(job?.output)).toContain(
        "the mail server did not accept the mail: ESOCKET",
      );
      expect(JSON.stringify(job?.output)).not.toContain(email);
      expect(await mute.context.models.PasswordReset.count()).toBe(0);
    } finally {
      await muteWorker.stop();
      await mute.stop();
    }
  });
});

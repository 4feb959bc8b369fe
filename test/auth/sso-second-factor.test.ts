import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { addProvider } from "../provider/add-provider.ts";
import { IdentityProvider } from "../provider/identity-provider.ts";
import { CookieBrowser } from "../provider/visitor.ts";
import {
  codeOf,
  createEnrolledUser,
  type EnrolledUser,
  forgetSteps,
  wrongCodeOf,
} from "../support/accounts/second-factor.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { changeUser } from "../support/factories/users.ts";
import { callRoute, cookieOf, statusAndBodyOf, wrongField } from "../support/http/call.ts";
import { MailTrap } from "../support/network/mail-trap.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";

const site = "http://localhost:3000";
const environment = { ...unlimited, OIDC_ALLOW_INSECURE: "true" };

let provider: IdentityProvider;
let trap: MailTrap;
let server: TestServer;
let worker: TestWorker;

beforeAll(async () => {
  const callbackUrls = [`${site}/api/v1/auth/sso/harbour/callback`];
  provider = await IdentityProvider.start({ callbackUrls });
  trap = await MailTrap.start();
  server = await startTestServer({ environment: { ...environment, SMTP_URL: trap.url } });
  worker = await startTestWorker(server, ["mail"]);
  await addProvider(server, await signIn(server, { role: "admin" }), "harbour", provider);
});
afterAll(async () => {
  await worker?.stop();
  await server?.stop();
  await trap?.stop();
  await provider?.stop();
});
let count = 0;
beforeEach(() => {
  provider.signsInAs = `visitor-${++count}`;
});

/** Creates a user with a second factor and a linked account at the provider. */
async function linkedWithFactor(email?: string): Promise<EnrolledUser> {
  const user = await createEnrolledUser(server, email === undefined ? {} : { email });
  await server.context.models.Identity.create({
    userId: user.userId,
    providerId: "harbour",
    providerName: "Harbour",
    issuer: provider.issuer,
    subject: provider.signsInAs ?? "",
  });
  await forgetSteps(server, user.userId);
  return user;
}

/** Signs in at the provider up to the second factor. @returns the browser and the challenge */
async function challenged(): Promise<{ visitor: CookieBrowser; challenge: string }> {
  const visitor = new CookieBrowser(server);
  const back = await visitor.signInAt("harbour");
  expect(back.headers.get("location")).toBe(`${site}/login?sso=totp`);
  return { visitor, challenge: cookieOf(back, "sso_totp")?.slice("sso_totp=".length) ?? "" };
}

const complete = (visitor: CookieBrowser, body: object) =>
  visitor.call("POST /auth/sso/totp", { body });
const wrong = [401, { error: "Invalid code" }];
const factorOf = ({ userId }: EnrolledUser) =>
  server.context.models.User.findByPk(userId, {
    attributes: ["totpFailCount", "totpLockedUntil"],
    raw: true,
  });

describe("POST /auth/sso/totp", () => {
  it("accepts a recovery code once, and mails the user", async () => {
    const user = await linkedWithFactor("recovers@example.org");
    const [recoveryCode] = user.recoveryCodes;
    const first = await challenged();
    expect(statusAndBodyOf(await complete(first.visitor, { recoveryCode }))).toEqual([
      200,
      {
        id: user.userId,
        username: user.username,
        role: "player",
        totp_enabled: true,
        email: "recovers@example.org",
      },
    ]);
    expect((await first.visitor.call("GET /auth/me")).status).toBe(200);
    const [, mail] = await trap.to("recovers@example.org", 2);
    expect(mail?.subject).toBe("Guildhall: A recovery code was used");
    const second = await challenged();
    expect(statusAndBodyOf(await complete(second.visitor, { recoveryCode }))).toEqual(wrong);
    expect(second.visitor.holds("session")).toBe(false);
  });

  it("rejects a malformed request and uses up no code or challenge", async () => {
    const user = await linkedWithFactor();
    const { visitor } = await challenged();
    const code = codeOf(user.secret);
    const [recoveryCode] = user.recoveryCodes;
    const refused: [object, unknown[]][] = [
      [{}, wrongField("code", "code or recoveryCode is required")],
      [
        { code, recoveryCode },
        wrongField("recoveryCode", "recoveryCode cannot be combined with code"),
      ],
      [
        { recoveryCode, trustDevice: true },
        wrongField("trustDevice", "trustDevice cannot be combined with recoveryCode"),
      ],
      [{ code: Number(code) }, wrongField("code", "code must be a string")],
    ];
    for (const [body, answer] of refused) {
      expect([body, statusAndBodyOf(await complete(visitor, body))]).toEqual([body, answer]);
    }
    expect([visitor.holds("session"), visitor.holds("gh_td")]).toEqual([false, false]);
    expect(
      await server.context.models.AuthChallenge.findAll({ where: { userId: user.userId } }),
    ).toEqual([expect.objectContaining({ attempts: 0, consumedAt: null })]);
    expect((await complete(visitor, { recoveryCode })).status).toBe(200);
  });

  it("rejects different challenges in body and cookie, and accepts the same one in both", async () => {
    const user = await linkedWithFactor();
    const [one, other] = [await challenged(), await challenged()];
    const code = codeOf(user.secret);
    const both = await complete(one.visitor, { code, challenge: other.challenge });
    expect(statusAndBodyOf(both)).toEqual([
      400,
      { error: "The request contains different challenges: send only one" },
    ]);
    expect(one.visitor.holds("session")).toBe(false);
    const same = await complete(one.visitor, { code, challenge: one.challenge });
    expect(same.status).toBe(200);
    const alone = await callRoute(server, "POST /auth/sso/totp", {
      body: { recoveryCode: user.recoveryCodes[0], challenge: other.challenge },
    });
    expect(alone.status).toBe(200);
  });

  it("locks the second factor after ten wrong codes in a row, and keeps sessions valid", async () => {
    const user = await linkedWithFactor();
    for (let round = 0; round < 2; round += 1) {
      const { visitor } = await challenged();
      for (let tries = 0; tries < 5; tries += 1) {
        const code = wrongCodeOf(user.secret);
        expect(statusAndBodyOf(await complete(visitor, { code }))).toEqual(wrong);
      }
    }
    expect(await factorOf(user)).toEqual({ totpFailCount: 10, totpLockedUntil: expect.any(Date) });
    const { visitor } = await challenged();
    const code = codeOf(user.secret);
    expect(statusAndBodyOf(await complete(visitor, { code }))).toEqual(wrong);
    const [recoveryCode] = user.recoveryCodes;
    expect(statusAndBodyOf(await complete(visitor, { recoveryCode }))).toEqual(wrong);
    expect((await callRoute(server, "GET /auth/me", { headers: user.headers })).status).toBe(200);
    await changeUser(server, user.userId, { totpLockedUntil: null });
    expect((await complete(visitor, { code })).status).toBe(200);
    expect(await factorOf(user)).toEqual({ totpFailCount: 0, totpLockedUntil: null });
  });
});

describe("POST /auth/sso/:provider/link", () => {
  it("accepts a code of the second factor once as confirmation, links and mails the user", async () => {
    const strict = await startTestServer({
      environment: { ...environment, SMTP_URL: trap.url, REAUTH_AFTER: "1s" },
      database: server.database,
    });
    try {
      const user = await createEnrolledUser(server, { email: "links@example.org" });
      await forgetSteps(server, user.userId);
      const visitor = new CookieBrowser(strict);
      visitor.hold(user.cookie);
      const begin = (body: object) => visitor.call("POST /auth/sso/harbour/link", { body });
      await waitUntil("the sign-in is no longer of just now", async () => {
        const { status, headers } = await begin({});
        return status === 403 && headers.get("x-error-code") === "reauthentication_required";
      });
      const wrongCode = await begin({ code: wrongCodeOf(user.secret) });
      expect([wrongCode.status, wrongCode.headers.get("x-error-code")]).toEqual([
        403,
        "wrong_code",
      ]);
      const code = codeOf(user.secret);
      const begun = await begin({ code });
      expect(begun.status).toBe(200);
      expect((await begin({ code })).status).toBe(403);
      const { redirectTo } = begun.body as { redirectTo: string };
      const back = await visitor.open(await visitor.goToProvider(redirectTo));
      expect([back.status, back.headers.get("location")]).toEqual([
        302,
        `${site}/account?linked=harbour`,
      ]);
      const mails = await trap.to("links@example.org", 2);
      expect(mails.map(({ subject }) => subject)).toContain(
        "Guildhall: A sign-in provider was linked",
      );
      const told = mails.find(({ subject }) => subject.endsWith("A sign-in provider was linked"));
      expect(told?.text.replaceAll("\r\n", "\n")).toBe(
        [
          `Hello ${user.username},`,
          "an account at a sign-in provider was linked to your account and can now sign in to it.",
          "If it was not you, reset your password now and tell an administrator.\n",
        ].join("\n\n"),
      );
    } finally {
      await strict.stop();
    }
  });

  it("sends no mail for a link that is rejected or already exists", async () => {
    const user = await signIn(server, { email: "quiet@example.org" });
    const other = await linkedWithFactor();
    const visitor = new CookieBrowser(server);
    visitor.hold(user.cookie);
    const link = async (account: string) => {
      provider.signsInAs = account;
      visitor.forgetProvider();
      const begun = await visitor.call("POST /auth/sso/harbour/link", { body: {} });
      const { redirectTo } = begun.body as { redirectTo: string };
      return (await visitor.open(await visitor.goToProvider(redirectTo))).headers.get("location");
    };
    const taken = provider.signsInAs ?? "";
    expect(await link(taken)).toBe(`${site}/account?error=sso_already_linked`);
    expect(await link("quiet-account")).toBe(`${site}/account?linked=harbour`);
    expect(await link("quiet-account")).toBe(`${site}/account?linked=harbour`);
    const told = [user, other].map(({ userId }) =>
      jobsOf(server, "auth.send-mail", { userId, letter: "identityLinked" }),
    );
    expect((await Promise.all(told)).flat()).toHaveLength(1);
  });
});

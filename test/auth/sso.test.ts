import { createHash, randomBytes } from "node:crypto";

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { clockNow, selectReadAt, remainingMs } from "../../models/queries/clock.ts";
import { addProvider } from "../provider/add-provider.ts";
import { HostileProvider } from "../provider/hostile-provider.ts";
import { IdentityProvider } from "../provider/identity-provider.ts";
import { CookieBrowser } from "../provider/visitor.ts";
import { limitKeys } from "../support/accounts/rate-limits.ts";
import {
  codeOf,
  createEnrolledUser,
  type EnrolledUser,
  forgetSteps,
} from "../support/accounts/second-factor.ts";
import {
  createTestUser,
  logIn,
  type SignedIn,
  signIn,
  type TestUser,
} from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { query } from "../support/database/query.ts";
import { tablesHolding } from "../support/database/tables-holding.ts";
import { buildTrustedDevice, changeUser } from "../support/factories/users.ts";
import { type ApiAnswer, callRoute, cookieOf } from "../support/http/call.ts";
import { makeList } from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let provider: IdentityProvider;
let server: TestServer;
let admin: SignedIn;

const site = "http://localhost:3000";
const callbackOf = (id: string) => `${site}/api/v1/auth/sso/${id}/callback`;

beforeAll(async () => {
  provider = await IdentityProvider.start({
    callbackUrls: [callbackOf("harbour"), callbackOf("other")],
  });
  server = await startTestServer({
    environment: { OIDC_ALLOW_INSECURE: "true", REAUTH_AFTER: "1h" },
  });
  admin = await signIn(server, { role: "admin" });
  for (const id of ["harbour", "other"]) await addProvider(server, admin, id, provider);
});
afterAll(async () => {
  await server?.stop();
  await provider?.stop();
});
beforeEach(() => {
  provider.signsInAs = newName();
});

/** Settings of another process that trusts the proxy, so that a test can choose its client address. */
const isolated = { OIDC_ALLOW_INSECURE: "true", TRUST_PROXY: "loopback" };
const fromAfar = { "x-forwarded-for": "192.0.2.77" };

let count = 0;
const newName = () => `visitor-${++count}`;
const outcome = ({ status, headers }: ApiAnswer) => [status, headers.get("location")];
const models = () => server.context.models;
const forgetIdentities = (userId: number) => models().Identity.destroy({ where: { userId } });
const keptSessions = async (): Promise<number> => {
  const text = "select count(*)::int as kept from sso_sessions";
  return (await query<{ kept: number }>(server, text))[0]?.kept ?? 0;
};
const setEnabled = (id: string, enabled: boolean) =>
  callRoute(server, `PUT /admin/auth/providers/${id}`, {
    headers: admin.headers,
    body: { enabled },
  });

/** Signs in at the provider as `account` and links that account to the visitor's user. */
async function link(visitor: CookieBrowser, account: string, id = "harbour"): Promise<ApiAnswer> {
  provider.signsInAs = account;
  visitor.forgetProvider();
  const begun = await visitor.call(`POST /auth/sso/${id}/link`, { body: {} });
  if (begun.status !== 200) throw new Error(begun.text);
  const { redirectTo } = begun.body as { redirectTo: string };
  return visitor.open(await visitor.goToProvider(redirectTo));
}

/** Creates a user with a linked account at the provider. The browser that linked it is discarded. */
async function linkedUser<User extends SignedIn = SignedIn>(
  make?: Promise<User>,
): Promise<User & { account: string }> {
  const user = (await (make ?? signIn(server))) as User;
  const visitor = new CookieBrowser(server);
  visitor.hold(user.cookie);
  const account = newName();
  const linked = await link(visitor, account);
  expect(outcome(linked)).toEqual([302, `${site}/account?linked=harbour`]);
  return { ...user, account };
}

const readUsername = async (visitor: CookieBrowser): Promise<unknown> => {
  const { status, body } = await visitor.call("GET /auth/me");
  return status === 200 ? (body as { username: string }).username : status;
};

describe("GET /auth/sso/:provider/start", () => {
  it("sends the browser to the provider with a new state, nonce and PKCE challenge each time", async () => {
    const visitor = new CookieBrowser(server);
    const begun = await visitor.call("GET /auth/sso/harbour/start");
    const again = await visitor.call("GET /auth/sso/harbour/start");
    expect(begun.status).toBe(302);
    const { origin, pathname, searchParams } = new URL(begun.headers.get("location") ?? "");
    expect(origin + pathname).toBe(`${provider.issuer}/auth`);
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: "code",
      client_id: "guildhall",
      redirect_uri: callbackOf("harbour"),
      scope: "openid",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    const { searchParams: second } = new URL(again.headers.get("location") ?? "");
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(second.get(name)).not.toBe(searchParams.get(name));
    }
    const cookie = begun.setCookies.find((line) => line.startsWith("sso_tx="));
    expect(cookie).toMatch(/; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
    expect(await tablesHolding(server, second.get("state") ?? "no state")).toEqual([]);
  });

  it("sets a sign-on cookie and stores a browser session, and other routes do neither", async () => {
    const visitor = new CookieBrowser(server);
    const none = await keptSessions();
    await visitor.call("GET /auth/sso/harbour/start");
    const before = await keptSessions();
    expect(before).toBe(none + 1);
    expect(visitor.holds("sso_tx")).toBe(true);
    const { username, password } = await createTestUser(server);
    const answers = [
      await visitor.call("GET /public/status"),
      await visitor.call("GET /auth/providers"),
      await visitor.call("GET /auth/sso/nowhere/start"),
      await visitor.call("POST /auth/login", { body: { username, password } }),
      await visitor.call("GET /auth/me"),
      await visitor.call("POST /auth/logout"),
    ];
    const names = answers.flatMap(({ setCookies }) => setCookies.map((line) => line.split("=")[0]));
    expect(new Set(names)).toEqual(new Set(["session"]));
    expect(await keptSessions()).toEqual(before);
  });

  it("answers 404 for an unknown or disabled provider, as a page to a browser", async () => {
    for (const id of ["nowhere", "google", "x%00y"]) {
      const { status, body } = await callRoute(server, `GET /auth/sso/${id}/start`);
      expect([id, status]).toEqual([id, id === "x%00y" ? 400 : 404]);
      expect(body).toHaveProperty("error");
    }
    const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    const page = await callRoute(server, "GET /auth/sso/nowhere/start", { headers });
    expect([page.status, page.text]).toEqual([
      404,
      expect.stringContaining("<h1>The sign-in ends here</h1>"),
    ]);
  });

  it("is limited per address", async () => {
    const strict = await startTestServer({
      environment: { ...isolated, RL_SSO_START_MAX: "2" },
      database: server.database,
    });
    try {
      const start = async () =>
        (await callRoute(strict, "GET /auth/sso/harbour/start", { headers: fromAfar })).status;
      expect([await start(), await start(), await start()]).toEqual([302, 302, 429]);
    } finally {
      await strict.stop();
    }
  });
});

describe("a sign-in at a provider", () => {
  it("signs in the linked user, and redirects to the page where the sign-in began", async () => {
    const user = await linkedUser();
    const visitor = new CookieBrowser(server);
    const back = await visitor.signInAt("harbour", "?returnTo=/forum/7%3Fpage%3D2");
    expect(outcome(back)).toEqual([302, `${site}/forum/7?page=2`]);
    expect(back.setCookies.find((line) => line.startsWith("session="))).toMatch(
      /; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    expect(await readUsername(visitor)).toBe(user.username);
    const activity = await callRoute(server, `GET /admin/activity?limit=3`, {
      headers: admin.headers,
    });
    expect(activity.text).toContain("auth.sso.login");
  });

  it("never redirects to another site, whatever returnTo is", async () => {
    await linkedUser();
    for (const to of [
      "//evil.example",
      "/\\evil.example",
      "https:evil.example",
      "https://evil.example",
      "/%09/evil",
    ]) {
      const back = await new CookieBrowser(server).signInAt(
        "harbour",
        `?returnTo=${encodeURIComponent(to)}`,
      );
      expect([to, ...outcome(back)]).toEqual([
        to,
        302,
        to === "/%09/evil" ? `${site}/%09/evil` : `${site}/`,
      ]);
    }
  });

  it("is rejected for an account that is not linked, and creates no user (R84)", async () => {
    const account = newName();
    await createTestUser(server, { email: `${account}@example.org` });
    const before = await models().User.count();
    provider.signsInAs = account;
    const visitor = new CookieBrowser(server);
    const back = await visitor.signInAt("harbour");
    expect(outcome(back)).toEqual([302, `${site}/login?error=sso_not_linked`]);
    expect(visitor.holds("session")).toBe(false);
    expect(await models().User.count()).toBe(before);
  });

  it("is rejected if the subject is linked but under another provider or issuer (R84)", async () => {
    const { account, userId } = await linkedUser();
    provider.signsInAs = account;
    const back = await new CookieBrowser(server).signInAt("other");
    expect(outcome(back)).toEqual([302, `${site}/login?error=sso_not_linked`]);
    const issuer = "https://former.example";
    await server.context.models.Identity.update({ issuer }, { where: { userId } });
    expect(outcome(await new CookieBrowser(server).signInAt("harbour"))).toEqual([
      302,
      `${site}/login?error=sso_not_linked`,
    ]);
  });

  it("treats a disabled user like an account that is not linked", async () => {
    const user = await linkedUser();
    const body = { disabled: true };
    await callRoute(server, `PATCH /admin/users/${user.userId}`, { headers: admin.headers, body });
    const back = await new CookieBrowser(server).signInAt("harbour");
    expect(outcome(back)).toEqual([302, `${site}/login?error=sso_not_linked`]);
  });

  it("reports sso_denied if the user declines at the provider", async () => {
    provider.signsInAs = null;
    const visitor = new CookieBrowser(server);
    expect(outcome(await visitor.signInAt("harbour"))).toEqual([
      302,
      `${site}/login?error=sso_denied`,
    ]);
  });

  it("works in two tabs of one browser, in either order", async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const user = await linkedUser();
      const visitor = new CookieBrowser(server);
      const starts = [
        await visitor.call("GET /auth/sso/harbour/start?returnTo=/one"),
        await visitor.call("GET /auth/sso/harbour/start?returnTo=/two"),
      ];
      const backs: string[] = [];
      for (const { headers } of starts) {
        backs.push(await visitor.goToProvider(headers.get("location") ?? ""));
      }
      for (const at of order) {
        const back = await visitor.open(backs[at] as string);
        expect(outcome(back)).toEqual([302, `${site}${["/one", "/two"][at]}`]);
        expect(await readUsername(visitor)).toBe(user.username);
      }
    }
  });

  it("answers 400 if its callback is opened again, and the session stays valid (R80)", async () => {
    const user = await linkedUser();
    const visitor = new CookieBrowser(server);
    const begun = await visitor.call("GET /auth/sso/harbour/start");
    const path = await visitor.goToProvider(begun.headers.get("location") ?? "");
    expect((await visitor.open(path)).status).toBe(302);
    const again = await visitor.open(path);
    expect([again.status, again.body, again.headers.get("x-error-code")]).toEqual([
      400,
      { error: "This sign-in has ended: start again" },
      "sso_ended",
    ]);
    expect(again.setCookies).toEqual([]);
    expect(await readUsername(visitor)).toBe(user.username);
  });

  it("succeeds once if its callback is opened thirty times at once", async () => {
    await linkedUser();
    const visitor = new CookieBrowser(server);
    const begun = await visitor.call("GET /auth/sso/harbour/start");
    const path = await visitor.goToProvider(begun.headers.get("location") ?? "");
    const answers = await Promise.all(Array.from({ length: 30 }, () => visitor.open(path)));
    expect(answers.filter(({ status }) => status === 302).length).toBe(1);
    expect(answers.filter(({ status }) => status === 400).length).toBe(29);
  });

  it("can be finished only by the browser that began it (R80, R92)", async () => {
    await linkedUser();
    const mine = new CookieBrowser(server);
    const begun = await mine.call("GET /auth/sso/harbour/start");
    const path = await mine.goToProvider(begun.headers.get("location") ?? "");
    const theirs = new CookieBrowser(server);
    expect((await theirs.open(path)).status).toBe(400);
    await theirs.call("GET /auth/sso/harbour/start");
    expect((await theirs.open(path)).status).toBe(400);
    theirs.hold("sso_tx=s%3Aforged.forged");
    expect((await theirs.open(path)).status).toBe(400);
    expect(theirs.holds("session")).toBe(false);
    expect((await mine.open(path)).status).toBe(302);
  });

  it("is rejected at another provider's callback or with another issuer (R81)", async () => {
    await linkedUser();
    const visitor = new CookieBrowser(server);
    const begin = async () => {
      const begun = await visitor.call("GET /auth/sso/harbour/start");
      return visitor.goToProvider(begun.headers.get("location") ?? "");
    };
    const path = await begin();
    expect((await visitor.open(path.replace("/harbour/", "/other/"))).status).toBe(400);
    const mixed = (await begin()).replace(/iss=[^&]+/, "iss=https%3A%2F%2Fevil.example");
    expect((await visitor.open(mixed)).status).toBe(400);
    const unnamed = (await begin()).replace(/&iss=[^&]+/, "");
    expect((await visitor.open(unnamed)).status).toBe(400);
    expect(visitor.holds("session")).toBe(false);
  });

  it("is rejected after its expiry", async () => {
    const visitor = new CookieBrowser(server);
    const begun = await visitor.call("GET /auth/sso/harbour/start");
    const path = await visitor.goToProvider(begun.headers.get("location") ?? "");
    await models().SsoTransaction.scope("open").update({ expiresAt: clockNow() }, { where: {} });
    expect((await visitor.open(path)).status).toBe(400);
  });

  it("is rejected if the callback's query is malformed", async () => {
    const paths = [
      "",
      "?state=x",
      "?code=x",
      "?code=x&state=y&error=z",
      "?code=a&code=b&state=y",
      "?code=x&state=a&state=b",
      "?code=x&state=",
      "?code=x&state=%00",
      `?code=x&state=${"s".repeat(600)}`,
    ];
    for (const path of paths) {
      const { status } = await callRoute(server, `GET /auth/sso/harbour/callback${path}`);
      expect([path, status]).toEqual([path, 400]);
    }
  });

  it("is rejected if its provider is disabled before the callback, and sessions stay valid", async () => {
    const user = await linkedUser();
    const visitor = new CookieBrowser(server);
    visitor.hold(user.cookie);
    const begun = await visitor.call("GET /auth/sso/harbour/start");
    const path = await visitor.goToProvider(begun.headers.get("location") ?? "");
    await setEnabled("harbour", false);
    try {
      expect((await visitor.open(path)).status).toBe(404);
      expect((await visitor.call("GET /auth/sso/harbour/start")).status).toBe(404);
      const offered = await callRoute(server, "GET /auth/providers");
      expect((offered.body as { id: string }[]).map(({ id }) => id)).toEqual(["other"]);
      expect(await readUsername(visitor)).toBe(user.username);
    } finally {
      await setEnabled("harbour", true);
    }
    expect((await visitor.open(path)).status).toBe(400);
  });
});

describe("a shared computer", () => {
  it("signs in one user after the other, each with their own account", async () => {
    const [one, two] = [await linkedUser(), await linkedUser()];
    const visitor = new CookieBrowser(server);
    provider.signsInAs = one.account;
    await visitor.signInAt("harbour");
    expect(await readUsername(visitor)).toBe(one.username);
    await visitor.call("POST /auth/logout");
    expect(await readUsername(visitor)).toBe(401);
    visitor.forgetProvider();
    provider.signsInAs = two.account;
    await visitor.signInAt("harbour");
    expect(await readUsername(visitor)).toBe(two.username);
  });

  it("does not link one user's account at the provider to the next user", async () => {
    const [one, two] = [await signIn(server), await signIn(server)];
    const visitor = new CookieBrowser(server);
    visitor.hold(one.cookie);
    const begun = await visitor.call("POST /auth/sso/harbour/link", { body: {} });
    const { redirectTo } = begun.body as { redirectTo: string };
    const path = await visitor.goToProvider(redirectTo);
    await visitor.call("POST /auth/logout");
    visitor.hold(await logIn(server, two));
    expect(outcome(await visitor.open(path))).toEqual([
      302,
      `${site}/account?error=sso_wrong_session`,
    ]);
    for (const user of [one, two]) {
      const cookie = await logIn(server, user);
      const { body } = await callRoute(server, "GET /auth/me/account/identities", {
        headers: { cookie },
      });
      expect(body).toEqual([]);
    }
  });
});

describe("POST /auth/sso/:provider/link", () => {
  const linkWith = (user: Pick<SignedIn, "headers">, body: object, at = server) =>
    callRoute(at, "POST /auth/sso/harbour/link", { headers: user.headers, body });

  it("links only at the signed-in user's own request, and lists the link (R92)", async () => {
    const user = await linkedUser();
    const { body } = await callRoute(server, "GET /auth/me/account/identities", {
      headers: user.headers,
    });
    expect(body).toEqual([
      {
        provider: "harbour",
        name: "Provider harbour",
        linked_at: anyTime,
      },
    ]);
    expect(
      (await callRoute(server, "GET /auth/sso/harbour/link", { headers: user.headers })).status,
    ).toBe(404);
    expect((await callRoute(server, "POST /auth/sso/harbour/link", { body: {} })).status).toBe(401);
    const origin = "https://evil.example";
    const foreign = await callRoute(server, "POST /auth/sso/harbour/link", {
      headers: { ...user.headers, origin },
      body: {},
    });
    expect(foreign.status).toBe(403);
  });

  it("requires the password if the sign-in is old (R29)", async () => {
    const strict = await startTestServer({
      environment: { OIDC_ALLOW_INSECURE: "true", REAUTH_AFTER: "1s" },
      database: server.database,
    });
    try {
      const user = await signIn(strict);
      await new Promise((resolve) => setTimeout(resolve, 2_100));
      const refused = await linkWith(user, {}, strict);
      expect([refused.status, refused.headers.get("x-error-code")]).toEqual([
        403,
        "reauthentication_required",
      ]);
      expect((await linkWith(user, { password: "wrong password" }, strict)).status).toBe(403);
      const given = await linkWith(user, { password: user.password }, strict);
      expect([given.status, given.body]).toEqual([
        200,
        { redirectTo: expect.stringContaining(`${provider.issuer}/auth?`) },
      ]);
    } finally {
      await strict.stop();
    }
  });

  it("checks the password before it contacts the provider, and stores nothing if it is wrong", async () => {
    const { headers, password } = await signIn(server);
    const down = await HostileProvider.start();
    await addProvider(server, admin, "down", down);
    const linkThere = (body: object) =>
      callRoute(server, "POST /auth/sso/down/link", { headers, body });
    try {
      const [before, asked] = [await keptSessions(), down.asked.length];
      down.metadata = () => ({ status: 500, body: {} });
      const wrong = await linkThere({ password: "wrong password" });
      expect([wrong.status, wrong.headers.get("x-error-code"), wrong.setCookies]).toEqual([
        403,
        "wrong_password",
        [],
      ]);
      expect(down.asked.length).toBe(asked);
      const right = await linkThere({ password });
      expect([right.status, right.body]).toEqual([502, { error: "The sign-in provider failed" }]);
      expect(await keptSessions()).toEqual(before);
    } finally {
      await callRoute(server, "DELETE /admin/auth/providers/down", { headers: admin.headers });
      await down.stop();
    }
  });

  it("does not use up a code if the provider is down, and rejects a used code", async () => {
    const user = await createEnrolledUser(server);
    await forgetSteps(server, user.userId);
    const down = await HostileProvider.start();
    await addProvider(server, admin, "down", down);
    down.metadata = () => ({ status: 500, body: {} });
    const code = codeOf(user.secret);
    const linkAt = async (id: string) => {
      const { headers } = user;
      const answered = await callRoute(server, `POST /auth/sso/${id}/link`, {
        headers,
        body: { code },
      });
      return [answered.status, answered.headers.get("x-error-code")];
    };
    try {
      expect(await linkAt("down")).toEqual([502, "provider_failed"]);
      expect(await linkAt("harbour")).toEqual([200, null]);
      expect(await linkAt("down")).toEqual([403, "wrong_code"]);
    } finally {
      await callRoute(server, "DELETE /admin/auth/providers/down", { headers: admin.headers });
      await down.stop();
    }
  });

  it("replaces the user's own link of a former issuer, but not with another user's account", async () => {
    const user = await linkedUser();
    const { Identity } = server.context.models;
    const { userId } = user;
    const visitor = new CookieBrowser(server);
    visitor.hold(user.cookie);
    const issuer = "https://former.example";
    await Identity.update({ issuer }, { where: { userId } });
    const other = await linkedUser();
    const own = async () =>
      (await Identity.findAll({ where: { userId } })).map((row) => [row.issuer, row.subject]);
    expect(outcome(await link(visitor, other.account))).toEqual([
      302,
      `${site}/account?error=sso_already_linked`,
    ]);
    expect(await own()).toEqual([[issuer, user.account]]);
    expect(outcome(await link(visitor, user.account))).toEqual([
      302,
      `${site}/account?linked=harbour`,
    ]);
    expect(await own()).toEqual([[provider.issuer, user.account]]);
    expect(outcome(await new CookieBrowser(server).signInAt("harbour"))).toEqual([302, `${site}/`]);
  });

  it("makes the provider ask for the account with prompt=login, unlike a sign-in", async () => {
    const one = await linkedUser();
    const shared = new CookieBrowser(server);
    await shared.signInAt("harbour");
    const questions = provider.questions;
    await shared.signInAt("harbour");
    expect([await readUsername(shared), provider.questions]).toEqual([one.username, questions]);
    await shared.call("POST /auth/logout");
    shared.hold((await signIn(server)).cookie);
    const begun = await shared.call("POST /auth/sso/harbour/link", { body: {} });
    const { redirectTo } = begun.body as { redirectTo: string };
    expect(new URL(redirectTo).searchParams.get("prompt")).toBe("login");
    await shared.goToProvider(redirectTo);
    expect(provider.questions).toBe(questions + 1);
  });

  it("is canceled by a password change, even for the same browser and user", async () => {
    const user = await signIn(server);
    const visitor = new CookieBrowser(server);
    visitor.hold(user.cookie);
    const begun = await visitor.call("POST /auth/sso/harbour/link", { body: {} });
    const { redirectTo } = begun.body as { redirectTo: string };
    const path = await visitor.goToProvider(redirectTo);
    const body = { currentPassword: user.password, newPassword: `${user.password} anew` };
    expect((await visitor.call("PATCH /auth/me/account/password", { body })).status).toBe(200);
    expect(await readUsername(visitor)).toBe(user.username);
    const back = await visitor.open(path);
    expect([back.status, back.body, back.headers.get("x-error-code")]).toEqual([
      400,
      { error: "This sign-in has ended: start again" },
      "sso_ended",
    ]);
    expect((await visitor.call("GET /auth/me/account/identities")).body).toEqual([]);
    expect(outcome(await link(visitor, newName()))).toEqual([
      302,
      `${site}/account?linked=harbour`,
    ]);
  });

  it("rejects an account that another user has linked, and a second account at the same provider", async () => {
    const one = await linkedUser();
    const two = await signIn(server);
    const visitor = new CookieBrowser(server);
    visitor.hold(two.cookie);
    const taken = `${site}/account?error=sso_already_linked`;
    expect(outcome(await link(visitor, one.account))).toEqual([302, taken]);
    expect(outcome(await link(visitor, newName()))).toEqual([
      302,
      `${site}/account?linked=harbour`,
    ]);
    visitor.forgetProvider();
    expect(outcome(await link(visitor, newName()))).toEqual([302, taken]);
  });

  it("accepts an account that is already linked, and reports a declined link", async () => {
    const user = await linkedUser();
    const visitor = new CookieBrowser(server);
    visitor.hold(user.cookie);
    expect(outcome(await link(visitor, user.account))).toEqual([
      302,
      `${site}/account?linked=harbour`,
    ]);
    visitor.forgetProvider();
    provider.signsInAs = null;
    const begun = await visitor.call("POST /auth/sso/harbour/link", { body: {} });
    const { redirectTo } = begun.body as { redirectTo: string };
    expect(outcome(await visitor.open(await visitor.goToProvider(redirectTo)))).toEqual([
      302,
      `${site}/account?error=sso_denied`,
    ]);
  });

  it("links one account to one of two users who try at the same time", async () => {
    const account = newName();
    provider.signsInAs = account;
    const paths = await Promise.all(
      [await signIn(server), await signIn(server)].map(async ({ cookie }) => {
        const visitor = new CookieBrowser(server);
        visitor.hold(cookie);
        const begun = await visitor.call("POST /auth/sso/harbour/link", { body: {} });
        const { redirectTo } = begun.body as { redirectTo: string };
        return [visitor, await visitor.goToProvider(redirectTo)] as const;
      }),
    );
    const ends = await Promise.all(
      paths.map(async ([visitor, path]) => outcome(await visitor.open(path))[1]),
    );
    expect(new Set(ends)).toEqual(
      new Set([`${site}/account?error=sso_already_linked`, `${site}/account?linked=harbour`]),
    );
  });
});

describe("DELETE /auth/me/account/identities/:provider", () => {
  const unlink = (user: Pick<SignedIn, "headers">, id: string) =>
    callRoute(server, `DELETE /auth/me/account/identities/${id}`, {
      headers: user.headers,
      body: {},
    });

  it("makes sign-ins with the unlinked account fail", async () => {
    const user = await linkedUser();
    const { status, body } = await unlink(user, "harbour");
    expect([status, body]).toEqual([200, { unlinked: true }]);
    const back = await new CookieBrowser(server).signInAt("harbour");
    expect(outcome(back)).toEqual([302, `${site}/login?error=sso_not_linked`]);
  });

  it("answers 409 for the user's last way to sign in, not counting a disabled provider", async () => {
    const user = await linkedUser();
    const visitor = new CookieBrowser(server);
    visitor.hold(user.cookie);
    await link(visitor, user.account, "other");
    await changeUser(server, user.userId, { passwordHash: null });
    await setEnabled("other", false);
    try {
      expect((await unlink(user, "harbour")).status).toBe(409);
    } finally {
      await setEnabled("other", true);
    }
    expect((await unlink(user, "harbour")).status).toBe(200);
    expect((await unlink(user, "other")).status).toBe(409);
  });
});

describe("POST /auth/sso/totp", () => {
  const linkedWithFactor = async () => {
    const user = await linkedUser(createEnrolledUser(server));
    await forgetSteps(server, user.userId);
    return user;
  };
  const complete = (visitor: CookieBrowser, body: object) =>
    visitor.call("POST /auth/sso/totp", { body });

  it("completes the sign-in of a user with a second factor, who has no session before", async () => {
    const user = await linkedWithFactor();
    const visitor = new CookieBrowser(server);
    const back = await visitor.signInAt("harbour");
    expect(outcome(back)).toEqual([302, `${site}/login?sso=totp`]);
    expect(back.setCookies.find((line) => line.startsWith("sso_totp="))).toMatch(
      /; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    expect(visitor.holds("session")).toBe(false);
    expect(await readUsername(visitor)).toBe(401);
    expect((await complete(visitor, { code: "000000" })).status).toBe(401);
    const done = await complete(visitor, { code: codeOf(user.secret) });
    expect([done.status, done.body]).toEqual([
      200,
      { id: user.userId, username: user.username, role: "player", totp_enabled: true, email: null },
    ]);
    expect(await readUsername(visitor)).toBe(user.username);
    expect(visitor.holds("sso_totp")).toBe(false);
  });

  it("is preceded by a redirect to the login page that keeps the sign-in's returnTo", async () => {
    await linkedWithFactor();
    const back = await new CookieBrowser(server).signInAt("harbour", "?returnTo=/forum");
    expect(outcome(back)).toEqual([302, `${site}/login?sso=totp&returnTo=%2Fforum`]);
  });

  it("trusts the browser on request, and later sign-ins in that browser need no code", async () => {
    const user = await linkedWithFactor();
    const visitor = new CookieBrowser(server);
    await visitor.signInAt("harbour");
    await complete(visitor, { code: codeOf(user.secret), trustDevice: true });
    expect(visitor.holds("gh_td")).toBe(true);
    await visitor.call("POST /auth/logout");
    expect(outcome(await visitor.signInAt("harbour"))).toEqual([302, `${site}/`]);
    expect(await readUsername(visitor)).toBe(user.username);
  });

  it("answers 409 for an eleventh trusted browser, and then accepts the code without trust", async () => {
    const user = await linkedWithFactor();
    const { userId } = user;
    await Promise.all(makeList(10, () => buildTrustedDevice(server, { userId })));
    const visitor = new CookieBrowser(server);
    await visitor.signInAt("harbour");
    const code = codeOf(user.secret);
    const refused = await complete(visitor, { code, trustDevice: true });
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: "Too many trusted devices", trustLimitReached: true },
    ]);
    expect(visitor.holds("session")).toBe(false);
    expect((await complete(visitor, { code })).status).toBe(200);
    expect([await readUsername(visitor), visitor.holds("gh_td")]).toEqual([user.username, false]);
  });

  it("rejects the challenge of a password sign-in, and other routes reject the challenge of a provider's sign-in", async () => {
    const user = await linkedWithFactor();
    const visitor = new CookieBrowser(server);
    const back = await visitor.signInAt("harbour");
    const challenge = cookieOf(back, "sso_totp")?.slice("sso_totp=".length);
    const code = codeOf(user.secret);
    const asPassword = await callRoute(server, "POST /auth/login/totp", {
      body: { challenge, code },
    });
    expect(asPassword.status).toBe(401);
    const asSession = await callRoute(server, "GET /auth/me", {
      headers: { cookie: `session=${challenge}` },
    });
    expect(asSession.status).toBe(401);
    const { username, password } = user;
    const { body } = await callRoute(server, "POST /auth/login", { body: { username, password } });
    const { challenge: ofPassword } = body as { challenge: string };
    const swapped = await callRoute(server, "POST /auth/sso/totp", {
      body: { challenge: ofPassword, code },
    });
    expect(swapped.status).toBe(401);
    expect((await complete(visitor, { code })).status).toBe(200);
  });

  it("answers 401 once the account is unlinked, the provider disabled or the sessions revoked", async () => {
    const enders: ((user: EnrolledUser) => Promise<unknown>)[] = [
      ({ userId }) => forgetIdentities(userId),
      () => setEnabled("harbour", false),
      ({ userId }) =>
        callRoute(server, `POST /admin/users/${userId}/sessions/revoke`, {
          headers: admin.headers,
        }),
    ];
    for (const end of enders) {
      const user = await linkedWithFactor();
      const visitor = new CookieBrowser(server);
      await visitor.signInAt("harbour");
      await end(user);
      expect((await complete(visitor, { code: codeOf(user.secret) })).status).toBe(401);
      await setEnabled("harbour", true);
    }
  });
});

const appAddress = "org.guildhall.app://auth/callback";

interface App {
  readonly verifier: string;
  readonly query: Record<string, string>;
}

function newApp(changes: Record<string, string> = {}): App {
  const verifier = randomBytes(32).toString("base64url");
  const start = {
    provider: "harbour",
    redirect_uri: appAddress,
    state: "app-state & more",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...changes,
  };
  return { verifier, query: start };
}

const startApp = (visitor: CookieBrowser, { query: asked }: App, headers = {}) =>
  visitor.call(`GET /auth/mobile/sso/start?${new URLSearchParams(asked).toString()}`, { headers });

/** Returns the query of a redirect to the app. */
const appQuery = (location: string | null | undefined, address = appAddress) => {
  expect(location?.startsWith(`${address}?`)).toBe(true);
  return Object.fromEntries(new URLSearchParams(location?.slice(address.length + 1)));
};

async function appCode(app: App, visitor = new CookieBrowser(server)): Promise<string> {
  const begun = await startApp(visitor, app);
  const back = await visitor.open(await visitor.goToProvider(begun.headers.get("location") ?? ""));
  expect(back.status).toBe(302);
  const { code = "", state } = appQuery(back.headers.get("location"));
  expect(state).toBe(app.query["state"]);
  expect(visitor.holds("session")).toBe(false);
  return code;
}

const exchange = (body: object) => callRoute(server, "POST /auth/mobile/sso/exchange", { body });
const logReasons = ({ status, body }: ApiAnswer) => [status, body];
const invalidGrant = [400, { error: "invalid_grant" }];

describe("the app's sign-in at a provider", () => {
  it("gives the app its tokens for a code from the browser (R90, R93)", async () => {
    const user = await linkedUser();
    const app = newApp();
    const code = await appCode(app);
    const done = await exchange({ code, codeVerifier: app.verifier, device_name: "Robin's phone" });
    expect([done.status, done.body]).toEqual([
      200,
      {
        accessToken: expect.any(String),
        refreshToken: expect.stringMatching(/^rt_/),
        expiresIn: "15m",
        tokenType: "Bearer",
        user: {
          id: user.userId,
          username: user.username,
          role: "player",
          totp_enabled: false,
          email: null,
        },
      },
    ]);
    expect(done.headers.get("cache-control")).toBe("no-store");
    expect(done.setCookies).toEqual([]);
    const { accessToken } = done.body as { accessToken: string };
    const headers = { authorization: `Bearer ${accessToken}` };
    const sessions = await callRoute(server, "GET /auth/me/sessions", { headers });
    expect(sessions.body).toEqual([
      expect.objectContaining({ device_name: "Robin's phone", current: true }),
    ]);
    expect(await tablesHolding(server, code)).toEqual([]);
  });

  it("is rejected unless its redirect address equals a configured one (R89)", async () => {
    const addresses = [
      `${appAddress}/`,
      `${appAddress}?x=1`,
      appAddress.toUpperCase(),
      "org.guildhall.app://auth/callbac",
      "org.guildhall.app://auth/%63allback",
      "org%2Eguildhall.app://auth/callback",
      "org.guildhall.app://auth/callback/../callback",
      "org.guildhall.app://me@auth/callback",
      "https://evil.example/mobile/callback",
      "https://localhost:3000/mobile/callback",
      "javascript:alert(1)",
    ];
    for (const address of addresses) {
      const answered = await startApp(new CookieBrowser(server), newApp({ redirect_uri: address }));
      expect([address, ...outcome(answered)]).toEqual([address, 400, null]);
      expect(answered.body).toEqual({ error: "redirect_uri is not allowed" });
    }
  });

  it("does not read the setting for app links if the redirect address is not https", async () => {
    const countQueries = async (address: string) => {
      const asked = vi.spyOn(server.context.sequelize, "query");
      const { status } = await startApp(
        new CookieBrowser(server),
        newApp({ redirect_uri: address }),
      );
      const statements = asked.mock.calls.map(([statement]) => JSON.stringify(statement));
      asked.mockRestore();
      return [status, statements.some((text) => text.includes("mobile_app_links_enabled"))];
    };
    expect(await countQueries("https://localhost:3000/mobile/callback")).toEqual([400, true]);
    expect(await countQueries("http://localhost:3000/mobile/callback")).toEqual([400, false]);
    expect(await countQueries("org.elsewhere.app://auth/callback")).toEqual([400, false]);
    expect(await countQueries(appAddress)).toEqual([302, false]);
  });

  it("is rejected without the method S256 and a challenge of 43 characters (R86)", async () => {
    const bad: Record<string, string>[] = [
      { code_challenge_method: "plain" },
      { code_challenge: "x".repeat(42) },
      { code_challenge: "x".repeat(44) },
      { code_challenge: "+".repeat(43) },
      { state: "short" },
      { state: "s".repeat(513) },
    ];
    for (const changes of bad) {
      expect(outcome(await startApp(new CookieBrowser(server), newApp(changes)))).toEqual([
        400,
        null,
      ]);
    }
    for (const name of Object.keys(newApp().query)) {
      const { [name]: _left, ...rest } = newApp().query;
      const answered = await callRoute(
        server,
        `GET /auth/mobile/sso/start?${new URLSearchParams(rest).toString()}`,
      );
      expect([name, answered.status]).toEqual([name, 400]);
    }
    expect(
      (await startApp(new CookieBrowser(server), newApp({ provider: "nowhere" }))).status,
    ).toBe(404);
  });

  it("accepts the site's own https link only while app links are enabled, and assetlinks.json then lists the app", async () => {
    const environment = {
      OIDC_ALLOW_INSECURE: "true",
      APP_LINK_FINGERPRINTS: Array.from({ length: 32 }, () => "ab").join(":"),
    };
    const linked = await startTestServer({ environment, database: server.database });
    const set = (value: boolean) =>
      callRoute(linked, "PUT /admin/settings", {
        headers: admin.headers,
        body: { mobile_app_links_enabled: value },
      });
    const address = "https://localhost:3000/mobile/callback";
    const statement = (at: TestServer) => fetch(`${at.url}/.well-known/assetlinks.json`);
    try {
      expect((await statement(linked)).status).toBe(404);
      await set(true);
      const told = await statement(linked);
      expect([told.status, await told.json()]).toEqual([
        200,
        [
          {
            relation: ["delegate_permission/common.handle_all_urls"],
            target: {
              namespace: "android_app",
              package_name: "org.guildhall.app",
              sha256_cert_fingerprints: [Array.from({ length: 32 }, () => "AB").join(":")],
            },
          },
        ],
      ]);
      expect((await statement(server)).status).toBe(404);
      for (const [given, status] of [
        [address, 302],
        [appAddress, 302],
        [`${address}/`, 400],
        ["http://localhost:3000/mobile/callback", 400],
      ] as const) {
        const begun = await startApp(new CookieBrowser(linked), newApp({ redirect_uri: given }));
        expect([given, begun.status]).toEqual([given, status]);
      }
    } finally {
      await set(false);
      await linked.stop();
    }
    expect(
      (await startApp(new CookieBrowser(server), newApp({ redirect_uri: address }))).status,
    ).toBe(400);
  });

  it("is limited per address and provider, and so is the token exchange", async () => {
    const environment = { ...isolated, RL_MOBILE_START_MAX: "1", RL_MOBILE_EXCHANGE_MAX: "1" };
    const strict = await startTestServer({ environment, database: server.database });
    try {
      const start = async (id: string) =>
        (await startApp(new CookieBrowser(strict), newApp({ provider: id }), fromAfar)).status;
      expect([await start("harbour"), await start("harbour"), await start("other")]).toEqual([
        302, 429, 302,
      ]);
      const body = { code: "x", codeVerifier: "y" };
      const tries = [
        await callRoute(strict, "POST /auth/mobile/sso/exchange", { body, headers: fromAfar }),
        await callRoute(strict, "POST /auth/mobile/sso/exchange", { body, headers: fromAfar }),
      ];
      expect(tries.map(({ status }) => status)).toEqual([400, 429]);
    } finally {
      await strict.stop();
    }
  });

  it("is limited per address across providers, and stores no count for an unknown provider", async () => {
    const environment = { ...isolated, RL_SSO_START_MAX: "3" };
    const strict = await startTestServer({ environment, database: server.database });
    const counted = () => limitKeys(server, "mobileStart:%");
    try {
      const before = await counted();
      const statuses: number[] = [];
      for (const id of ["nowhere", "elsewhere", "google", "harbour"]) {
        const place = { "x-forwarded-for": "192.0.2.78" };
        const begun = await startApp(new CookieBrowser(strict), newApp({ provider: id }), place);
        statuses.push(begun.status);
      }
      expect(statuses).toEqual([404, 404, 404, 429]);
      expect(await counted()).toEqual(before);
    } finally {
      await strict.stop();
    }
  });

  it("rejects a code with a wrong verifier, and then accepts it with the right one (R86, R87)", async () => {
    await linkedUser();
    const app = newApp();
    const code = await appCode(app);
    const { verifier } = app;
    const bad = [{}, { codeVerifier: "" }, { codeVerifier: newApp().verifier }];
    bad.push({ codeVerifier: verifier.slice(0, 42) }, { codeVerifier: `${verifier}x` });
    bad.push({ codeVerifier: app.query["code_challenge"] as string });
    for (const given of bad) {
      expect(logReasons(await exchange({ code, ...given }))).toEqual(invalidGrant);
    }
    for (const given of [1, null, ["x"], { x: 1 }]) {
      expect(logReasons(await exchange({ code, codeVerifier: given }))).toEqual(invalidGrant);
      expect(logReasons(await exchange({ code: given, codeVerifier: verifier }))).toEqual(
        invalidGrant,
      );
    }
    expect(logReasons(await exchange({ code: `${code}x`, codeVerifier: verifier }))).toEqual(
      invalidGrant,
    );
    expect((await exchange({ code, codeVerifier: verifier })).status).toBe(200);
  });

  it("accepts code_verifier as the verifier's name, and rejects both names together", async () => {
    await linkedUser();
    const app = newApp();
    const code = await appCode(app);
    const { verifier } = app;
    const bad: object[] = ["", newApp().verifier, verifier.slice(0, 42), 1, null].map((given) => ({
      code_verifier: given,
    }));
    bad.push({ code_verifier: verifier, codeVerifier: verifier });
    for (const given of bad) {
      expect(logReasons(await exchange({ code, ...given }))).toEqual(invalidGrant);
    }
    expect((await exchange({ code, code_verifier: verifier })).status).toBe(200);
  });

  it("gives tokens once, and revokes them if the code is reused (R88)", async () => {
    const user = await linkedUser();
    const app = newApp();
    const code = await appCode(app);
    const kept = await models().MobileSsoCode.findOne({
      attributes: ["expiresAt", selectReadAt()],
      order: [["expiresAt", "desc"]],
      rejectOnEmpty: true,
    });
    const lives = remainingMs(kept.expiresAt, kept);
    expect(lives).toBeGreaterThanOrEqual(50_000);
    expect(lives).toBeLessThanOrEqual(60_000);
    const body = { code, codeVerifier: app.verifier };
    const first = await exchange(body);
    const { refreshToken } = first.body as { refreshToken: string };
    expect(logReasons(await exchange({ ...body, codeVerifier: newApp().verifier }))).toEqual(
      invalidGrant,
    );
    expect(logReasons(await exchange(body))).toEqual(invalidGrant);
    const refreshed = await callRoute(server, "POST /auth/mobile/refresh", {
      body: { refreshToken },
    });
    expect(refreshed.status).toBe(401);
    const { body: activity } = await callRoute(
      server,
      "GET /admin/activity?action=auth.sso.code_reused",
      {
        headers: admin.headers,
      },
    );
    expect(JSON.stringify(activity)).toContain(`"id":"${user.userId}"`);
  });

  it("opens a device session that ends if a used refresh token is sent late (R91)", async () => {
    await linkedUser();
    const app = newApp();
    const { body } = await exchange({ code: await appCode(app), codeVerifier: app.verifier });
    const { refreshToken: first } = body as { refreshToken: string };
    const graceless = await startTestServer({
      environment: { REFRESH_GRACE: "0s" },
      database: server.database,
    });
    const refresh = (refreshToken: string, at = server) =>
      callRoute(at, "POST /auth/mobile/refresh", { body: { refreshToken } });
    try {
      const { refreshToken: second } = (await refresh(first)).body as { refreshToken: string };
      const { refreshToken: third } = (await refresh(second)).body as { refreshToken: string };
      expect((await refresh(first)).headers.get("x-error-code")).toBe("refresh_token_overtaken");
      expect(logReasons(await refresh(first, graceless))).toEqual([
        401,
        { error: "Invalid refresh token" },
      ]);
      expect((await refresh(third)).status).toBe(401);
    } finally {
      await graceless.stop();
    }
  });

  it("gives tokens to one of thirty simultaneous exchanges", async () => {
    await linkedUser();
    const app = newApp();
    const body = { code: await appCode(app), codeVerifier: app.verifier };
    const answers = await Promise.all(Array.from({ length: 30 }, () => exchange(body)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(answers.filter(({ status }) => status === 400).length).toBe(29);
  });

  it("answers invalid_grant if the code expired or its link, provider or user is not valid (R93)", async () => {
    const enders: ((user: TestUser) => Promise<unknown>)[] = [
      () => models().MobileSsoCode.scope("open").update({ expiresAt: clockNow() }, { where: {} }),
      ({ userId }) => forgetIdentities(userId),
      () => setEnabled("harbour", false),
      ({ userId }) =>
        callRoute(server, `POST /admin/users/${userId}/sessions/revoke`, {
          headers: admin.headers,
        }),
      ({ userId }) =>
        callRoute(server, `PATCH /admin/users/${userId}`, {
          headers: admin.headers,
          body: { disabled: true },
        }),
    ];
    for (const end of enders) {
      const user = await linkedUser();
      const app = newApp();
      const code = await appCode(app);
      await end(user);
      expect(logReasons(await exchange({ code, codeVerifier: app.verifier }))).toEqual(
        invalidGrant,
      );
      await setEnabled("harbour", true);
    }
  });

  it("reports a declined, unlinked or disabled sign-in to the app", async () => {
    const visitor = new CookieBrowser(server);
    const run = async (before: () => unknown) => {
      const begun = await startApp(visitor, newApp());
      visitor.forgetProvider();
      await before();
      const path = await visitor.goToProvider(begun.headers.get("location") ?? "");
      return path;
    };
    const declined = await visitor.open(await run(() => (provider.signsInAs = null)));
    const told = { error: "access_denied", state: "app-state & more" };
    expect(appQuery(declined.headers.get("location"))).toEqual(told);
    const unknown = await visitor.open(await run(() => (provider.signsInAs = newName())));
    expect(appQuery(unknown.headers.get("location"))).toEqual(told);
    const path = await run(() => (provider.signsInAs = newName()));
    for (const change of ["iss=https%3A%2F%2Fevil.example", ""]) {
      const mixed = (await run(() => undefined)).replace(/iss=[^&]+/, change);
      expect(appQuery((await visitor.open(mixed)).headers.get("location"))).toEqual({
        error: "server_error",
        state: "app-state & more",
      });
    }
    await setEnabled("harbour", false);
    try {
      expect(appQuery((await visitor.open(path)).headers.get("location"))).toEqual(told);
    } finally {
      await setEnabled("harbour", true);
    }
  });

  it("asks for the second factor in the browser, does not trust the browser, and returns to the app", async () => {
    const user = await linkedUser(createEnrolledUser(server));
    await forgetSteps(server, user.userId);
    const visitor = new CookieBrowser(server);
    const app = newApp();
    const begun = await startApp(visitor, app);
    const back = await visitor.open(
      await visitor.goToProvider(begun.headers.get("location") ?? ""),
    );
    expect(outcome(back)).toEqual([302, `${site}/login?sso=totp`]);
    const done = await visitor.call("POST /auth/sso/totp", {
      body: { code: codeOf(user.secret), trustDevice: true },
    });
    expect(done.status).toBe(200);
    const { code = "" } = appQuery((done.body as { redirectTo: string }).redirectTo);
    expect([visitor.holds("session"), visitor.holds("gh_td"), visitor.holds("sso_totp")]).toEqual([
      false,
      false,
      false,
    ]);
    const tokens = await exchange({ code, codeVerifier: app.verifier });
    expect(tokens.status).toBe(200);
  });
});

describe("a request with credentials", () => {
  interface Operation {
    readonly description?: string;
    readonly responses: object;
  }
  const describedIn = async (set: string) => {
    const told = await fetch(`${server.url}/api/docs.json?set=${set}`);
    const { paths } = (await told.json()) as {
      paths: Record<string, Record<string, Operation | undefined>>;
    };
    return paths;
  };

  it("is never redirected with its body, because only GET routes redirect, with 302 (R95)", async () => {
    for (const set of ["core", "additive"]) {
      for (const [path, operations] of Object.entries(await describedIn(set))) {
        for (const [method, operation] of Object.entries(operations)) {
          const statuses = Object.keys(operation?.responses ?? {});
          const leading = statuses.filter((status) => /^3(?!04)/.test(status));
          expect([path, method, leading]).toEqual([
            path,
            method,
            method === "get" && leading.length > 0 ? ["302"] : [],
          ]);
        }
      }
    }
    const visitor = new CookieBrowser(server);
    const { cookie, username, password } = await createEnrolledUser(server);
    visitor.hold(cookie);
    const posts: [string, object][] = [
      ["POST /auth/login", { username, password }],
      ["POST /auth/login", { username, password: "wrong password" }],
      ["POST /auth/mobile/login", { username, password }],
      ["POST /auth/login/totp", { code: "000000" }],
      ["POST /auth/sso/totp", { code: "000000" }],
      ["POST /auth/sso/harbour/link", { password }],
      ["POST /auth/mobile/sso/exchange", { code: "x", codeVerifier: "y" }],
      ["POST /auth/mobile/refresh", { refreshToken: "x" }],
    ];
    for (const [route, body] of posts) {
      const { status, headers } = await visitor.call(route, { body });
      expect([route, Math.floor(status / 100) === 3, headers.get("location")]).toEqual([
        route,
        false,
        null,
      ]);
    }
  });

  it("may sign in by password only from the site's own app, as the API's description says (R94)", async () => {
    const paths = await describedIn("core");
    expect(paths["/api/v1/auth/mobile/login"]?.["post"]?.description).toContain(
      "Only the site's own app may use this operation",
    );
  });
});

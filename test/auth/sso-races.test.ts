import { createHash, randomBytes } from "node:crypto";

import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { addProvider } from "../provider/add-provider.ts";
import { HostileProvider } from "../provider/hostile-provider.ts";
import { IdentityProvider } from "../provider/identity-provider.ts";
import { CookieBrowser } from "../provider/visitor.ts";
import { isSignedInEach } from "../support/accounts/is-signed-in.ts";
import {
  codeOf,
  createEnrolledUser,
  forgetSteps,
  wrongCodeOf,
} from "../support/accounts/second-factor.ts";
import { createTestUser, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { activityOf } from "../support/factories/site.ts";
import { changeUser } from "../support/factories/users.ts";
import { callRoute } from "../support/http/call.ts";
import type { RacedAnswer } from "../support/races/at-once.ts";
import {
  countStatuses,
  repeatRace,
  type Race,
  RaceServers,
  makeList,
} from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const site = "http://localhost:3000";
const callbackOf = (id: string) => `${site}/api/v1/auth/sso/${id}/callback`;
const environment = {
  ...unlimited,
  OIDC_ALLOW_INSECURE: "true",
  PUBLIC_BASE_URL: site,
  RL_SSO_START_MAX: "100000",
  RL_MOBILE_START_MAX: "100000",
  RL_MOBILE_EXCHANGE_MAX: "100000",
};

let provider: IdentityProvider;
let slow: HostileProvider;
/** Inserts and reads rows. The racing requests go to two other processes. */
let server: TestServer;
let track: RaceServers;
let admin: SignedIn;

beforeAll(async () => {
  provider = await IdentityProvider.start({
    callbackUrls: ["harbour", "other"].map(callbackOf),
  });
  slow = await HostileProvider.start();
  server = await startTestServer({ environment });
  track = await RaceServers.start(server.database, environment);
  admin = await signIn(server, { role: "admin" });
  for (const id of ["harbour", "other"]) await addProvider(server, admin, id, provider);
});
afterAll(async () => {
  await track?.stop();
  await server?.stop();
  await slow?.stop();
  await provider?.stop();
});

let count = 0;
const newAccount = () => `account-${++count}`;

const link = (userId: number, subject: string, providerId = "harbour") =>
  server.context.models.Identity.create({
    userId,
    providerId,
    providerName: "Provider",
    issuer: providerId === "slow" ? slow.issuer : provider.issuer,
    subject,
  });

const providersOf = async (userId: number): Promise<string[]> => {
  const found = await server.context.models.Identity.findAll({ where: { userId } });
  return found.map(({ providerId }) => providerId).toSorted();
};

/**
 * Returns the callback request that a browser sends after it has signed in at the provider as
 * `account`.
 */
async function callbackRequest(
  visitor: CookieBrowser,
  location: string | null,
  account: string,
): Promise<Race> {
  provider.signsInAs = account;
  visitor.forgetProvider();
  return openingOf(visitor, await visitor.goToProvider(location ?? ""));
}

const openingOf = (visitor: CookieBrowser, path: string): Race => ({
  route: `GET ${path.slice("/api/v1".length)}`,
  headers: { cookie: visitor.cookie },
});

async function signInReturn(account: string, id = "harbour"): Promise<Race> {
  const visitor = new CookieBrowser(server);
  const begun = await visitor.call(`GET /auth/sso/${id}/start`);
  return callbackRequest(visitor, begun.headers.get("location"), account);
}

async function beginLink({ cookie }: SignedIn, id = "harbour") {
  const visitor = new CookieBrowser(server);
  visitor.hold(cookie);
  const begun = await visitor.call(`POST /auth/sso/${id}/link`, { body: {} });
  return { visitor, location: (begun.body as { redirectTo: string }).redirectTo };
}

async function linkReturn(user: SignedIn, account: string, id = "harbour"): Promise<Race> {
  const { visitor, location } = await beginLink(user, id);
  return callbackRequest(visitor, location, account);
}

const codeVerifier = randomBytes(32).toString("base64url");

async function beginApp(id = "harbour") {
  const visitor = new CookieBrowser(server);
  const asked = new URLSearchParams({
    provider: id,
    redirect_uri: "org.guildhall.app://auth/callback",
    state: "the state of the app",
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const begun = await visitor.call(`GET /auth/mobile/sso/start?${asked.toString()}`);
  return { visitor, location: begun.headers.get("location") };
}

async function appReturn(account: string): Promise<Race> {
  const { visitor, location } = await beginApp();
  return callbackRequest(visitor, location, account);
}

const queryValueIn = ({ location }: Pick<RacedAnswer, "location">, name: string) =>
  location === null ? null : new URL(location).searchParams.get(name);

/** Returns the error in an answer, or "code" if the answer carries a code, or else the answer's location. */
const redirectOf = (answer: RacedAnswer): string =>
  queryValueIn(answer, "error") ??
  (queryValueIn(answer, "code") === null ? (answer.location ?? "") : "code");

/** Exchanges the codes of these answers. Returns the answers that contain tokens. */
async function exchangeCodes(answers: readonly RacedAnswer[]): Promise<RacedAnswer[]> {
  const codes = answers
    .map((answer) => queryValueIn(answer, "code"))
    .filter((code) => code !== null);
  return (await track.run(codes.map(exchange))).filter(({ status }) => status !== 400);
}

const exchange = (code: string | null): Race => ({
  route: "POST /auth/mobile/sso/exchange",
  body: { code, codeVerifier },
});

/** Completes a sign-in and returns the app's code. */
async function appCode(account: string): Promise<string> {
  const [answered] = await track.run([await appReturn(account)]);
  return queryValueIn(answered as RacedAnswer, "code") ?? "";
}

/** Signs in up to the second factor. @returns the cookie of the challenge */
async function challengeOf(account: string): Promise<string> {
  const [answered] = await track.run([await signInReturn(account)]);
  return answered?.cookies.find((pair) => pair.startsWith("sso_totp=")) ?? "";
}

const complete = (cookie: string, code: string): Race => ({
  route: "POST /auth/sso/totp",
  headers: { cookie },
  body: { code },
});

const unlink = ({ headers }: SignedIn, id: string): Race => ({
  route: `DELETE /auth/me/account/identities/${id}`,
  headers,
});

const locations = (answers: readonly RacedAnswer[]) => answers.map(({ location }) => location);

/** Returns true if the session in an answer is valid. Both processes must give the same answer. */
const hasValidSession = async ({ cookies }: RacedAnswer): Promise<boolean> => {
  const cookie = cookies.find((pair) => pair.startsWith("session=")) ?? "";
  return isSignedInEach(track, { cookie });
};

const lastActionOf = async (userId: number) =>
  (await activityOf(server, { targetId: String(userId) }, ["action"])).at(-1)?.action;

describe("one callback from a provider, opened thirty times in two processes", () => {
  it(
    "signs in once, links once and gives the app one code",
    repeatRace(async () => {
      const [account, user] = [newAccount(), await signIn(server)];
      const ways = [
        [await linkReturn(user, account), `${site}/account?linked=harbour`],
        [await signInReturn(account), `${site}/`],
        [
          await appReturn(account),
          expect.stringMatching(/^org.guildhall.app:.*[?]code=[\w-]{43}&/),
        ],
      ] as const;
      for (const [opening, landing] of ways) {
        const answers = await track.run(makeList(30, () => opening));
        expect(countStatuses(answers)).toEqual({ 302: 1, 400: 29 });
        expect(locations(answers).filter((location) => location !== null)).toEqual([landing]);
      }
      expect(await providersOf(user.userId)).toEqual(["harbour"]);
    }),
  );
});

describe("simultaneous links", () => {
  it(
    "give one account at a provider to one of ten users",
    repeatRace(async () => {
      const account = newAccount();
      const users = await Promise.all(makeList(10, () => signIn(server)));
      const returns: Race[] = [];
      for (const user of users) returns.push(await linkReturn(user, account));
      const told = (await track.run(returns)).map((answer) => queryValueIn(answer, "error"));
      expect(told.filter((error) => error === "sso_already_linked")).toHaveLength(9);
      const owner = users[told.indexOf(null)];
      const rows = await server.context.models.Identity.findAll({ where: { subject: account } });
      expect(rows.map(({ userId }) => userId)).toEqual([owner?.userId]);
    }, 4),
  );

  it(
    "give one user one of ten accounts at a provider",
    repeatRace(async () => {
      const user = await signIn(server);
      const returns: Race[] = [];
      const accounts = makeList(10, newAccount);
      for (const account of accounts) returns.push(await linkReturn(user, account));
      const told = (await track.run(returns)).map((answer) => queryValueIn(answer, "error"));
      expect(told.filter((error) => error === "sso_already_linked")).toHaveLength(9);
      const where = { userId: user.userId };
      const rows = await server.context.models.Identity.findAll({ where });
      expect(rows.map(({ subject }) => subject)).toEqual([accounts[told.indexOf(null)]]);
    }),
  );
});

describe("a user without a password who unlinks both accounts at once", () => {
  it(
    "keeps one of the two linked accounts",
    repeatRace(async () => {
      const user = await signIn(server);
      for (const id of ["harbour", "other"]) await link(user.userId, newAccount(), id);
      await changeUser(server, user.userId, { passwordHash: null });
      const asks = makeList(10, (index) => unlink(user, index % 4 < 2 ? "harbour" : "other"));
      const { 200: unlinked, ...refused } = countStatuses(await track.run(asks));
      expect(unlinked).toBe(1);
      expect(Object.keys(refused).every((status) => /^(404|409)$/.test(status))).toBe(true);
      expect(await providersOf(user.userId)).toHaveLength(1);
    }, 8),
  );
});

describe("a provider account that is unlinked during sign-ins with it", () => {
  it(
    "admits no sign-in afterward, and codes that apps already received are rejected",
    repeatRace(async () => {
      const [account, user] = [newAccount(), await signIn(server)];
      await link(user.userId, account);
      const code = await appCode(account);
      const signIns = [await signInReturn(account), await signInReturn(account)];
      const apps = [await appReturn(account), await appReturn(account)];
      const late = await signInReturn(account);
      const [unlinked, exchanged, ...returns] = await track.run([
        unlink(user, "harbour"),
        exchange(code),
        ...signIns,
        ...apps,
      ]);
      expect(unlinked?.status).toBe(200);
      expect([200, 400]).toContain(exchanged?.status);
      const landings = [`${site}/`, "sso_not_linked", "access_denied", "code"];
      expect(returns.map(redirectOf).filter((landing) => !landings.includes(landing))).toEqual([]);
      expect(await providersOf(user.userId)).toEqual([]);
      expect(await exchangeCodes(returns)).toEqual([]);
      expect(await lastActionOf(user.userId)).toBe("auth.sso.unlinked");
      const [last] = await track.run([late]);
      expect(last?.location).toBe(`${site}/login?error=sso_not_linked`);
    }, 4),
  );

  it(
    "ends sign-ins that still wait for the second factor",
    repeatRace(async () => {
      const [account, user] = [newAccount(), await createEnrolledUser(server)];
      await link(user.userId, account);
      await forgetSteps(server, user.userId);
      const [one, two] = [await challengeOf(account), await challengeOf(account)];
      const code = codeOf(user.secret);
      const [unlinked, completed] = await track.run([unlink(user, "harbour"), complete(one, code)]);
      expect(unlinked?.status).toBe(200);
      expect([200, 401]).toContain(completed?.status);
      expect(await lastActionOf(user.userId)).not.toBe("auth.login.success");
      await forgetSteps(server, user.userId);
      expect(countStatuses(await track.run([complete(two, code)]))).toEqual({ 401: 1 });
    }, 4),
  );
});

describe("one code of the app, exchanged thirty times in two processes", () => {
  it(
    "gives tokens once, which are revoked because the code is reused (R88)",
    repeatRace(async () => {
      const [account, user] = [newAccount(), await createTestUser(server)];
      await link(user.userId, account);
      const code = await appCode(account);
      const answers = await track.run(makeList(30, () => exchange(code)));
      expect(countStatuses(answers)).toEqual({ 200: 1, 400: 29 });
      const { body } = answers.find(({ status }) => status === 200) as RacedAnswer;
      const { accessToken, refreshToken } = body as Record<string, string>;
      const headers = { authorization: `Bearer ${accessToken}` };
      expect(countStatuses(await track.inEach({ route: "GET /auth/me", headers }))).toEqual({
        401: 2,
      });
      const refresh = { route: "POST /auth/mobile/refresh", body: { refreshToken } };
      expect(countStatuses(await track.inEach(refresh))).toEqual({ 401: 2 });
    }),
  );
});

describe("the second step of a sign-in at a provider, sent thirty times in two processes", () => {
  const enrolled = async () => {
    const [account, user] = [newAccount(), await createEnrolledUser(server)];
    await link(user.userId, account);
    await forgetSteps(server, user.userId);
    return { ...user, account };
  };

  it(
    "counts five wrong codes, and then rejects the correct one",
    repeatRace(async () => {
      const { account, secret, userId } = await enrolled();
      const challenge = await challengeOf(account);
      const answers = await track.run(makeList(30, () => complete(challenge, wrongCodeOf(secret))));
      expect(countStatuses(answers)).toEqual({ 401: 30 });
      const user = await server.context.models.User.findByPk(userId);
      expect(user?.totpFailCount).toBe(5);
      const [right] = await track.run([complete(challenge, codeOf(secret))]);
      expect([right?.status, right?.body]).toEqual([401, { error: "Invalid code" }]);
    }),
  );

  it(
    "admits one request with a correct code",
    repeatRace(async () => {
      const { account, secret } = await enrolled();
      const challenge = await challengeOf(account);
      const answers = await track.run(makeList(30, () => complete(challenge, codeOf(secret))));
      expect(countStatuses(answers)).toEqual({ 200: 1, 401: 29 });
      expect(
        await hasValidSession(answers.find(({ status }) => status === 200) as RacedAnswer),
      ).toBe(true);
    }),
  );
});

describe("a provider that is disabled or deleted during a request to it", () => {
  /**
   * Holds the provider's answer.
   * @returns `asked`, which resolves when the provider gets the request, and `tell`, which sends
   * the answer
   */
  function delayAnswer() {
    let tell = () => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      slow.token = (right) => (response) => {
        resolve();
        void told.then(() => response.end(JSON.stringify(right)));
      };
    });
    return { asked, tell };
  }

  const enders = {
    "switched off": { route: "PUT /admin/auth/providers/slow", body: { enabled: false } },
    deleted: { route: "DELETE /admin/auth/providers/slow", body: {} },
  };

  it.each(Object.entries(enders))(
    "signs in nobody, links nothing and gives no code: %s",
    async (_, end) => {
      await addProvider(server, admin, "slow", slow);
      const [user, linker] = [await createTestUser(server), await signIn(server)];
      await link(user.userId, "robin", "slow");
      const begun = new CookieBrowser(server);
      const toSlow = (await begun.call("GET /auth/sso/slow/start")).headers.get("location");
      const ways = [
        { visitor: begun, location: toSlow },
        await beginLink(linker, "slow"),
        await beginApp("slow"),
      ];
      const landings: unknown[] = [];
      for (const { visitor, location } of ways) {
        slow.behave();
        const { asked, tell } = delayAnswer();
        const answer = track.run([openingOf(visitor, slow.comeBack(location ?? ""))]);
        await asked;
        const { route, body } = end;
        const ended = await callRoute(server, route, { headers: admin.headers, body });
        expect(ended.status).toBe(200);
        tell();
        const [landed] = await answer;
        landings.push([landed?.status, landed && queryValueIn(landed, "error"), landed?.cookies]);
        if (route.startsWith("PUT")) {
          const on = { headers: admin.headers, body: { enabled: true } };
          await callRoute(server, route, on);
        } else await addProvider(server, admin, "slow", slow);
      }
      expect(landings).toEqual([
        [404, null, []],
        [404, null, []],
        [302, "access_denied", []],
      ]);
      expect(await providersOf(linker.userId)).toEqual([]);
      const { models } = server.context;
      await models.Identity.destroy({ where: { userId: user.userId } });
      await models.AuthProvider.destroy({ where: { id: "slow" } });
    },
  );

  it(
    "has no sign-in recorded after it is disabled, at any step",
    repeatRace(async () => {
      const [account, user] = [newAccount(), await createEnrolledUser(server)];
      await link(user.userId, account);
      const plain = await createTestUser(server);
      const plainAccount = newAccount();
      await link(plain.userId, plainAccount);
      await forgetSteps(server, user.userId);
      const challenge = await challengeOf(account);
      const code = await appCode(plainAccount);
      const returns = [await signInReturn(plainAccount), await signInReturn(plainAccount)];
      const put = (enabled: boolean): Race => ({
        route: "PUT /admin/auth/providers/harbour",
        headers: admin.headers,
        body: { enabled },
      });
      const [off, ...others] = await track.run([
        put(false),
        complete(challenge, codeOf(user.secret)),
        exchange(code),
        ...returns,
      ]);
      expect(off?.status).toBe(200);
      for (const { status } of others) expect([200, 302, 400, 401, 404]).toContain(status);
      const { ActivityEntry } = server.context.models;
      const ended = await ActivityEntry.max("id", { where: { action: "provider.updated" } });
      const targetId = [String(user.userId), String(plain.userId)];
      const late = { action: "auth.login.success", targetId, id: { [Op.gt]: ended } };
      expect(await ActivityEntry.count({ where: late })).toBe(0);
      await track.run([put(true)]);
    }, 4),
  );
});

describe("an account that is deleted while its user comes back from a provider", () => {
  it(
    "leaves no link, session, code or device of the user",
    repeatRace(async () => {
      const [account, user] = [newAccount(), await signIn(server)];
      await link(user.userId, account);
      const code = await appCode(account);
      const linking = await linkReturn(user, newAccount(), "other");
      const signIns = [await signInReturn(account), await signInReturn(account)];
      const app = await appReturn(account);
      const leave = { route: "DELETE /auth/me/account", headers: user.headers };
      const [left, linked, exchanged, fromApp, ...signedIn] = await track.run([
        leave,
        linking,
        exchange(code),
        app,
        ...signIns,
      ]);
      expect([left?.status, left?.body]).toEqual([200, { id: user.userId }]);
      expect(["harbour", "other", null]).toContain(linked && queryValueIn(linked, "linked"));
      expect([null, "sso_wrong_session"]).toContain(linked && queryValueIn(linked, "error"));
      expect([200, 400]).toContain(exchanged?.status);
      expect(await exchangeCodes([fromApp as RacedAnswer])).toEqual([]);
      for (const answer of signedIn) expect(await hasValidSession(answer)).toBe(false);
      const { Identity, MobileFamily, MobileSsoCode, User } = server.context.models;
      const where = { userId: user.userId };
      expect([
        await Identity.count({ where }),
        await MobileFamily.count({ where }),
        await MobileSsoCode.count({ where }),
      ]).toEqual([0, 0, 0]);
      expect(await User.findByPk(user.userId)).toBeNull();
    }, 4),
  );
});

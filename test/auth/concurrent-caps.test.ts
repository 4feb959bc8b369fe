import { randomInt } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNow } from "../../models/queries/clock.ts";
import { addressKey } from "../../shared/platform/net/networks.ts";
import { headersFromAddress, newAddress } from "../support/accounts/addresses.ts";
import { forgetLimit } from "../support/accounts/rate-limits.ts";
import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  forgetSteps,
  wrongCodeOf,
  wrongCodesOf,
} from "../support/accounts/second-factor.ts";
import { createTestUser, signIn, type TestUser } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { storeSetting } from "../support/factories/site.ts";
import { changeReputation, reputationOf } from "../support/factories/users.ts";
import { callRoute } from "../support/http/call.ts";
import type { RacedAnswer } from "../support/races/at-once.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import {
  countStatuses,
  repeatRace,
  type Race,
  RaceServers,
  makeList,
  successfulAnswersOf,
} from "../support/races/race.ts";
import type { TestServer } from "../support/service/server.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

/** The caps of the tests. They are the defaults, except caps that would refuse before the tested cap. */
const caps = {
  TRUST_PROXY: "loopback",
  DATABASE_POOL: "10",
  RL_LOGIN_FAILED_MAX: "10",
  RL_LOGIN_TOTAL_MAX: "30",
  RL_LOGIN_PAIR_MAX: "8",
  RL_REGISTER_MAX: "10",
  RL_FORGOT_MAX: "5",
  RL_RESET_MAIL_MAX: "3",
  RL_RESET_MAX: "10",
  RL_INVITE_MAX: "20",
  RL_REFRESH_MAX: "20",
  RL_REFRESH_FAMILY_MAX: "6",
  RL_USER_CHANGE_MAX: "10",
  RL_LINK_CODE_MAX: "10",
  RL_LINK_CODE_IP_MAX: "20",
  RL_GAME_ACCOUNT_MAX: "3",
  RL_GAME_ACCOUNT_TRY_MAX: "25",
  RL_SSO_START_MAX: "12",
  RL_MOBILE_EXCHANGE_MAX: "8",
  RL_MARKET_SAVE_MAX: "10",
  RL_PUSH_TEST_MAX: "10",
  RL_WEBHOOK_TEST_MAX: "10",
  // No address can reach this score, so no address is banned.
  BOT_BAN_SCORE: "1000000",
  // Nothing listens at this address: the API queues mail, and no worker sends it.
  SMTP_URL: "smtp://127.0.0.1:9",
  MAIL_FROM: "site@example.org",
};

let shard: LinkedShard;
let server: TestServer;
let track: RaceServers;
beforeAll(async () => {
  shard = await startLinkedShard({ server: { environment: caps } });
  ({ server } = shard);
  track = await RaceServers.start(server.database, caps);
});
afterAll(async () => {
  await track.stop();
  await shard.stop();
});

type Headers = Readonly<Record<string, string>>;

/** Signs a user in. All users share one address, so reset its sign-in count first. */
async function signInAgain<T>(enter: (on: TestServer) => Promise<T>): Promise<T> {
  await forgetLimit(server, "loginTotal");
  return enter(server);
}

/** Sends thirty requests at once, alternating between two processes. */
const sendThirty = (make: (index: number) => Race): Promise<RacedAnswer[]> =>
  track.run(makeList(30, make));

const tooMany = { error: "Too many requests" };
const refusals = (answers: readonly RacedAnswer[]) =>
  answers.filter(({ status }) => status === 429).map(({ body }) => body);

const login = (headers: Headers, body: object): Race => ({
  route: "POST /auth/login",
  headers,
  body,
});
const wrong = "not this one";

describe.each(["POST /auth/login", "POST /auth/mobile/login"])(
  "the correct password among thirty simultaneous guesses at %s",
  (route) => {
    /**
     * Sends enough wrong guesses to fill the cap. While the guesses wait for their results, sends the correct
     * password in both processes.
     */
    async function guess(wrongOnes: readonly string[], user: TestUser): Promise<RacedAnswer[][]> {
      const address = newAddress();
      const headers = headersFromAddress(address);
      const right = { ...login(headers, user), route };
      const held = await server.context.sequelize.transaction();
      // A failure is written to the log before it counts, so the lock on the log delays its count.
      await server.context.sequelize.query("lock table activity_log in share mode", {
        transaction: held,
      });
      const guesses = track.run(
        wrongOnes.map((username) => ({ ...login(headers, { username, password: wrong }), route })),
      );
      await waitUntilLockWaits(server, wrongOnes.length);
      const late = track.run(makeList(30 - wrongOnes.length, () => right));
      await waitUntil("all have come", async () => {
        const { uses } = await server.context.rateLimits.readUses(
          "loginTotal",
          addressKey(address),
        );
        return uses === 30;
      });
      await held.commit();
      return Promise.all([guesses, late]);
    }

    it(
      "is rejected once the address has used up its allowed failures",
      repeatRace(async () => {
        const user = await createTestUser(server);
        const names = makeList(10, (index) => `nobody-${index}`);
        const [failed = [], late = []] = await guess(names, user);
        expect(countStatuses(failed)).toEqual({ 401: 10 });
        expect(countStatuses(late)).toEqual({ 429: 20 });
      }),
    );

    it(
      "is rejected once the address has used up its allowed failures for the name",
      repeatRace(async () => {
        const user = await createTestUser(server);
        const [failed = [], late = []] = await guess(
          makeList(8, () => user.username),
          user,
        );
        expect(countStatuses(failed)).toEqual({ 401: 8 });
        expect(countStatuses(late)).toEqual({ 429: 22 });
      }),
    );
  },
);

describe.each(["POST /auth/login", "POST /auth/mobile/login"])(
  "thirty simultaneous wrong passwords at %s",
  (route) => {
    it(
      "get ten 401 answers if they come from one address, and the address is blocked once",
      repeatRace(async () => {
        const address = newAddress();
        const answers = await sendThirty((index) => ({
          ...login(headersFromAddress(address), { username: `nobody-${index}`, password: wrong }),
          route,
        }));
        expect(countStatuses(answers)).toEqual({ 401: 10, 429: 20 });
        expect(refusals(answers)).toEqual(makeList(20, () => tooMany));
        expect((await reputationOf(server, address))?.loginStrikes).toBe(1);
        // End the block. The address then has its full limit again.
        await changeReputation(server, address, { loginBlockedUntil: clockNow() });
        const again = await sendThirty((index) => ({
          ...login(headersFromAddress(address), { username: `nobody-${index}`, password: wrong }),
          route,
        }));
        expect(countStatuses(again)).toEqual({ 401: 10, 429: 20 });
      }),
    );

    it(
      "get eight 401 answers if they try one name from one address, and other users can sign in there",
      repeatRace(async () => {
        const [guessed, friend] = [await createTestUser(server), await createTestUser(server)];
        const address = newAddress();
        const body = { username: guessed.username, password: wrong };
        const answers = await sendThirty(() => ({
          ...login(headersFromAddress(address), body),
          route,
        }));
        expect(countStatuses(answers)).toEqual({ 401: 8, 429: 22 });
        const [other] = await track.run([login(headersFromAddress(address), friend)]);
        expect(other?.status).toBe(200);
        const [elsewhere] = await track.run([login(headersFromAddress(), guessed)]);
        expect(elsewhere?.status).toBe(200);
      }),
    );
  },
);

describe("thirty simultaneous correct passwords", () => {
  const failuresLeft = async (address: string, user?: TestUser) => {
    // Reset the limit of all sign-ins, so that only the limit of failures applies.
    await forgetLimit(server, "loginTotal");
    const body = (index: number) =>
      user
        ? { username: user.username, password: wrong }
        : { username: `nobody-${index}`, password: wrong };
    return countStatuses(
      await sendThirty((index) => login(headersFromAddress(address), body(index))),
    )[401];
  };

  it(
    "all succeed for different users at one address, and are not counted as failures of the address",
    repeatRace(async () => {
      const users: TestUser[] = [];
      for (let made = 0; made < 30; made += 1) users.push(await createTestUser(server));
      const address = newAddress();
      const answers = await sendThirty((index) =>
        login(headersFromAddress(address), users[index] as TestUser),
      );
      expect(countStatuses(answers)).toEqual({ 200: 30 });
      expect(await failuresLeft(address)).toBe(10);
    }),
  );

  it(
    "all succeed for one user at one address, and are not counted as failures of the user at that address",
    repeatRace(async () => {
      const user = await createTestUser(server);
      const address = newAddress();
      const answers = await sendThirty(() => login(headersFromAddress(address), user));
      expect(countStatuses(answers)).toEqual({ 200: 30 });
      expect(await failuresLeft(address, user)).toBe(8);
    }),
  );

  it(
    "do not raise the limit of ten failures if half of them are replaced with wrong passwords",
    repeatRace(async () => {
      const user = await createTestUser(server);
      const address = newAddress();
      const answers = await sendThirty((index) =>
        login(
          headersFromAddress(address),
          index % 2 ? user : { username: `nobody-${index}`, password: wrong },
        ),
      );
      const { 200: right = 0, 401: failed = 0, 429: refused = 0 } = countStatuses(answers);
      expect(failed).toBe(10);
      expect(right + refused).toBe(20);
    }),
  );

  it(
    "are not counted as failures if the sign-in still needs a second factor",
    repeatRace(async () => {
      const user = await signInAgain(createEnrolledUser);
      const address = newAddress();
      const answers = await sendThirty((index) => ({
        ...login(headersFromAddress(address), { username: user.username, password: user.password }),
        route: index % 4 < 2 ? "POST /auth/login" : "POST /auth/mobile/login",
      }));
      expect(countStatuses(answers)).toEqual({ 200: 16, 401: 14 });
      expect(await failuresLeft(address)).toBe(10);
    }),
  );
});

describe("thirty simultaneous wrong second factors", () => {
  const stateOf = async (userId: number) => {
    const { failures, lockedMs } = await wrongCodesOf(server, userId);
    const locked = { action: "auth.totp.locked", targetId: String(userId) };
    const locks = await server.context.models.ActivityEntry.count({ where: locked });
    return { failures, locked: lockedMs !== null && lockedMs > 0, locks };
  };
  type FactorOf = (user: { secret: string }) => object;
  const factors: Readonly<Record<string, FactorOf>> = {
    "codes of the app": (user) => ({ code: wrongCodeOf(user.secret) }),
    "recovery codes": () => ({ recoveryCode: "AA-00000-00000" }),
  };

  it.each(Object.entries(factors))(
    "use up one challenge after five failures: %s",
    repeatRace(async (_round, _kind: string, factorOf: FactorOf) => {
      const user = await signInAgain(createEnrolledUser);
      const challenge = await requestChallenge(server, user, headersFromAddress());
      const body = { challenge, ...factorOf(user) };
      const send = () => ({ route: "POST /auth/login/totp", headers: headersFromAddress(), body });
      expect(countStatuses(await sendThirty(send))).toEqual({ 401: 30 });
      expect(await stateOf(user.userId)).toEqual({ failures: 5, locked: false, locks: 0 });
      await forgetSteps(server, user.userId);
      const right = { challenge, code: codeOf(user.secret) };
      const [late] = await track.run([{ ...send(), body: right }]);
      expect([late?.status, late?.body]).toEqual([401, { error: "Invalid code" }]);
    }),
  );

  it.each(Object.entries(factors))(
    "lock one account once, after ten failures: %s",
    repeatRace(async (_round, _kind: string, factorOf: FactorOf) => {
      const user = await signInAgain(createEnrolledUser);
      const { username, password } = user;
      const answers = await sendThirty(() => ({
        route: "POST /auth/mobile/login",
        headers: headersFromAddress(),
        body: { username, password, ...factorOf(user) },
      }));
      expect(countStatuses(answers)).toEqual({ 401: 30 });
      expect(await stateOf(user.userId)).toEqual({ failures: 10, locked: true, locks: 1 });
      await forgetSteps(server, user.userId);
      const body = { username, password, code: codeOf(user.secret) };
      const [late] = await track.run([
        { route: "POST /auth/mobile/login", headers: headersFromAddress(), body },
      ]);
      expect([late?.status, late?.body]).toEqual([401, { error: "Invalid code" }]);
    }),
  );

  it(
    "get ten 401 answers if they come from one address",
    repeatRace(async () => {
      const user = await signInAgain(createEnrolledUser);
      const headers = headersFromAddress();
      const { username, password } = user;
      const body = { username, password, code: wrongCodeOf(user.secret) };
      const answers = await sendThirty(() => ({ route: "POST /auth/mobile/login", headers, body }));
      expect(countStatuses(answers)).toEqual({ 401: 10, 429: 20 });
    }),
  );
});

describe("thirty simultaneous requests to a limited route", () => {
  beforeAll(async () => {
    for (const name of ["registration_enabled", "game_account_signup"]) {
      await storeSetting(server, name, true);
    }
  });

  const anonymous: readonly [string, string, object, Record<number, number>][] = [
    [
      "use of a reset link",
      "POST /auth/password/reset/none",
      { password: wrong },
      { 404: 10, 429: 20 },
    ],
    ["view of a reset link", "GET /auth/password/reset/none", {}, { 404: 10, 429: 20 }],
    ["view of an invitation", "GET /auth/invite/none", {}, { 404: 20, 429: 10 }],
    ["use of an invitation", "POST /auth/invite/none/accept", {}, { 404: 20, 429: 10 }],
    [
      "requests for a reset link",
      "POST /auth/password/forgot",
      { email: "x" },
      { 200: 5, 429: 25 },
    ],
    ["sign-ins at a provider", "GET /auth/sso/none/start", {}, { 404: 12, 429: 18 }],
    [
      "exchanges of a code",
      "POST /auth/mobile/sso/exchange",
      { code: "none", codeVerifier: "v".repeat(43) },
      { 400: 8, 429: 22 },
    ],
    ["refreshes", "POST /auth/mobile/refresh", { refreshToken: "none" }, { 401: 20, 429: 10 }],
    [
      "registrations",
      "POST /auth/register",
      { username: "x", password: wrong },
      { 400: 10, 429: 20 },
    ],
  ];

  it.each(anonymous)(
    "are admitted up to the limit of their address: %s",
    repeatRace(
      async (_round, ...[, route, body, due]: [string, string, object, Record<number, number>]) => {
        const headers = headersFromAddress();
        const answers = await sendThirty(() => ({ route, headers, body }));
        expect(countStatuses(answers)).toEqual(due);
        expect(new Set(refusals(answers).map((refused) => JSON.stringify(refused)))).toEqual(
          new Set([JSON.stringify(tooMany)]),
        );
        expect(countStatuses(await track.inEach({ route, headers, body }))).toEqual({ 429: 2 });
      },
    ),
  );

  it(
    "get the same answer and cause three mails if they name one e-mail address",
    repeatRace(async () => {
      const email = `many-${randomInt(1e9)}@example.org`;
      const answers = await sendThirty(() => ({
        route: "POST /auth/password/forgot",
        headers: headersFromAddress(),
        body: { email },
      }));
      expect(countStatuses(answers)).toEqual({ 200: 30 });
      expect(await jobsOf(server, "auth.order-reset-mails", { email })).toHaveLength(3);
    }),
  );

  it(
    "refresh the tokens of one device at most six times",
    repeatRace(async () => {
      const { username, password } = await createTestUser(server);
      const headers = headersFromAddress();
      const body = { username, password };
      const signedIn = await callRoute(server, "POST /auth/mobile/login", { headers, body });
      const { refreshToken } = signedIn.body as { refreshToken: string };
      const answers = await sendThirty(() => ({
        route: "POST /auth/mobile/refresh",
        headers: headersFromAddress(),
        body: { refreshToken },
      }));
      expect(countStatuses(answers)).toEqual({ 200: 6, 429: 24 });
      const successors = successfulAnswersOf(answers).map(({ body: pair }) => refreshTokenOf(pair));
      expect(new Set(successors).size).toBe(1);
      // The access token of the new pair is valid.
      const [won] = successfulAnswersOf(answers);
      const { accessToken } = (won as RacedAnswer).body as { accessToken: string };
      const asked = { authorization: `Bearer ${accessToken}`, ...headersFromAddress() };
      const me = { route: "GET /auth/me", headers: asked };
      expect(countStatuses(await track.inEach(me))).toEqual({ 200: 2 });
    }),
  );

  const refreshTokenOf = (pair: unknown): unknown =>
    (pair as { refreshToken: string }).refreshToken;

  const account = "/auth/me/account";
  const changes: readonly [string, string, object, number][] = [
    ["user names", `PATCH ${account}/username`, { username: "x" }, 400],
    [
      "passwords, with a wrong current password",
      `PATCH ${account}/password`,
      { currentPassword: wrong, newPassword: "a brand new password" },
      403,
    ],
    [
      "set-ups of a second factor, with a wrong password",
      `POST ${account}/totp/setup`,
      { password: wrong },
      403,
    ],
    ["recovery codes", "POST /auth/me/recovery-codes/regenerate", { password: wrong }, 403],
    ["searches of the market", "POST /player/market/searches", {}, 400],
    ["test messages to a device", "POST /auth/me/devices/999/test", {}, 404],
    [
      "attempts to disable a second factor",
      `POST ${account}/totp/disable`,
      { code: "000000" },
      409,
    ],
  ];

  it.each(changes)(
    "are admitted ten times for one user at different addresses: %s",
    repeatRace(async (_round, ...[, route, body, status]: [string, string, object, number]) => {
      const { cookie } = await signInAgain(signIn);
      const answers = await sendThirty(() => ({
        route,
        headers: { cookie, ...headersFromAddress() },
        body,
      }));
      expect(countStatuses(answers)).toEqual({ [status]: 10, 429: 20 });
      const again = { route, headers: { cookie, ...headersFromAddress() }, body };
      expect(countStatuses(await track.inEach(again))).toEqual({ 429: 2 });
    }),
  );

  it(
    "test webhooks at most ten times for one administrator at different addresses",
    repeatRace(async () => {
      const { cookie } = await signInAgain((of) => signIn(of, { role: "admin" }));
      const answers = await sendThirty(() => ({
        route: "POST /admin/webhooks/999/test",
        headers: { cookie, ...headersFromAddress() },
      }));
      expect(countStatuses(answers)).toEqual({ 404: 10, 429: 20 });
    }),
  );

  it(
    "try at most ten link codes for one user at different addresses",
    repeatRace(async () => {
      const { cookie } = await signInAgain(signIn);
      const answers = await sendThirty(() => ({
        route: "POST /player/shard/link",
        headers: { cookie, ...headersFromAddress() },
        body: { code: "NONE00" },
      }));
      expect(countStatuses(answers)).toEqual({ 400: 10, 429: 20 });
    }),
  );

  it(
    "try at most twenty link codes for several users at one address",
    repeatRace(async () => {
      const users = [
        await signInAgain(signIn),
        await signInAgain(signIn),
        await signInAgain(signIn),
      ];
      const headers = headersFromAddress();
      const answers = await sendThirty((index) => ({
        route: "POST /player/shard/link",
        headers: { cookie: users[index % 3]?.cookie ?? "", ...headers },
        body: { code: "NONE00" },
      }));
      expect(countStatuses(answers)).toEqual({ 400: 20, 429: 10 });
    }),
  );

  it(
    "create three game accounts for one address, and refused requests do not count",
    repeatRace(async (round) => {
      const users = [await signInAgain(signIn), await signInAgain(signIn)];
      const headers = headersFromAddress();
      const make = (nameOf: (index: number) => string) => (index: number) => ({
        route: "POST /player/shard/account",
        headers: { cookie: users[index % 2]?.cookie ?? "", ...headers },
        body: { account: nameOf(index), password: "Tr0ub4dor & three" },
      });
      // A name that the shard refuses does not count against the limit of created accounts.
      const refused = await sendThirty(make(() => "maple"));
      expect(Object.keys(countStatuses(refused)).filter((status) => status !== "429")).toEqual([
        "409",
      ]);
      await forgetLimit(server, "gameAccountTry");
      const answers = await sendThirty(make((index) => `many-${round}-${index}`));
      expect(countStatuses(answers)).toEqual({ 201: 3, 429: 27 });
      const names = [...shard.simulator.world.accounts.keys()];
      expect(names.filter((name) => name.startsWith(`many-${round}-`)).toSorted()).toEqual(
        answers
          .flatMap(({ status }, index) => (status === 201 ? [`many-${round}-${index}`] : []))
          .toSorted(),
      );
      await forgetLimit(server, "gameAccountTry");
      expect(countStatuses(await sendThirty(make((index) => `more-${round}-${index}`)))).toEqual({
        429: 30,
      });
    }),
  );
});

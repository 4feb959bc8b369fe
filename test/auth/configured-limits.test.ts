import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import { makeResetLink } from "../../shared/auth/account/password-reset.ts";
import { headersFromAddress, newAddress } from "../support/accounts/addresses.ts";
import {
  requestChallenge,
  codeOf,
  createEnrolledUser,
  type EnrolledUser,
  forgetSteps,
  wrongCodeOf,
  wrongCodesOf,
} from "../support/accounts/second-factor.ts";
import { createTestUser, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import {
  ageScore,
  changeReputation,
  changeUser,
  reputationOf,
} from "../support/factories/users.ts";
import {
  type ApiAnswer,
  callRoute,
  cookieOf,
  statusAndBodyOf,
  retryAfter,
} from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const common = { ...unlimited, TRUST_PROXY: "loopback" };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment: common });
});
afterAll(() => server.stop());

/** Starts another process on the same database with these limits. */
async function withLimits<T>(
  numbers: Readonly<Record<string, string>>,
  act: (at: TestServer) => Promise<T>,
): Promise<T> {
  const environment = { ...common, ...numbers };
  const at = await startTestServer({ environment, database: server.database });
  try {
    return await act(at);
  } finally {
    await at.stop();
  }
}

const hour = 3600;

/** Converts seconds to hours. Rounds, because a few milliseconds have already passed. */
const inHours = (seconds: number): number => Math.round((seconds / hour) * 100) / 100;
const hoursFromNow = (at: string): number => inHours((Date.parse(at) - Date.now()) / 1000);

const tryLogin = (at: TestServer, address: string) =>
  callRoute(at, "POST /auth/login", {
    headers: headersFromAddress(address),
    body: { username: `nobody-${randomInt(1e9)}`, password: "wrong" },
  });

const endOf = (
  column: "bannedUntil" | "loginBlockedUntil",
  address: string,
  agoSeconds = 0,
): Promise<void> =>
  changeReputation(server, address, { [column]: clockNowPlus(-1_000 * agoSeconds) });

describe("configured limits", () => {
  it("admit the configured number of requests in the configured window", () =>
    withLimits({ RL_FORGOT_MAX: "2", RL_FORGOT_WINDOW: "2h" }, async (at) => {
      const headers = headersFromAddress(newAddress());
      const body = { email: "nobody@example.org" };
      const ask = () => callRoute(at, "POST /auth/password/forgot", { headers, body });
      expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
      const refused = await ask();
      expect(statusAndBodyOf(refused)).toEqual([429, { error: "Too many requests" }]);
      expect(inHours(retryAfter(refused))).toBe(2);
    }));

  it("let only the configured number of delayed sign-ins wait", () => {
    const numbers = {
      RL_LOGIN_SLOW_AFTER: "1",
      RL_LOGIN_SLOW: "2s",
      RL_LOGIN_SLOW_LONGEST: "3s",
      RL_LOGIN_WAITING: "1",
    };
    return withLimits(numbers, async (at) => {
      const address = newAddress();
      expect((await tryLogin(at, address)).status).toBe(401);
      const order: ApiAnswer[] = [];
      const attempt = async () => void order.push(await tryLogin(at, address));
      await Promise.all([attempt(), attempt()]);
      expect(order.map(({ status }) => status)).toEqual([429, 401]);
      expect(retryAfter(order[0] as ApiAnswer)).toBe(3);
    });
  });

  it("block for the configured time, which doubles up to the configured maximum, and start over after that maximum", () => {
    const numbers = {
      RL_LOGIN_FAILED_MAX: "1",
      RL_LOGIN_BLOCK: "3h",
      RL_LOGIN_BLOCK_LONGEST: "5h",
    };
    return withLimits(numbers, async (at) => {
      const address = newAddress();
      const blockLength = async () => {
        expect((await tryLogin(at, address)).status).toBe(401);
        return inHours(retryAfter(await tryLogin(at, address)));
      };
      expect(await blockLength()).toBe(3);
      await endOf("loginBlockedUntil", address);
      expect(await blockLength()).toBe(5);
      await changeReputation(server, address, { loginStrikes: 40 });
      await endOf("loginBlockedUntil", address, 4 * hour);
      expect(await blockLength()).toBe(5);
      await endOf("loginBlockedUntil", address, 5 * hour + 60);
      expect(await blockLength()).toBe(3);
    });
  });
});

describe("configured scores and bans", () => {
  const numbers = {
    BOT_BAN_SCORE: "10",
    BOT_SCORE_JUNK: "6",
    BOT_SCORE_HONEYPOT: "11",
    BOT_SCORE_CREDENTIALS: "0.25",
    BOT_BAN: "3h",
    BOT_BAN_LONGEST: "5h",
  };
  const scan = (at: TestServer, address: string) =>
    fetch(`${at.url}/wp-login.php`, { headers: headersFromAddress(address) });
  const status = async (at: TestServer, address: string) =>
    (await callRoute(at, "GET /public/status", { headers: headersFromAddress(address) })).status;

  async function banOf(address: string): Promise<{ score: number; banned_until: string }> {
    const { headers } = await signIn(server, { role: "admin" });
    const { body } = await callRoute(server, "GET /admin/bans", { headers });
    const { bans } = body as { bans: { ip: string; score: number; banned_until: string }[] };
    return bans.find(({ ip }) => ip === address) as (typeof bans)[number];
  }

  it("ban at the configured score, for the configured time, which doubles up to the configured maximum", () =>
    withLimits(numbers, async (at) => {
      const address = newAddress();
      await scan(at, address);
      expect(await status(at, address)).toBe(200);
      await scan(at, address);
      expect(await status(at, address)).toBe(403);
      const ban = await banOf(address);
      expect(Math.round(ban.score)).toBe(12);
      expect(hoursFromNow(ban.banned_until)).toBe(3);
      await endOf("bannedUntil", address);
      at.context.bans.reload();
      await scan(at, address);
      expect(hoursFromNow((await banOf(address)).banned_until)).toBe(5);
    }));

  it("raise the score by the configured weight for each sign of a bot", () =>
    withLimits(numbers, async (at) => {
      const [guesser, program] = [newAddress(), newAddress()];
      await tryLogin(at, guesser);
      expect((await reputationOf(server, guesser))?.score).toBe(0.25);
      const body = { username: "nobody", password: "wrong", company: "x" };
      await callRoute(at, "POST /auth/login", { headers: headersFromAddress(program), body });
      expect(await status(at, program)).toBe(403);
    }));

  it("halve a score in the configured half-life", () =>
    withLimits({ ...numbers, BOT_HALF_LIFE: "5h" }, async (at) => {
      const address = newAddress();
      await scan(at, address);
      await ageScore(server, address, 5 * hour);
      await scan(at, address);
      expect((await reputationOf(server, address))?.score).toBeCloseTo(9, 2);
    }));

  it("let a ban by one process take effect in another after the configured time", () =>
    withLimits({ ...numbers, BOT_BAN_RECHECK: "1m" }, async (at) => {
      const address = newAddress();
      expect(await status(at, address)).toBe(200);
      await withLimits(numbers, async (other) => {
        await scan(other, address);
        await scan(other, address);
        expect(await status(other, address)).toBe(403);
      });
      // Wait longer than the default interval at which processes reread bans.
      await sleep(2_100);
      expect(await status(at, address)).toBe(200);
      at.context.bans.reload();
      expect(await status(at, address)).toBe(403);
    }));
});

describe("a second factor with configured limits", () => {
  const complete = (at: TestServer, body: object, headers = {}) =>
    callRoute(at, "POST /auth/login/totp", { body, headers });

  it("allows the configured number of tries for each challenge", () =>
    withLimits({ CHALLENGE_TRIES: "2" }, async (at) => {
      const user = await createEnrolledUser(at);
      await forgetSteps(at, user.userId);
      const rightAfter = async (failures: number) => {
        const challenge = await requestChallenge(at, user);
        for (let count = 0; count < failures; count++) {
          await complete(at, { challenge, code: wrongCodeOf(user.secret) });
        }
        return (await complete(at, { challenge, code: codeOf(user.secret) })).status;
      };
      expect(await rightAfter(2)).toBe(401);
      expect(await rightAfter(1)).toBe(200);
    }));

  it("is locked after the configured failures, for the configured time, which doubles up to the configured maximum", () => {
    const numbers = { TOTP_LOCK_AFTER: "2", TOTP_LOCK: "3h", TOTP_LOCK_LONGEST: "5h" };
    return withLimits(numbers, async (at) => {
      const user = await createEnrolledUser(at);
      await forgetSteps(at, user.userId);
      expect(await lockAfter(at, user, 1)).toBeNull();
      expect(await lockAfter(at, user, 1)).toBe(3);
      const challenge = await requestChallenge(at, user);
      expect((await complete(at, { challenge, code: codeOf(user.secret) })).status).toBe(401);
      await changeUser(server, user.userId, { totpLockedUntil: clockNow() });
      expect(await lockAfter(at, user, 2)).toBe(5);
    });
  });

  /** Sends this many more wrong codes. @returns the hours for which the second factor is locked afterward */
  async function lockAfter(
    at: TestServer,
    user: EnrolledUser,
    failures: number,
  ): Promise<number | null> {
    const challenge = await requestChallenge(at, user);
    for (let count = 0; count < failures; count++) {
      await complete(at, { challenge, code: wrongCodeOf(user.secret) });
    }
    const { lockedMs } = await wrongCodesOf(server, user.userId);
    return lockedMs === null ? null : inHours(lockedMs / 1_000);
  }

  it("is skipped by the configured number of trusted devices, for the configured time", () =>
    withLimits({ TRUST_DEVICE_MAX: "1", TRUST_DEVICE_TTL: "2h" }, async (at) => {
      const user = await createEnrolledUser(at);
      const trust = async () => {
        await forgetSteps(at, user.userId);
        const challenge = await requestChallenge(at, user);
        return complete(at, { challenge, code: codeOf(user.secret), trustDevice: true });
      };
      const trusted = await trust();
      expect(trusted.status).toBe(200);
      expect(trusted.setCookies).toContainEqual(expect.stringMatching(/^gh_td=.*; Max-Age=7200;/));
      expect(statusAndBodyOf(await trust())).toEqual([
        409,
        { error: "Too many trusted devices", trustLimitReached: true },
      ]);
      const { body } = await callRoute(at, "GET /public/settings");
      expect(body).toMatchObject({ limits: { trustedDevices: 1 } });
    }));

  it("must be confirmed within the configured setup time", () =>
    withLimits({ TOTP_SETUP_TTL: "1s" }, async (at) => {
      const { headers } = await signIn(at);
      const setup = await callRoute(at, "POST /auth/me/account/totp/setup", { headers, body: {} });
      const { secret } = setup.body as { secret: string };
      await sleep(1_100);
      const body = { code: codeOf(secret) };
      const late = await callRoute(at, "POST /auth/me/account/totp/enable", { headers, body });
      expect(statusAndBodyOf(late)).toEqual([
        409,
        { error: "No second factor is being set up: start with totp/setup" },
      ]);
    }));

  it("needs a password or code for its setup once the sign-in has the configured age", () =>
    withLimits({ REAUTH_AFTER: "1s" }, async (at) => {
      const { headers } = await signIn(at);
      const begin = (there: TestServer) =>
        callRoute(there, "POST /auth/me/account/totp/setup", { headers, body: {} });
      await sleep(2_100);
      expect((await begin(server)).status).toBe(200);
      expect(statusAndBodyOf(await begin(at))).toEqual([
        403,
        { error: "Send your password or a code to confirm" },
      ]);
    }));
});

describe("configured lifetimes", () => {
  interface Tokens {
    readonly accessToken: string;
    readonly refreshToken: string;
  }

  /** Waits a second after a sign-in. @returns the statuses of the access token and of a refresh */
  async function deviceAfterASecond(at: TestServer): Promise<readonly number[]> {
    const { username, password } = await createTestUser(at);
    const body = { username, password };
    const tokens = (await callRoute(at, "POST /auth/mobile/login", { body })).body as Tokens;
    const headers = { authorization: `Bearer ${tokens.accessToken}` };
    const me = async () => (await callRoute(at, "GET /auth/me", { headers })).status;
    await sleep(1_100);
    const { refreshToken } = tokens;
    const refreshed = await callRoute(at, "POST /auth/mobile/refresh", { body: { refreshToken } });
    return [await me(), refreshed.status];
  }

  it("end a refresh token but not its access token", async () => {
    expect(await withLimits({ REFRESH_TTL: "1s" }, deviceAfterASecond)).toEqual([200, 401]);
  });

  it("end a device session with all its tokens", async () => {
    const after = (life: string) => withLimits({ REFRESH_FAMILY_TTL: life }, deviceAfterASecond);
    expect(await after("1s")).toEqual([401, 401]);
    expect(await after("1h")).toEqual([200, 200]);
  });

  it("apply to sessions of players and of staff", () =>
    withLimits({ SESSION_TTL: "3h", STAFF_SESSION_TTL: "2h" }, async (at) => {
      const lifeOf = async (role: "player" | "editor") => {
        const { username, password } = await createTestUser(at, { role });
        const signedIn = await callRoute(at, "POST /auth/login", { body: { username, password } });
        expect(cookieOf(signedIn, "session")).toBeDefined();
        const [line = ""] = signedIn.setCookies;
        return inHours(Number(/Max-Age=(\d+)/.exec(line)?.[1]));
      };
      expect([await lifeOf("player"), await lifeOf("editor")]).toEqual([3, 2]);
    }));

  it("apply to invitations and password reset links", () =>
    withLimits({ INVITE_TTL: "3h", RESET_TTL: "2h" }, async (at) => {
      const { headers } = await signIn(at, { role: "admin" });
      const body = { role: "player" };
      const invited = await callRoute(at, "POST /admin/invites", { headers, body });
      expect(hoursFromNow((invited.body as { expiresAt: string }).expiresAt)).toBe(3);
      const { userId } = await createTestUser(at, { email: "waiting@example.org" });
      const made = await makeResetLink(userId, at.context);
      const link = await callRoute(at, `GET /auth/password/reset/${made?.token}`);
      expect(hoursFromNow((link.body as { expiresAt: string }).expiresAt)).toBe(2);
    }));
});

import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";

import Joi from "joi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { defineRoute } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { clockNowPlus } from "../../models/queries/clock.ts";
import { requireLoginAllowed } from "../../shared/auth/throttle/login-limits.ts";
import { computeSlowHash } from "../../shared/platform/crypto/slow-hash.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { headersFromAddress, newAddress } from "../support/accounts/addresses.ts";
import { forgetLimit, limitKeys } from "../support/accounts/rate-limits.ts";
import { createTestUser, signIn, type TestUser } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { changeReputation, reputationOf } from "../support/factories/users.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf, retryAfter } from "../support/http/call.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { itInLongLane } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const limits = {
  TRUST_PROXY: "loopback",
  RL_LOGIN_FAILED_MAX: "10",
  RL_LOGIN_TOTAL_MAX: "30",
  RL_LOGIN_PAIR_MAX: "8",
  RL_REFRESH_MAX: "30",
  RL_REFRESH_FAMILY_MAX: "6",
  RL_USER_CHANGE_MAX: "10",
  RL_FORGOT_MAX: "5",
  RL_RESET_MAX: "10",
  RL_INVITE_MAX: "20",
  RL_REGISTER_MAX: "10",
  // No address can reach this score, so no address is banned.
  BOT_BAN_SCORE: "1000000",
};

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment: limits });
  other = await startTestServer({ environment: limits, database: server.database });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

interface LoginAttempt {
  readonly address: string;
  readonly username?: string;
  readonly password?: string;
  readonly at?: TestServer;
}

const tryLogin = ({
  address,
  username = "nobody",
  password = "wrong",
  at = server,
}: LoginAttempt) =>
  callRoute(at, "POST /auth/login", {
    headers: headersFromAddress(address),
    body: { username, password },
  });

async function failTimes(times: number, attempt: LoginAttempt): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < times; count++) {
    // Use a different name each time, so that the limit per name and address never applies.
    const username = attempt.username ?? `nobody-${count}`;
    statuses.push((await tryLogin({ ...attempt, username })).status);
  }
  return statuses;
}

const tooMany = [429, { error: "Too many requests" }];
const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);

const endBlock = (address: string, agoSeconds = 0) =>
  changeReputation(server, address, { loginBlockedUntil: clockNowPlus(-1000 * agoSeconds) });

describe("failed sign-ins of one address", () => {
  it("are limited to ten, after which the address cannot sign in even with the correct password", async () => {
    const victim = await createTestUser(server);
    const address = newAddress();
    expect(await failTimes(10, { address })).toEqual(times(10, 401));
    const refused = await tryLogin({ address, ...victim });
    expect(statusAndBodyOf(refused)).toEqual(tooMany);
    expect(retryAfter(refused)).toBeGreaterThan(890);
    expect(retryAfter(refused)).toBeLessThanOrEqual(900);
    expect((await tryLogin({ address: newAddress(), ...victim })).status).toBe(200);
  });

  it("are counted across processes", async () => {
    const address = newAddress();
    await failTimes(5, { address });
    await failTimes(5, { address, at: other });
    expect((await tryLogin({ address })).status).toBe(429);
    expect((await tryLogin({ address, at: other })).status).toBe(429);
  });

  it("reveal no remaining count in headers", async () => {
    const { headers } = await tryLogin({ address: newAddress() });
    const names = [...headers.keys()].filter((name) => /rate-?limit/i.test(name));
    expect(names).toEqual([]);
  });

  it("double the block each time, and start over after a quiet day", async () => {
    const address = newAddress();
    const lengths: number[] = [];
    for (let round = 0; round < 3; round++) {
      await failTimes(10, { address });
      lengths.push(retryAfter(await tryLogin({ address })));
      await endBlock(address);
    }
    expect(lengths.map((seconds) => Math.ceil(seconds / 100) * 100)).toEqual([900, 1800, 3600]);
    await endBlock(address, 24 * 3600 + 60);
    await failTimes(10, { address });
    expect(retryAfter(await tryLogin({ address }))).toBeLessThanOrEqual(900);
  });

  it("never block for longer than a day", async () => {
    const address = newAddress();
    await failTimes(10, { address });
    await endBlock(address);
    await changeReputation(server, address, { loginStrikes: 40 });
    await failTimes(10, { address });
    const seconds = retryAfter(await tryLogin({ address }));
    expect(seconds).toBeGreaterThan(86_300);
    expect(seconds).toBeLessThanOrEqual(86_400);
  });

  it("are allowed again when the block has ended", async () => {
    const address = newAddress();
    await failTimes(10, { address });
    await endBlock(address);
    expect(await failTimes(9, { address })).toEqual(times(9, 401));
  });

  it("cause one block if many are simultaneous", async () => {
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_each, at) =>
        tryLogin({ address, username: `n-${at}`, at: at % 2 ? server : other }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect((await reputationOf(server, address))?.loginStrikes).toBe(1);
  });
});

describe("sign-ins of one address", () => {
  it("are refused after thirty, even if all succeeded", async () => {
    const address = newAddress();
    const user = await createTestUser(server);
    const statuses: number[] = [];
    for (let count = 0; count < 30; count++) {
      statuses.push((await tryLogin({ address, ...user })).status);
    }
    expect(statuses).toEqual(times(30, 200));
    expect(statusAndBodyOf(await tryLogin({ address, ...user }))).toEqual(tooMany);
  });

  it("share one count across web, app and second factor", async () => {
    const address = newAddress();
    const headers = headersFromAddress(address);
    const body = { username: "nobody", password: "wrong" };
    for (let count = 0; count < 5; count++) {
      const mobile = { ...body, username: `n-${count}` };
      expect(
        (await callRoute(server, "POST /auth/mobile/login", { headers, body: mobile })).status,
      ).toBe(401);
      const code = { challenge: "none", code: "000000" };
      expect(
        (await callRoute(server, "POST /auth/login/totp", { headers, body: code })).status,
      ).toBe(401);
    }
    expect((await tryLogin({ address })).status).toBe(429);
    expect((await callRoute(server, "POST /auth/mobile/login", { headers, body })).status).toBe(
      429,
    );
    expect((await callRoute(server, "POST /auth/login/totp", { headers, body })).status).toBe(429);
  });

  it.each(
    routes
      .filter(({ limiters }) => limiters?.includes("login"))
      .map(({ method, path }) => `${method.toUpperCase()} ${path.replace("/api/v1", "")}`),
  )("are counted as failures when they fail by %s", async (name) => {
    const address = newAddress();
    const credentials = { username: `n-${randomInt(1e9)}`, password: "wrong" };
    const body = name.endsWith("/totp") ? { challenge: "none", code: "000000" } : credentials;
    expect(
      (await callRoute(server, name, { headers: headersFromAddress(address), body })).status,
    ).toBe(401);
    const { rateLimits } = server.context;
    expect((await rateLimits.readUses("loginFailed", address)).uses).toBe(1);
    expect((await rateLimits.readUses("loginTotal", address)).uses).toBe(1);
  });

  it("count an IPv6 /64 as one address, and the next /64 as another", async () => {
    const net = `2001:db8:${randomInt(65536).toString(16)}:1`;
    for (let count = 0; count < 10; count++) {
      await tryLogin({ address: `${net}::${count + 1}`, username: `n-${count}` });
    }
    expect((await tryLogin({ address: `${net}:ffff::1` })).status).toBe(429);
    expect((await tryLogin({ address: `${net.slice(0, -1)}2::1` })).status).toBe(401);
  });

  it("count an IPv4 address and its IPv6 form together", async () => {
    const address = newAddress();
    await failTimes(10, { address: `::ffff:${address}` });
    expect((await tryLogin({ address })).status).toBe(429);
  });
});

describe("an address that fails to sign in with one name", () => {
  const failWith = (user: TestUser, address: string, count: number) =>
    failTimes(count, { address, username: user.username });

  it("is refused for that name only, after eight failures", async () => {
    const [guessed, friend] = [await createTestUser(server), await createTestUser(server)];
    const address = newAddress();
    expect(await failWith(guessed, address, 8)).toEqual(times(8, 401));
    const refused = await tryLogin({
      address,
      ...guessed,
      username: guessed.username.toUpperCase(),
    });
    expect(statusAndBodyOf(refused)).toEqual(tooMany);
    expect((await tryLogin({ address, ...friend })).status).toBe(200);
    expect((await tryLogin({ address: newAddress(), ...guessed })).status).toBe(200);
  });

  it("gets the same refusal for an unknown name", async () => {
    const address = newAddress();
    const username = `ghost-${randomInt(1e9)}`;
    await failTimes(8, { address, username });
    expect(statusAndBodyOf(await tryLogin({ address, username }))).toEqual(tooMany);
  });

  it("has a failure count of zero after a correct password", async () => {
    const user = await createTestUser(server);
    const address = newAddress();
    await failWith(user, address, 4);
    expect((await tryLogin({ address, ...user })).status).toBe(200);
    expect(await failWith(user, address, 5)).toEqual(times(5, 401));
    expect((await tryLogin({ address, ...user })).status).toBe(200);
  });

  it("is refused, and the refusals raise neither its failure count nor its bot score", async () => {
    const user = await createTestUser(server);
    const address = newAddress();
    await failWith(user, address, 8);
    const before = await readCounts(address);
    expect(await failWith(user, address, 6)).toEqual(times(6, 429));
    expect(await readCounts(address)).toEqual(before);
  });

  async function readCounts(address: string) {
    const { rateLimits } = server.context;
    const scoredAt = (await reputationOf(server, address))?.scoredAt;
    const counts = [
      await rateLimits.readUses("loginTotal", address),
      await rateLimits.readUses("loginFailed", address),
    ];
    return [scoredAt, counts.map(({ uses }) => uses)];
  }
});

describe("a user whose password many addresses guess", () => {
  it("gets slower sign-ins past the limit, and is never locked out", async () => {
    const environment = { TRUST_PROXY: "loopback", RL_LOGIN_USER_MAX: "3" };
    const guarded = await startTestServer({ environment, database: server.database });
    try {
      const user = await createTestUser(server);
      const attempt = (password: string) =>
        tryLogin({ address: newAddress(), ...user, password, at: guarded });
      for (let count = 0; count < 4; count++) expect((await attempt("wrong")).status).toBe(401);
      const order: string[] = [];
      const slowed = attempt(user.password).then(({ status }) => order.push(`slowed ${status}`));
      const another = await tryLogin({ address: newAddress(), at: guarded });
      order.push(`other ${another.status}`);
      await slowed;
      expect(order).toEqual(["other 401", "slowed 200"]);
    } finally {
      await guarded.stop();
    }
  });
});

describe("the counts of rate limits", () => {
  it("are stored under keys that reveal neither address nor user", async () => {
    const address = newAddress();
    const username = "𐍈".repeat(32);
    expect((await tryLogin({ address, username })).status).toBe(401);
    const keys = await limitKeys(server);
    expect(keys.length).toBeGreaterThan(3);
    for (const key of keys) expect(key).toMatch(/^[A-Za-z]+:[\w-]{43}$/);
  });

  it("use the real address despite a forged X-Forwarded-For", async () => {
    const address = newAddress();
    for (let count = 0; count < 10; count++) {
      await tryLogin({ address: `${newAddress()}, ${address}`, username: `n-${count}` });
    }
    expect((await tryLogin({ address: `${newAddress()}, ${address}` })).status).toBe(429);
  });

  it("use the proxy's own address if it forwards no valid one", async () => {
    const body = { username: "nobody", password: "wrong" };
    const answers = [];
    for (const junk of ["a", "<script>", "999.1.1.1", "unknown", "", "1.2.3.4.5"]) {
      answers.push(
        await callRoute(server, "POST /auth/login", { headers: headersFromAddress(junk), body }),
      );
    }
    expect(answers.map(({ status }) => status)).toEqual(times(6, 401));
    const { uses } = await server.context.rateLimits.readUses("loginTotal", "127.0.0.1");
    expect(uses).toBeGreaterThanOrEqual(6);
  });
});

describe("limits on requests other than sign-ins", () => {
  const flood = async (count: number, send: (at: number) => Promise<ApiAnswer>) => {
    const statuses: number[] = [];
    for (let at = 0; at < count; at++) statuses.push((await send(at)).status);
    return statuses;
  };

  it("allow an address five requests for a reset link", async () => {
    const headers = headersFromAddress(newAddress());
    const body = { email: "nobody@example.org" };
    const ask = () => callRoute(server, "POST /auth/password/forgot", { headers, body });
    expect(await flood(5, ask)).toEqual(times(5, 200));
    const refused = await ask();
    expect(statusAndBodyOf(refused)).toEqual(tooMany);
    expect(retryAfter(refused)).toBeGreaterThan(880);
    expect(
      (
        await callRoute(server, "POST /auth/password/forgot", {
          headers: headersFromAddress(newAddress()),
          body,
        })
      ).status,
    ).toBe(200);
  });

  it("allow an address ten tries of reset links, viewed or used", async () => {
    const headers = headersFromAddress(newAddress());
    const send = (at: number) =>
      callRoute(server, `${at % 2 ? "GET" : "POST"} /auth/password/reset/none-${at}`, { headers });
    expect(await flood(10, send)).toEqual(times(10, 404));
    expect(statusAndBodyOf(await send(11))).toEqual(tooMany);
  });

  it("allow an address twenty tries of invitations", async () => {
    const headers = headersFromAddress(newAddress());
    const send = (at: number) => callRoute(server, `GET /auth/invite/none-${at}`, { headers });
    expect(await flood(20, send)).toEqual(times(20, 404));
    expect(statusAndBodyOf(await send(21))).toEqual(tooMany);
  });

  it("allow a user ten account changes, from any addresses", async () => {
    const { headers: session } = await signIn(server);
    const send = () =>
      callRoute(server, "PATCH /auth/me/account/username", {
        headers: { ...session, ...headersFromAddress(newAddress()) },
        body: { username: "x" },
      });
    expect(await flood(10, send)).toEqual(times(10, 400));
    expect(statusAndBodyOf(await send())).toEqual(tooMany);
    const { headers } = await signIn(server);
    const path = "PATCH /auth/me/account/username";
    expect((await callRoute(server, path, { headers, body: { username: "x" } })).status).toBe(400);
  });

  it("count account changes at a legacy path together with changes at the new path", async () => {
    const { headers } = await signIn(server);
    const body = { username: "x" };
    const paths = ["/auth/me/account", "/player/account"];
    const send = (at: number) =>
      callRoute(server, `PATCH ${paths[at % 2]}/username`, { headers, body });
    expect(await flood(10, send)).toEqual(times(10, 400));
    expect(statusAndBodyOf(await send(0))).toEqual(tooMany);
    expect(statusAndBodyOf(await send(1))).toEqual(tooMany);
  });

  it("do not count the requests of a foreign page against the user who visits it", async () => {
    const { headers: session } = await signIn(server);
    const headers = { ...session, origin: "https://evil.example" };
    const path = "PATCH /auth/me/account/username";
    const send = () => callRoute(server, path, { headers, body: { username: "x" } });
    expect(await flood(12, send)).toEqual(times(12, 403));
    const own = await callRoute(server, path, { headers: session, body: { username: "x" } });
    expect(own.status).toBe(400);
  });

  it("allow a device six refreshes in a minute", async () => {
    const { username, password } = await createTestUser(server);
    const headers = headersFromAddress(newAddress());
    const signedIn = await callRoute(server, "POST /auth/mobile/login", {
      headers,
      body: { username, password },
    });
    let { refreshToken } = signedIn.body as { refreshToken: string };
    const send = async (at = server) => {
      const answered = await callRoute(at, "POST /auth/mobile/refresh", {
        headers,
        body: { refreshToken },
      });
      if (answered.status === 200) ({ refreshToken } = answered.body as { refreshToken: string });
      return answered;
    };
    expect(await flood(6, () => send())).toEqual(times(6, 200));
    const refused = await send();
    expect(statusAndBodyOf(refused)).toEqual(tooMany);
    expect(server.config.RL_REFRESH_FAMILY_WINDOW).toBe(60_000);
    expect(retryAfter(refused)).toBeLessThanOrEqual(60);
    await forgetLimit(server, "refreshFamily");
    // The refused token was not used, so it still works. Send it to the other process, because the
    // first one remembers the refusal.
    expect((await send(other)).status).toBe(200);
  });

  it("allow an address thirty refreshes in a minute", async () => {
    const headers = headersFromAddress(newAddress());
    const body = { refreshToken: "none" };
    const send = () => callRoute(server, "POST /auth/mobile/refresh", { headers, body });
    expect(await flood(30, send)).toEqual(times(30, 401));
    const refused = await send();
    expect(statusAndBodyOf(refused)).toEqual(tooMany);
    expect(server.config.RL_REFRESH_WINDOW).toBe(60_000);
    expect(retryAfter(refused)).toBeLessThanOrEqual(60);
  });
});

describe("limits on game accounts and the market", () => {
  const common = {
    gate: "public",
    set: "additive",
    tag: "Site",
    summary: "x",
    answers: {},
  } as const;
  const create = defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/test/game-account",
    limiters: ["gameAccount"],
    body: Joi.object<{ account: string }, true>({ account: Joi.string().required() }),
    handle: async ({ body }) => {
      if (body.account === "slow") await new Promise<void>((answer) => held.push(answer));
      if (body.account !== "free") throw new AppError("name_taken", "taken");
      return { ok: true };
    },
  });
  const guarded = defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/test/guarded-game-account",
    gate: "auth",
    limiters: ["gameAccount", "gameAccountTry"],
    handle: () => ({ ok: true }),
  });
  const held: (() => void)[] = [];
  let own: TestServer;
  beforeAll(async () => {
    const environment = {
      ...limits,
      RL_GAME_ACCOUNT_MAX: "3",
      RL_GAME_ACCOUNT_TRY_MAX: "2",
      RL_MARKET_MAX: "3",
    };
    own = await startTestServer({ environment, routes: [...routes, create, guarded] });
  });
  afterAll(() => own.stop());

  const makeAccount = async (address: string, account: string) => {
    const body = { account };
    return (
      await callRoute(own, "POST /test/game-account", {
        headers: headersFromAddress(address),
        body,
      })
    ).status;
  };

  it("count a game account if it is created, not if it is refused", async () => {
    const address = newAddress();
    for (let tries = 0; tries < 3; tries++) expect(await makeAccount(address, "taken")).toBe(409);
    for (let tries = 0; tries < 3; tries++) expect(await makeAccount(address, "free")).toBe(200);
    expect(await makeAccount(address, "free")).toBe(429);
  });

  it("count none of several simultaneous game accounts that are refused", async () => {
    const address = newAddress();
    const slow = times(3, "slow").map((account) => makeAccount(address, account));
    await waitUntil("three are being made", () => held.length === 3);
    expect(await makeAccount(address, "free")).toBe(429);
    for (const answer of held.splice(0)) answer();
    expect(await Promise.all(slow)).toEqual(times(3, 409));
    for (let tries = 0; tries < 3; tries++) expect(await makeAccount(address, "free")).toBe(200);
    expect(await makeAccount(address, "free")).toBe(429);
  });

  it("are not used up by unauthorized requests, nor by requests that another limit refuses", async () => {
    const place = headersFromAddress(newAddress());
    const make = async (headers: Readonly<Record<string, string>>) =>
      (
        await callRoute(own, "POST /test/guarded-game-account", {
          headers: { ...place, ...headers },
        })
      ).status;
    const [one, another] = [await signIn(own), await signIn(own)];
    expect(await Promise.all(times(8, {}).map(make))).toEqual(times(8, 401));
    const foreign = { ...one.headers, origin: "https://evil.example" };
    expect(await Promise.all(times(8, foreign).map(make))).toEqual(times(8, 403));
    expect([await make(one.headers), await make(one.headers)]).toEqual([200, 200]);
    expect([await make(one.headers), await make(one.headers)]).toEqual([429, 429]);
    expect([await make(another.headers), await make(another.headers)]).toEqual([200, 429]);
  });

  it("count the game accounts of an IPv6 /56 together", async () => {
    const net = `2001:db8:${randomInt(65536).toString(16)}`;
    for (const part of ["aa01", "aa02", "aaff"]) {
      expect(await makeAccount(`${net}:${part}::1`, "free")).toBe(200);
    }
    expect(await makeAccount(`${net}:aa77::1`, "free")).toBe(429);
    expect(await makeAccount(`${net}:ab01::1`, "free")).toBe(200);
  });

  it("report the remaining market searches in headers", async () => {
    const headers = headersFromAddress(newAddress());
    const search = () => callRoute(own, "GET /public/shard/market", { headers });
    const left: (string | null)[] = [];
    for (let tries = 0; tries < 3; tries++) {
      const answered = await search();
      expect(answered.status).toBe(200);
      expect(answered.headers.get("ratelimit-policy")).toBe('"market";q=3');
      left.push((answered.headers.get("ratelimit") ?? "").replace(/;t=\d+$/, ""));
    }
    expect(left).toEqual(['"market";r=2', '"market";r=1', '"market";r=0']);
    const refused = await search();
    expect(statusAndBodyOf(refused)).toEqual(tooMany);
    expect(retryAfter(refused)).toBeLessThanOrEqual(60);
  });

  it("count market searches separately in each process, without a database row", async () => {
    const otherProcess = await startTestServer({
      environment: { ...limits, RL_MARKET_MAX: "1" },
      database: own.database,
    });
    try {
      const headers = headersFromAddress(newAddress());
      const searchAt = async (at: TestServer) =>
        (await callRoute(at, "GET /public/shard/market", { headers })).status;
      const [one, another] = [() => searchAt(own), () => searchAt(otherProcess)];
      expect([await another(), await another()]).toEqual([200, 429]);
      expect([await one(), await one(), await one(), await one()]).toEqual([200, 200, 200, 429]);
      expect(await limitKeys(own, "market:%")).toEqual([]);
    } finally {
      await otherProcess.stop();
    }
  });
});

describe("a slowed address", () => {
  itInLongLane(
    "waits longer for its answer than an address that fails for the first time",
    async () => {
      const slow = await startTestServer({
        environment: { TRUST_PROXY: "loopback", RL_LOGIN_SLOW_AFTER: "3" },
      });
      try {
        const address = newAddress();
        for (let count = 0; count < 7; count++) {
          await slow.context.rateLimits.count("loginFailed", address);
        }
        const order: string[] = [];
        const slowed = tryLogin({ address, at: slow }).then(() => order.push("slowed"));
        for (let count = 0; count < 3; count++) {
          await tryLogin({ address: newAddress(), at: slow });
          order.push("first");
        }
        await slowed;
        expect(order).toEqual(["first", "first", "first", "slowed"]);
      } finally {
        await slow.stop();
      }
    },
  );
});

describe("a sign-in while too many passwords are being checked", () => {
  const checkers = 40 + availableParallelism();
  const usesOf = async (address: string) =>
    (await server.context.rateLimits.readUses("loginTotal", address)).uses;

  it("waits, and is admitted when fewer passwords are being checked", async () => {
    const address = newAddress();
    const checks = Array.from({ length: checkers }, () => computeSlowHash("text", 4, address));
    await Promise.allSettled([requireLoginAllowed(address, server.context), ...checks]);
    expect(await usesOf(address)).toBe(1);
  });

  it("is refused if it waits too long, and is not counted toward the limit of the address", async () => {
    const address = newAddress();
    const storm = { isOver: false };
    const checkOn = async (): Promise<void> => {
      while (!storm.isOver) await computeSlowHash("text", 4, address).catch(() => nextTurn());
    };
    const checks = Array.from({ length: checkers }, checkOn);
    const [tried] = await Promise.allSettled([requireLoginAllowed(address, server.context)]);
    storm.isOver = true;
    await Promise.all(checks);
    expect(tried).toMatchObject({
      status: "rejected",
      reason: { kind: "unavailable", message: "Too many sign-ins at once", retryAfter: 2 },
    });
    expect(await usesOf(address)).toBe(0);
  });
});

describe("a free attempt under the limit of failed sign-ins", () => {
  let hasty: TestServer;
  beforeAll(async () => {
    const environment = { ...limits, RL_LOGIN_TURN: "100ms" };
    hasty = await startTestServer({ environment, database: server.database });
  });
  afterAll(() => hasty.stop());

  const hold = (address: string) =>
    server.context.rateLimits.holdRoom([{ name: "loginFailed", subject: address }]);

  /**
   * Reserves all allowed attempts of the address and never releases them, like a process that
   * hangs.
   */
  async function fillCap(address: string): Promise<void> {
    for (let count = 0; count < 10; count++) expect(await hold(address)).toHaveProperty("held");
    expect(await hold(address)).toMatchObject({ full: [{ uses: 0, isUsedUp: false }] });
  }

  it("is awaited for RL_LOGIN_TURN, and a refusal after that is not counted and does not block", async () => {
    const user = await createTestUser(server);
    const address = newAddress();
    await fillCap(address);
    const refused = await tryLogin({ address, ...user, at: hasty });
    expect([statusAndBodyOf(refused), retryAfter(refused)]).toEqual([tooMany, 2]);
    const { rateLimits } = server.context;
    expect((await rateLimits.readUses("loginTotal", address)).uses).toBe(0);
    expect((await rateLimits.readUses("loginFailed", address)).uses).toBe(0);
    expect(await reputationOf(server, address)).toBeNull();
  });

  it("is free again when the window ends, even if a dead process reserved it", async () => {
    const user = await createTestUser(server);
    const address = newAddress();
    await fillCap(address);
    await query(
      server,
      "update rate_limits set expire = 0 where key like 'loginFailed:%' and held = 10",
    );
    expect((await tryLogin({ address, ...user, at: hasty })).status).toBe(200);
  });

  it("is given to the next sign-in as soon as it is released", async () => {
    const user = await createTestUser(server);
    const address = newAddress();
    const { rateLimits } = server.context;
    for (let count = 0; count < 9; count++) await hold(address);
    const last = await hold(address);
    const waits = tryLogin({ address, ...user });
    await waitUntil("it waits", async () => (await usesOf(address)) === 1);
    if ("held" in last) await rateLimits.releaseRoom(last.held);
    expect((await waits).status).toBe(200);
    expect((await rateLimits.readUses("loginFailed", address)).uses).toBe(0);
  });

  it("is reserved under all limits of a sign-in or under none", async () => {
    const [full, free] = [newAddress(), newAddress()];
    await fillCap(full);
    const { rateLimits } = server.context;
    const caps = [free, full].map((subject) => ({ name: "loginFailed", subject }) as const);
    expect(await rateLimits.holdRoom(caps)).toMatchObject({ full: [{ subject: full }] });
    await fillCap(free);
  });

  it("is settled under several limits at once, and only a failure is counted, not a success or a release", async () => {
    const { rateLimits } = server.context;
    const addresses = [newAddress(), newAddress(), newAddress()];
    for (const address of addresses) await rateLimits.count("loginFailed", address);
    const rooms = await rateLimits.holdRoom(
      addresses.map((subject) => ({ name: "loginFailed", subject }) as const),
    );
    const outcomes = ["released", "failed", "forgiven"] as const;
    const held = "held" in rooms ? rooms.held : [];
    const settled = held.flatMap((room, at) => {
      const ended = outcomes[at];
      return ended ? [{ ...room, outcome: ended }] : [];
    });
    expect(await rateLimits.settleAttempts(settled)).toEqual([0, 2, 0]);
    const uses = async (address: string) =>
      (await rateLimits.readUses("loginFailed", address)).uses;
    expect(await Promise.all(addresses.map(uses))).toEqual([1, 2, 0]);
  });

  it("is reserved under none of several limits if another sign-in takes the last attempt of one limit", async () => {
    const { sequelize, rateLimits } = server.context;
    const [full, free] = [newAddress(), newAddress()];
    for (let count = 0; count < 9; count++) await hold(full);
    const taken = await sequelize.transaction();
    await sequelize.query(
      "update rate_limits set held = 10 where key like 'loginFailed:%' and held = 9",
      { transaction: taken },
    );
    const caps = [full, free].map((subject) => ({ name: "loginFailed", subject }) as const);
    const late = rateLimits.holdRoom(caps);
    await waitUntilLockWaits(server, 1);
    await taken.commit();
    expect(await late).toMatchObject({ full: [{ subject: full, isUsedUp: false }] });
    await fillCap(free);
  });

  it("is not added by a refund of an attempt that was never counted", async () => {
    const address = newAddress();
    const { rateLimits } = server.context;
    await rateLimits.refund("loginTotal", address);
    await rateLimits.count("loginTotal", address);
    for (let count = 0; count < 3; count++) await rateLimits.refund("loginTotal", address);
    expect(await usesOf(address)).toBe(0);
    expect(await rateLimits.count("loginTotal", address)).toBe(1);
  });

  const usesOf = async (address: string) =>
    (await server.context.rateLimits.readUses("loginTotal", address)).uses;
});

describe("a store of counts that fails", () => {
  it("leads to a 500 and not to a refusal", async () => {
    const broken = await startTestServer();
    try {
      await query(broken, "drop table rate_limits");
      const body = { username: "nobody", password: "wrong" };
      const answered = await callRoute(broken, "POST /auth/login", { body, mayFail: true });
      expect(statusAndBodyOf(answered)).toEqual([500, { message: "Internal Server Error" }]);
    } finally {
      await broken.stop();
    }
  });
});

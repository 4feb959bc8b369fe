import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { defineRoute } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { isHashQueueBusy } from "../../shared/platform/crypto/slow-hash.ts";
import { findRateLimit } from "../../shared/platform/throttle/limit-catalog.ts";
import { headersFromAddress } from "../support/accounts/addresses.ts";
import { forgetAllLimits, limitKeys } from "../support/accounts/rate-limits.ts";
import { createTestUser, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { activityOf } from "../support/factories/site.ts";
import { reputationOf } from "../support/factories/users.ts";
import { requestUrl, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { itInLongLane } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item);
const tooMany = [429, { error: "Too many requests" }];

let networks = 0;
/**
 * Chooses a new IPv6 network (/48). Returns a function that maps the numbers of a site (/56) and of a household
 * (/64) in that site to an address.
 */
function newNetwork() {
  networks += 1;
  const start = `2001:db8:${networks.toString(16)}`;
  const hex = (byte: number) => byte.toString(16).padStart(2, "0");
  return (site: number, household = 0) => `${start}:${hex(site)}${hex(household)}::1`;
}

const addressLimits = [...new Set(routes.flatMap(({ limiters }) => limiters ?? []))].filter(
  (name) => name !== "login" && ["address", "site"].includes(findRateLimit(name).per),
);

const limited = addressLimits.flatMap((name) =>
  name === "login"
    ? []
    : [
        defineRoute({
          method: "post",
          path: `/api/v1/test/limited-by-${name}`,
          gate: "public",
          set: "additive",
          tag: "Site",
          summary: "x",
          answers: {},
          limiters: [name],
          handle: () => ({ ok: true }),
        }),
      ],
);

/** Limits of one request per household (/64), two per site (/56) and four per network (/48). */
const small = {
  ...unlimited,
  TRUST_PROXY: "loopback",
  RL_SITE_TIMES: "2",
  RL_NETWORK_TIMES: "4",
  ...Object.fromEntries(
    addressLimits.flatMap((name) => (name === "login" ? [] : [[findRateLimit(name).max, "1"]])),
  ),
};

let server: TestServer;
let other: TestServer;
beforeAll(async () => {
  const given = { environment: small, routes: [...routes, ...limited] };
  server = await startTestServer(given);
  other = await startTestServer({ ...given, database: server.database });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

describe("limits per address", () => {
  it("are exactly the limits that this test lists", () => {
    const names = "forgot gameAccount invite linkCodeAddress market mobileExchange ranking refresh";
    expect(addressLimits.toSorted().join(" ")).toBe(`${names} register reset search ssoStart`);
  });

  const use = (name: string, address: string, at = server) =>
    callRoute(at, `POST /test/limited-by-${name}`, {
      headers: headersFromAddress(address),
      body: {},
    });
  const statusOf = async (name: string, address: string, at = server) =>
    (await use(name, address, at)).status;

  it.each(addressLimits)(
    "also count the requests of an IPv6 /56 and of a /48, and of no other network: %s",
    async (name) => {
      const [inNetwork, elsewhere] = [newNetwork(), newNetwork()];
      const isOfSite = name !== "login" && findRateLimit(name).per === "site";
      const at = (site: number, household = 0) => statusOf(name, inNetwork(site, household));
      // A limit with `per: "site"` allows a whole site as much as other limits allow one household.
      expect([await at(0, 1), await at(0, 1)]).toEqual([200, 429]);
      expect([await at(0, 2), await at(0, 3)]).toEqual(isOfSite ? [429, 429] : [200, 429]);
      expect([await at(1, 1), await at(2, 1)]).toEqual([200, 200]);
      expect(await at(3, 1)).toBe(isOfSite ? 200 : 429);
      expect(statusAndBodyOf(await use(name, inNetwork(4)))).toEqual(tooMany);
      expect(await statusOf(name, elsewhere(0))).toBe(200);
    },
  );

  it.each(addressLimits)(
    "also count the requests of an IPv4 /24, and of no other network: %s",
    async (name) => {
      const inNetwork = (host: number) => `203.0.113.${host}`;
      const statuses: number[] = [];
      for (let host = 1; host <= 5; host += 1) statuses.push(await statusOf(name, inNetwork(host)));
      expect(statuses).toEqual([...times(4, 200), 429]);
      expect(await statusOf(name, "203.0.112.1")).toBe(200);
    },
  );

  it("count a network across processes, and store no row for refused requests", async () => {
    await forgetAllLimits(server);
    const inNetwork = newNetwork();
    for (const [site, at] of [server, other, server, other].entries()) {
      expect(await statusOf("forgot", inNetwork(site), at)).toBe(200);
    }
    const keys = await limitKeys(server, "forgot:%");
    // One key for each of four addresses and four sites, and one for the network.
    expect(keys).toHaveLength(9);
    for (let site = 4; site < 24; site += 1) {
      expect(await statusOf("forgot", inNetwork(site), site % 2 ? server : other)).toBe(429);
    }
    expect(await limitKeys(server, "forgot:%")).toEqual(keys);
  });

  it("do not count a request toward its network if its address is already over the limit", async () => {
    const inNetwork = newNetwork();
    expect(await statusOf("invite", inNetwork(0))).toBe(200);
    for (let tries = 0; tries < 6; tries += 1) {
      expect(await statusOf("invite", inNetwork(0), tries % 2 ? server : other)).toBe(429);
    }
    for (const site of [1, 2, 3]) expect(await statusOf("invite", inNetwork(site))).toBe(200);
  });

  it("admit no more simultaneous requests than the network's limit", async () => {
    const inNetwork = newNetwork();
    const statuses = await Promise.all(
      Array.from({ length: 24 }, (_each, site) =>
        statusOf("reset", inNetwork(site), site % 2 ? server : other),
      ),
    );
    // Each request takes one use of the limit, and a refused request returns its use. Concurrent requests may
    // refuse each other, so fewer than four may pass.
    const passed = statuses.filter((status) => status === 200).length;
    expect(passed).toBeLessThanOrEqual(4);
    expect(passed).toBeGreaterThan(0);
  });
});

describe("sign-ins from one network", () => {
  const environment = {
    ...small,
    RL_LOGIN_FAILED_MAX: "3",
    RL_LOGIN_TOTAL_MAX: "5",
    BOT_BAN_SCORE: "1000000",
  };
  let strict: TestServer;
  let second: TestServer;
  beforeAll(async () => {
    strict = await startTestServer({ environment });
    second = await startTestServer({ environment, database: strict.database });
  });
  afterAll(async () => {
    await second.stop();
    await strict.stop();
  });

  const nobody = { username: "nobody", password: "wrong" };
  const logInFrom = (address: string, body: object = nobody, at = strict) =>
    callRoute(at, "POST /auth/login", { headers: headersFromAddress(address), body });
  const failAt = async (address: string, name: string, at = strict) =>
    (await logInFrom(address, { ...nobody, username: name }, at)).status;

  it("are refused after the allowed number of failures in the network, in both processes", async () => {
    const [inNetwork, elsewhere] = [newNetwork(), newNetwork()];
    const user = await createTestUser(strict);
    const statuses: number[] = [];
    for (let tries = 0; tries < 14; tries += 1) {
      const at = tries % 2 ? strict : second;
      statuses.push(await failAt(inNetwork(tries), `n-${tries}`, at));
    }
    expect(statuses).toEqual([...times(12, 401), 429, 429]);
    expect(statusAndBodyOf(await logInFrom(inNetwork(99), user))).toEqual(tooMany);
    expect((await logInFrom(elsewhere(0), user)).status).toBe(200);
  });

  it("lead to no stored block or ban of the network when they fail", async () => {
    const inNetwork = newNetwork();
    for (let tries = 0; tries < 13; tries += 1) await failAt(inNetwork(tries), `b-${tries}`);
    const start = inNetwork(0).split(":").slice(0, 3).join(":");
    expect(await reputationOf(strict, `${start}::/48`)).toBeNull();
    expect(await reputationOf(strict, `${start}::/56`)).toBeNull();
    expect(await reputationOf(strict, `${start}::/64`)).toMatchObject({
      score: 1,
      loginBlockedUntil: null,
    });
  });

  it("get at most as many 401 answers as the network's limit if they are simultaneous", async () => {
    const inNetwork = newNetwork();
    const statuses = await Promise.all(
      Array.from({ length: 30 }, (_each, site) =>
        failAt(inNetwork(site), `m-${site}`, site % 2 ? strict : second),
      ),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(12);
    expect(statuses.filter((status) => status === 429)).toHaveLength(18);
  });

  it("count toward the network's total of sign-ins, but not as failures, if they succeed", async () => {
    const inNetwork = newNetwork();
    const user = await createTestUser(strict);
    const statuses: number[] = [];
    for (let site = 0; site < 21; site += 1) {
      statuses.push((await logInFrom(inNetwork(site), user)).status);
    }
    expect(statuses).toEqual([...times(20, 200), 429]);
  });

  it("count as failures of the network only until their address is blocked", async () => {
    const inNetwork = newNetwork();
    for (let tries = 0; tries < 9; tries += 1) await failAt(inNetwork(0, 1), `k-${tries}`);
    // The address was blocked after three failures. The network allows twelve, so other addresses can still fail.
    expect(await failAt(inNetwork(7), "k")).toBe(401);
  });
});

describe("a sign-in from a network without other attempts", () => {
  itInLongLane(
    "is answered ahead of waiting attempts from sixty addresses of one /48",
    async () => {
      const slow = await startTestServer({
        environment: { TRUST_PROXY: "loopback", BCRYPT_COST: "11", RL_LOGIN_CROWDED: "100ms" },
      });
      try {
        const user = await createTestUser(slow);
        const inNetwork = newNetwork();
        const order: string[] = [];
        const attack = Array.from({ length: 60 }, async (_each, at) => {
          const body = { username: `nobody-${at}`, password: "wrong" };
          await callRoute(slow, "POST /auth/login", {
            headers: headersFromAddress(inNetwork(at)),
            body,
          });
          order.push("attack");
        });
        await waitUntil("passwords wait to be checked", () => isHashQueueBusy());
        const body = { username: user.username, password: user.password };
        const honest = await callRoute(slow, "POST /auth/login", {
          headers: headersFromAddress("192.0.2.9"),
          body,
        });
        order.push("honest");
        await Promise.all(attack);
        expect(honest.status).toBe(200);
        // With one queue for all addresses, this sign-in would be answered last.
        expect(order.length - order.indexOf("honest")).toBeGreaterThan(10);
      } finally {
        await slow.stop();
      }
    },
  );
});

describe("a network whose addresses scan", () => {
  const environment = { TRUST_PROXY: "loopback", BOT_BAN_SCORE: "15", RL_SITE_TIMES: "2" };
  let guarded: TestServer;
  let admin: Readonly<Record<string, string>>;
  beforeAll(async () => {
    guarded = await startTestServer({ environment: { ...environment, RL_NETWORK_TIMES: "3" } });
    admin = (await signIn(guarded, { role: "admin" })).headers;
  });
  afterAll(() => guarded.stop());

  const scan = async (address: string) => {
    for (let tries = 0; tries < 4; tries += 1) {
      await requestUrl(`${guarded.url}/.env`, { headers: headersFromAddress(address) });
    }
  };
  const statusOf = async (address: string) =>
    (await callRoute(guarded, "GET /public/status", { headers: headersFromAddress(address) }))
      .status;
  const listed = async (start: string) => {
    const { body } = await callRoute(guarded, "GET /admin/bans", { headers: admin });
    const { bans } = body as { bans: { ip: string }[] };
    return bans.map(({ ip }) => ip).filter((ip) => ip.startsWith(start));
  };

  it("is banned as a /56, then as a /48, and later scans from it store no more rows", async () => {
    const inNetwork = newNetwork();
    const start = inNetwork(0).split(":").slice(0, 3).join(":");
    await scan(inNetwork(0, 1));
    expect(await statusOf(inNetwork(0, 9))).toBe(200);
    await scan(inNetwork(0, 2));
    expect([await statusOf(inNetwork(0, 9)), await statusOf(inNetwork(1))]).toEqual([403, 200]);
    await scan(inNetwork(1));
    expect([await statusOf(inNetwork(2)), await statusOf("2001:db8:ffff::1")]).toEqual([403, 200]);
    await scan(inNetwork(3));
    expect(await reputationOf(guarded, `${start}:300::/64`)).toBeNull();
    const narrow = [":1::/64", ":100::/64", ":2::/64"].map((end) => `${start}${end}`);
    expect(new Set(await listed(start))).toEqual(
      new Set([...narrow, `${start}::/48`, `${start}::/56`]),
    );
  });

  it("is banned as an IPv4 /24, and is admitted when that ban is lifted", async () => {
    for (const host of [1, 2]) await scan(`203.0.113.${host}`);
    expect(await statusOf("203.0.113.9")).toBe(200);
    await scan("203.0.113.3");
    expect([await statusOf("203.0.113.9"), await statusOf("203.0.112.9")]).toEqual([403, 200]);
    const lift = (ip: string) =>
      callRoute(guarded, `DELETE /admin/bans/${encodeURIComponent(ip)}`, { headers: admin });
    const ip = "203.0.113.0/24";
    expect(statusAndBodyOf(await lift(ip))).toEqual([200, { ip, removed: true }]);
    expect([await statusOf("203.0.113.9"), await statusOf("203.0.113.3")]).toEqual([200, 403]);
    expect(statusAndBodyOf(await lift(ip))).toEqual([200, { ip, removed: false }]);
  });

  it("is admitted when one address is unbanned, which lifts every ban that covers it", async () => {
    const inNetwork = newNetwork();
    for (const household of [1, 2]) await scan(inNetwork(0, household));
    const ip = inNetwork(0, 1);
    expect(await statusOf(ip)).toBe(403);
    const lifted = await callRoute(guarded, `DELETE /admin/bans/${encodeURIComponent(ip)}`, {
      headers: admin,
    });
    expect(statusAndBodyOf(lifted)).toEqual([200, { ip, removed: true }]);
    expect(await statusOf(ip)).toBe(200);
    const start = ip.split(":").slice(0, 3).join(":");
    const lines = await activityOf(guarded, { action: "bot.unbanned" }, ["targetId"]);
    const lifts = lines.map(({ targetId }) => targetId).filter((id) => id?.startsWith(start));
    expect(new Set(lifts)).toEqual(new Set([`${start}:1::/64`, `${start}::/56`]));
  });

  it("is not banned for wrong passwords, filled honeypot fields and dead refresh tokens of its addresses", async () => {
    const inNetwork = newNetwork();
    for (let site = 0; site < 8; site += 1) {
      const headers = headersFromAddress(inNetwork(site));
      const trapped = { username: "n", password: "w", company: "x" };
      await callRoute(guarded, "POST /auth/login", { headers, body: trapped });
      const wrong = { username: `nobody-${site}`, password: "wrong" };
      const refused = await callRoute(guarded, "POST /auth/login", { headers, body: wrong });
      expect(refused.status).toBe(401);
      const body = { refreshToken: "none" };
      await callRoute(guarded, "POST /auth/mobile/refresh", { headers, body });
    }
    const start = inNetwork(0).split(":").slice(0, 3).join(":");
    expect(await reputationOf(guarded, `${start}::/48`)).toBeNull();
    expect(await statusOf(inNetwork(0))).toBe(200);
  });
});

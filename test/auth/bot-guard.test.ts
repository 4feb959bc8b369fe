import { randomInt } from "node:crypto";

import { assert, constantFrom, oneof, property, stringMatching } from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isJunkPath } from "../../api/http/junk-paths.ts";
import { routes } from "../../api/routes.ts";
import { clockNowPlus, selectReadAt, remainingMs } from "../../models/queries/clock.ts";
import { accountNameField } from "../../shared/shard/links/game-accounts.ts";
import { headersFromAddress, newAddress } from "../support/accounts/addresses.ts";
import { createTestUser, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { activityOf } from "../support/factories/site.ts";
import { ageScore, changeReputation } from "../support/factories/users.ts";
import { type ApiAnswer, requestUrl, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { sendRaw } from "../support/http/raw-request.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const environment = { TRUST_PROXY: "loopback" };

let server: TestServer;
let other: TestServer;
let admin: { readonly cookie: string };
beforeAll(async () => {
  server = await startTestServer({ environment });
  other = await startTestServer({ environment, database: server.database });
  admin = (await signIn(server, { role: "admin" })).headers;
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const banned = [403, { error: "Forbidden" }];
const unknown = [404, { error: "Not found" }];

const get = (path: string, address: string, at = server) =>
  requestUrl(at.url + path, { headers: headersFromAddress(address) });
const status = async (address: string, at = server) =>
  statusAndBodyOf(await get("/api/v1/public/status", address, at));

async function ban(address: string, at = server): Promise<void> {
  for (let count = 0; count < 4; count++) await get("/wp-login.php", address, at);
}

/** Reads the reputation of an address. `rest` is the number of seconds until its ban ends. */
async function reputation(key: string) {
  const attributes = ["score", "strikes", "bannedUntil", selectReadAt()];
  const found = await server.context.models.AddressReputation.findByPk(key, { attributes });
  if (!found) return undefined;
  const { score, strikes, bannedUntil } = found;
  const rest = bannedUntil && Math.round(remainingMs(bannedUntil, found) / 1_000);
  return { score, strikes, rest };
}

const junk = [
  "/wp-login.php",
  "/wp-admin",
  "/wp-admin/setup-config.php",
  "/wp-content/plugins/x",
  "/wp-includes/wlwmanifest.xml",
  "/xmlrpc.php",
  "/.env",
  "/.env.production",
  "/.git/config",
  "/.git",
  "/.svn/entries",
  "/.hg/store",
  "/.aws/credentials",
  "/.ssh/id_rsa",
  "/.DS_Store",
  "/.htaccess",
  "/.vscode/sftp.json",
  "/phpMyAdmin/index",
  "/pma/",
  "/adminer",
  "/mysql/",
  "/cgi-bin/luci",
  "/vendor/phpunit/phpunit",
  "/_ignition/execute-solution",
  "/telescope/requests",
  "/actuator/health",
  "/server-status",
  "/solr/admin",
  "/jenkins/login",
  "/manager/html",
  "/console/login/LoginForm",
  "/HNAP1/",
  "/boaform/admin",
  "/owa/auth",
  "/autodiscover/autodiscover.xml",
  "/remote/login",
  "/dana-na/auth",
  "/geoserver/web",
  "/druid/index.html",
  "/nacos/v1",
  "/struts2",
  "/config.json",
  "/config.yml",
  "/backup.zip",
  "/dump.sql",
  "/db/site.sql",
  "/index.php.bak",
  "/a/b/shell.asp",
  "/login.aspx",
  "/x.jsp",
  "/test.cgi",
  "/prod.env",
  "/wp-login.php/",
  "/server-status/",
  "//wp-login.php",
  "/%77p-login.php",
  "/WP-Login.PHP",
  "/api/v1/index.php",
  "/api/.env",
  "/api/.git/config",
];

const harmless = [
  "/",
  "/api/docs",
  "/api/v1/public/status",
  "/api/v1/public/posts/php-is-dead",
  "/api/v1/admin/shardlink/config",
  "/.well-known/assetlinks.json",
  "/.well-known/x.php",
  "/posts/wp-login",
  "/gitlab",
  "/api/v1/public/pages/backup",
  "/%",
];

const methods = ["POST", "HEAD", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "MOVE"];
/** The headers of a CORS preflight request of the site's pages. */
const preflight = { origin: "http://localhost:3000", "access-control-request-method": "POST" };

describe("a path that scanners try", () => {
  it.each(junk)("%s is recognized", (path) => expect(isJunkPath(path)).toBe(true));

  it("gets the same answer as an unknown path", async () => {
    const address = newAddress();
    const plain = await get("/no-such-page", address);
    const scanned = await get("/wp-login.php", address);
    const shape = ({ headers, status: code, text }: ApiAnswer) => {
      const changing = ["x-request-id", "date"];
      const fixed = [...headers].filter(([name]) => !changing.includes(name));
      return [code, fixed, text];
    };
    expect(shape(scanned)).toEqual(shape(plain));
  });

  it.each(methods)(
    "answers 404 and raises the score of the address, also with the method %s",
    async (method) => {
      const address = newAddress();
      const headers = { ...headersFromAddress(address), ...preflight };
      const { status: answered } = await sendRaw(server, { method, path: "/.env", headers });
      expect([answered, (await reputation(address))?.score]).toEqual([404, 4]);
    },
  );
});

describe("legitimate paths", () => {
  it.each(harmless)("%s is not taken for a scanner's path", (path) =>
    expect(isJunkPath(path)).toBe(false),
  );

  it("include every route of the API, with any parameter values", () => {
    const word = stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);
    assert(
      property(constantFrom(...routes), word, ({ path }, value) => {
        expect(isJunkPath(path.replaceAll(/:\w+/g, value))).toBe(false);
      }),
    );
  });

  it("include the route of every game account, even if the name of the account looks like a scanner's path", () => {
    const named = routes.filter(({ path }) => path.includes(":account"));
    const scanned = constantFrom("joe.php", "x.env", "a.git", ".git", ".env", "wp-login.php");
    const isLegal = (account: string) => accountNameField().validate(account).error === undefined;
    const name = oneof(scanned, stringMatching(/^[\x21-\x7E]{1,10}$/)).filter(isLegal);
    assert(
      property(constantFrom(...named), name, ({ path }, account) => {
        const own = path.replace(":account", encodeURIComponent(account)).replaceAll(/:\w+/g, "1");
        expect(isJunkPath(own)).toBe(false);
      }),
    );
  });

  it("reach a game account with a name like a file, and do not raise the score", async () => {
    const address = newAddress();
    const headers = { ...headersFromAddress(address), ...admin };
    for (const account of ["joe.php", "x.env", "a.git", "wp-login.php"]) {
      const answered = await callRoute(server, `GET /player/shard/roster/${account}`, { headers });
      expect(statusAndBodyOf(answered)).not.toEqual(unknown);
    }
    expect(await reputation(address)).toBeUndefined();
  });
});

describe("an address whose bot score is too high", () => {
  it("gets 403 for everything except the paths that scanners try, which answer 404", async () => {
    const address = newAddress();
    for (let count = 0; count < 3; count++) {
      expect(statusAndBodyOf(await get("/.env", address))).toEqual(unknown);
    }
    expect((await status(address))[0]).toBe(200);
    expect(statusAndBodyOf(await get("/.env", address))).toEqual(unknown);
    for (const path of [
      "/api/v1/public/status",
      "/api/v1/public/shard/stream",
      "/api/v1/auth/me",
      "/api/docs",
      "/api/docs.json",
      "/no-such-page",
      "/",
    ]) {
      expect([path, ...statusAndBodyOf(await get(path, address))]).toEqual([path, ...banned]);
    }
    const login = await callRoute(server, "POST /auth/login", {
      headers: headersFromAddress(address),
      body: {},
    });
    expect(statusAndBodyOf(login)).toEqual(banned);
    expect(statusAndBodyOf(await get("/wp-login.php", address))).toEqual(unknown);
    expect((await status(newAddress()))[0]).toBe(200);
  });

  it.each(methods)("gets 403 also with the method %s", async (method) => {
    const address = newAddress();
    await ban(address);
    const headers = { ...headersFromAddress(address), ...preflight };
    for (const path of ["/api/v1/public/status", "/api/v1/auth/login", "/nowhere"]) {
      expect((await sendRaw(server, { method, path, headers })).status).toBe(403);
    }
  });

  it("is soon banned by a second process too", async () => {
    const address = newAddress();
    expect((await status(address, other))[0]).toBe(200);
    await ban(address);
    await waitUntil(
      "the other process knows",
      async () => (await status(address, other))[0] === 403,
    );
  });

  it("is admitted when the ban ends, and is banned for twice as long the next time", async () => {
    const address = newAddress();
    const lengths: (number | null | undefined)[] = [];
    for (let round = 0; round < 3; round++) {
      await ban(address);
      expect(await status(address)).toEqual(banned);
      lengths.push((await reputation(address))?.rest);
      await endBan(address, 0);
      server.context.bans.reload();
      expect((await status(address))[0]).toBe(200);
    }
    expect(lengths.map((seconds) => Math.ceil((seconds ?? 0) / 100) * 100)).toEqual([
      900, 1800, 3600,
    ]);
  });

  it("gets the shortest ban again after a quiet day", async () => {
    const address = newAddress();
    await ban(address);
    await endBan(address, 24 * 3600 + 60);
    server.context.bans.reload();
    await ban(address);
    expect(await reputation(address)).toMatchObject({ strikes: 1, rest: 900 });
  });

  it("is banned once for many simultaneous scans", async () => {
    const address = newAddress();
    await Promise.all(
      Array.from({ length: 20 }, (_each, at) => get("/.env", address, at % 2 ? server : other)),
    );
    expect((await reputation(address))?.strikes).toBe(1);
    const lines = await activityOf(server, { action: "bot.banned", targetId: address }, ["detail"]);
    expect(lines.map(({ detail }) => detail["sign"])).toEqual(["junk"]);
  });

  const endBan = (address: string, agoSeconds: number) =>
    changeReputation(server, address, { score: 0, bannedUntil: clockNowPlus(-1000 * agoSeconds) });
});

describe("the bot score of an address", () => {
  it("halves in ten quiet minutes", async () => {
    const address = newAddress();
    await get("/.env", address);
    await ageScore(server, address, 600);
    await get("/.env", address);
    expect((await reputation(address))?.score).toBeCloseTo(6, 1);
  });

  it("decays over fifty quiet years without an error", async () => {
    const address = newAddress();
    await get("/.env", address);
    await ageScore(server, address, 50 * 365 * 86_400);
    await get("/.env", address);
    expect((await reputation(address))?.score).toBe(4);
  });

  const scoreAfter = async (route: string, body: unknown, headers = {}) => {
    const address = newAddress();
    await callRoute(server, route, {
      headers: { ...headersFromAddress(address), ...headers },
      body,
    });
    return (await reputation(address))?.score ?? 0;
  };

  it("rises by 1 for a failed sign-in and by 10 for a filled honeypot field", async () => {
    const { username, password } = await createTestUser(server);
    const wrong = { username, password: "wrong" };
    expect(await scoreAfter("POST /auth/login", wrong)).toBe(1);
    expect(await scoreAfter("POST /auth/mobile/login", wrong)).toBe(1);
    expect(await scoreAfter("POST /auth/login", { username, password, company: "x" })).toBe(10);
    expect(await scoreAfter("POST /auth/login", { username, password, company: null })).toBe(10);
    expect(await scoreAfter("POST /auth/login", { username, password, company: "" })).toBe(0);
  });

  it("rises by 1 for a wrong code, refresh token or link, and by 0.5 for malformed JSON", async () => {
    const code = { challenge: "none", code: "000000" };
    expect(await scoreAfter("POST /auth/login/totp", code)).toBe(1);
    expect(await scoreAfter("POST /auth/mobile/refresh", { refreshToken: "none" })).toBe(1);
    expect(await scoreAfter("GET /auth/password/reset/none", undefined)).toBe(1);
    expect(await scoreAfter("POST /auth/password/reset/none", { password: "x" })).toBe(1);
    expect(await scoreAfter("GET /auth/invite/none", undefined)).toBe(1);
    expect(await scoreAfter("POST /auth/login", '{"username":')).toBe(0.5);
  });

  it("does not rise for ordinary requests and mistakes", async () => {
    const { username, password } = await createTestUser(server);
    expect(await scoreAfter("POST /auth/login", { username, password })).toBe(0);
    expect(await scoreAfter("POST /auth/login", { username: 5 })).toBe(0);
    expect(await scoreAfter("GET /no-such-page", undefined)).toBe(0);
    expect(await scoreAfter("GET /auth/me", undefined)).toBe(0);
    expect(await scoreAfter("GET /public/status", undefined)).toBe(0);
  });

  it("does not ban an address whose wrong passwords are already throttled", async () => {
    const strict = await startTestServer({
      environment: { ...environment, RL_LOGIN_FAILED_MAX: "10" },
    });
    try {
      const headers = headersFromAddress(newAddress());
      const statuses: number[] = [];
      for (let count = 0; count < 30; count++) {
        const body = { username: `n-${count}`, password: "wrong" };
        statuses.push((await callRoute(strict, "POST /auth/login", { headers, body })).status);
      }
      expect(statuses.filter((code) => code === 401)).toHaveLength(10);
      expect(statuses.filter((code) => code === 429)).toHaveLength(20);
    } finally {
      await strict.stop();
    }
  });
});

describe("the server's own address", () => {
  const scan = async (at: TestServer, headers: Record<string, string> = {}) => {
    for (let count = 0; count < 8; count++) await requestUrl(`${at.url}/.env`, { headers });
    const response = await requestUrl(`${at.url}/api/v1/public/status`, { headers });
    return response.status;
  };

  it("is not banned for requests of a proxy that forwards no address", async () => {
    expect(await scan(server)).toBe(200);
    expect(await scan(server, headersFromAddress("no address"))).toBe(200);
    expect(await reputation("127.0.0.1")).toBeUndefined();
  });

  it("is not banned without a proxy or behind an untrusted proxy", async () => {
    const alone = await startTestServer();
    try {
      expect(await scan(alone)).toBe(200);
      expect(await scan(alone, headersFromAddress(newAddress()))).toBe(200);
    } finally {
      await alone.stop();
    }
  });

  it("is not banned if a client claims to come from it", async () => {
    expect(await scan(server, headersFromAddress("127.0.0.1"))).toBe(200);
  });

  it("is not banned if TRUST_PROXY is true, because the guard bans the last address in X-Forwarded-For", async () => {
    const hops = await startTestServer({ environment: { TRUST_PROXY: "true" } });
    try {
      const address = newAddress();
      for (let count = 0; count < 4; count++) {
        await requestUrl(`${hops.url}/.env`, {
          headers: headersFromAddress(`${newAddress()}, ${address}`),
        });
      }
      expect((await status(address, hops))[0]).toBe(403);
    } finally {
      await hops.stop();
    }
  });
});

describe("GET /admin/bans", () => {
  it("lists the addresses that are banned now", async () => {
    const address = newAddress();
    await ban(address);
    const answered = await callRoute(server, "GET /admin/bans", { headers: admin });
    const { bans } = answered.body as { bans: { ip: string }[] };
    expect(answered.status).toBe(200);
    expect(bans.filter(({ ip }) => ip === address)).toEqual([
      { ip: address, score: expect.any(Number), strikes: 1, banned_until: expect.any(String) },
    ]);
  });

  it("answers 403 to a moderator", async () => {
    const { headers } = await signIn(server, { role: "moderator" });
    expect(statusAndBodyOf(await callRoute(server, "GET /admin/bans", { headers }))).toEqual([
      403,
      { error: "Admin role required" },
    ]);
  });
});

describe("DELETE /admin/bans/:ip", () => {
  const lift = (ip: string) =>
    callRoute(server, `DELETE /admin/bans/${encodeURIComponent(ip)}`, { headers: admin });

  it("lifts the ban at once and resets the score", async () => {
    const address = newAddress();
    await ban(address);
    expect(statusAndBodyOf(await lift(address))).toEqual([200, { ip: address, removed: true }]);
    expect((await status(address))[0]).toBe(200);
    expect(await reputation(address)).toEqual({ score: 0, strikes: 0, rest: null });
    expect(statusAndBodyOf(await lift(address))).toEqual([200, { ip: address, removed: false }]);
    const lines = await activityOf(server, { targetId: address }, ["action", "actorId"]);
    expect(lines).toEqual([
      { action: "bot.banned", actorId: null },
      { action: "bot.unbanned", actorId: expect.any(Number) },
    ]);
  });

  it("accepts a network in the form in which GET /admin/bans lists it", async () => {
    const net = `2001:db8:${randomInt(1, 65536).toString(16)}:5`;
    await ban(`${net}::1`);
    expect(await status(`${net}::2`)).toEqual(banned);
    const ip = `${net}::/64`;
    expect(statusAndBodyOf(await lift(ip))).toEqual([200, { ip, removed: true }]);
    expect((await status(`${net}::2`))[0]).toBe(200);
  });

  it("answers removed: false if there is no ban", async () => {
    for (const ip of ["203.0.113.250", "nonsense", "%"]) {
      expect(statusAndBodyOf(await lift(ip))).toEqual([200, { ip, removed: false }]);
    }
  });
});

import { globSync, readFileSync } from "node:fs";
import path from "node:path";

import express, { type Request } from "express";
import {
  array,
  assert,
  constantFrom,
  integer,
  ipV4,
  ipV6,
  oneof,
  property,
  string,
} from "fast-check";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readRequestOrigin } from "../../api/origin/origin.ts";
import { runChecks } from "../../jobs/commands/run-checks.ts";
import { clockNowPlus } from "../../models/queries/clock.ts";
import { parseForwardedAddress } from "../../shared/platform/net/forwarded-address.ts";
import { normalizeAddress } from "../../shared/platform/net/networks.ts";
import { newAddress } from "../support/accounts/addresses.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { activityOf } from "../support/factories/site.ts";
import { requestUrl, callRoute } from "../support/http/call.ts";
import { startTestServer, testEnvironment, type TestServer } from "../support/service/server.ts";

const lines: { readonly msg: string; readonly form?: string; readonly proxy?: string }[] = [];
const log = pino(
  { level: "warn", base: null },
  { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
);

let server: TestServer;
beforeAll(async () => {
  const environment = { TRUST_PROXY: "loopback", RL_FORGOT_MAX: "2" };
  server = await startTestServer({ environment, log });
});
afterAll(() => server.stop());

const from = (forwarded: string) => ({ "x-forwarded-for": forwarded });
const forgetFrom = async (forwarded: string, at = server): Promise<number> => {
  const options = { headers: from(forwarded), body: { email: "nobody@example.org" } };
  return (await callRoute(at, "POST /auth/password/forgot", options)).status;
};
const scan = async (forwarded: string, at = server): Promise<void> => {
  for (let tries = 0; tries < 4; tries += 1) {
    await requestUrl(`${at.url}/.env`, { headers: from(forwarded) });
  }
};
const statusFrom = async (forwarded: string, at = server): Promise<number> =>
  (await callRoute(at, "GET /public/status", { headers: from(forwarded) })).status;

describe("a forwarded address with a port", () => {
  it("is rate-limited as the address without the port, not as the proxy", async () => {
    const [one, two] = [newAddress(), newAddress()];
    expect([await forgetFrom(`${one}:40001`), await forgetFrom(`${one}:40002`)]).toEqual([
      200, 200,
    ]);
    expect([await forgetFrom(`${one}:40003`), await forgetFrom(one)]).toEqual([429, 429]);
    expect(await forgetFrom(`[::ffff:${one}]:5`)).toBe(429);
    expect([await forgetFrom(`${two}:40001`), await forgetFrom(two)]).toEqual([200, 200]);
  });

  it("is banned without banning other clients of the proxy", async () => {
    const [scanner, neighbor] = [newAddress(), newAddress()];
    await scan(`${scanner}:40001`);
    expect(await statusFrom(`${scanner}:50001`)).toBe(403);
    expect(await statusFrom(`[::ffff:${scanner}]:5`)).toBe(403);
    expect(await statusFrom(`${neighbor}:40001`)).toBe(200);
  });

  it("is rate-limited by its /64 if it is an IPv6 address", async () => {
    const statuses = [
      await forgetFrom("[2001:db8:50::1]:443"),
      await forgetFrom("[2001:db8:50::2]"),
      await forgetFrom("2001:db8:50::3"),
      await forgetFrom("[2001:db8:51::1]:443"),
    ];
    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  it("is recorded without the port", async () => {
    const user = await signIn(server);
    const address = newAddress();
    const body = { username: user.username, password: "wrong" };
    await callRoute(server, "POST /auth/login", { headers: from(`${address}:40001`), body });
    const written = { action: "auth.login.failure", targetId: String(user.userId) };
    const entries = await activityOf(server, written, ["address"]);
    expect(entries).toEqual([{ address }]);
  });

  it("is recognized as a proxy if it is the address of a trusted proxy", async () => {
    const hops = await startTestServer({
      environment: { TRUST_PROXY: "loopback,10.0.0.0/8,fd00::/8", RL_FORGOT_MAX: "1" },
    });
    try {
      const client = newAddress();
      const through = (...proxies: string[]) => forgetFrom([client, ...proxies].join(", "), hops);
      expect(await through("10.0.0.5:3333")).toBe(200);
      expect(await through("[fd00::5]:3333", "::ffff:10.0.0.6")).toBe(429);
      expect(await through("[::ffff:10.0.0.5]:1", "10.0.0.6:2")).toBe(429);
      // The client can forge the entries before an untrusted address, so they must not change the
      // address.
      expect(await through(newAddress(), "10.0.0.5:3333")).toBe(200);
    } finally {
      await hops.stop();
    }
  });
});

describe("a forwarded text that is not an address", () => {
  it("counts against the proxy's rate limit and bans nobody", async () => {
    const forged = newAddress();
    await server.context.rateLimits.deleteCounts(["forgot"], "127.0.0.1");
    expect(await forgetFrom(`${forged}, unknown`)).toBe(200);
    expect(await forgetFrom("_hidden")).toBe(200);
    expect(await forgetFrom(`${newAddress()}:1:2`)).toBe(429);
    // An empty last entry counts against the proxy's limit, because the client may have forged the entry before
    // it.
    expect(await forgetFrom(`${forged},`)).toBe(429);
    expect([await forgetFrom(forged), await forgetFrom(forged)]).toEqual([200, 200]);
    await scan("unknown");
    await scan(`${newAddress()},`);
    expect([await statusFrom("unknown"), await statusFrom("")]).toEqual([200, 200]);
  });

  it("is logged once for each kind of text, without the text itself", async () => {
    for (const text of ["a.example", "b.example", "_c", "c.example"]) await statusFrom(text);
    for (const text of ["for=1.2.3.4", 'for="[::1]"', "for=x"]) await statusFrom(text);
    const ours = lines.filter(({ msg }) => msg.startsWith("X-Forwarded-For"));
    const forms = ours.map(({ form }) => form);
    expect(forms.filter((form) => form?.startsWith("a name"))).toHaveLength(1);
    expect(forms.filter((form) => form?.startsWith("an element"))).toHaveLength(1);
    expect(new Set(forms).size).toBe(forms.length);
    expect(new Set(ours.map(({ proxy }) => proxy))).toEqual(new Set(["127.0.0.1"]));
    expect(JSON.stringify(ours)).not.toContain("example");
  });

  it("is reported by npm run doctor for a day", async () => {
    const environment = { TRUST_PROXY: "loopback" };
    const own = await startTestServer({ environment });
    const find = async () => {
      const findings = await runChecks({ ...testEnvironment(own.database.url), ...environment });
      return findings.find(({ name }) => name === "forwarded");
    };
    try {
      expect(await find()).toMatchObject({ status: "ok" });
      await statusFrom(`${newAddress()}:40001`, own);
      await statusFrom("unknown", own);
      await statusFrom("1.2.3.4:99999", own);
      const { UnreadAddress } = own.context.models;
      await waitUntil("both are noted", async () => (await UnreadAddress.count()) === 2);
      expect(await find()).toEqual({
        name: "forwarded",
        status: "fault",
        detail:
          "X-Forwarded-For contained an invalid IPv4 address or port (from 127.0.0.1); a name, " +
          "such as unknown, _hidden or a host name (from 127.0.0.1): all such clients share one rate limit",
        fix: "let the proxy append the client's IP address, and name only your proxies in TRUST_PROXY",
      });
      await UnreadAddress.update({ seenAt: clockNowPlus(-86_500_000) }, { where: {} });
      expect(await find()).toMatchObject({ status: "ok" });
    } finally {
      await own.stop();
    }
  });

  it("is ignored if the peer is not a trusted proxy", async () => {
    const direct = await startTestServer({ log });
    try {
      const before = lines.length;
      await statusFrom("<script>", direct);
      expect(lines).toHaveLength(before);
    } finally {
      await direct.stop();
    }
  });
});

describe("the origin address of a request", () => {
  const peer = "10.9.9.9";
  function originWith(trusted: number | string[], header: string | undefined) {
    const app = express();
    app.set("trust proxy", trusted);
    const headers = header === undefined ? {} : { "x-forwarded-for": header };
    return readRequestOrigin({
      app,
      headers,
      socket: { remoteAddress: peer },
    } as unknown as Request);
  }

  const entry = oneof(
    ipV4(),
    ipV6(),
    ipV4().map((address) => `${address}:40001`),
    ipV6().map((address) => `[${address}]:40001`),
    constantFrom("", " ", "unknown", '"', "for=1.1.1.1", "[", "1.1.1.1:", "[::ffff:1.2.3.4]:5"),
    string({ unit: "binary", maxLength: 12 }).map((text) => text.replaceAll(",", "")),
  );
  const entries = array(entry, { minLength: 1, maxLength: 5 });
  const readOrPeer = (text: string): string => {
    const result = parseForwardedAddress(text);
    return "address" in result ? result.address : peer;
  };

  it("is the address that the last of the trusted hops wrote, or the peer", () => {
    assert(
      property(entries, integer({ min: 0, max: 6 }), (written, hops) => {
        const { address, isBannable } = originWith(hops, written.join(","));
        const at = Math.max(0, written.length - hops);
        expect(address).toBe(hops === 0 ? peer : readOrPeer(written[at] ?? ""));
        expect(isBannable && hops > 0 && address === peer).toBe(false);
        expect(normalizeAddress(address)).toBe(address);
      }),
      { numRuns: 500 },
    );
  });

  it("is the address that the last trusted proxy wrote, whatever a client puts before it", () => {
    const proxies = array(constantFrom("10.0.0.1", "10.0.0.1:9", "::ffff:10.0.0.2"), {
      maxLength: 3,
    });
    const foreign = entry.filter((text) => !readOrPeer(text).startsWith("10."));
    assert(
      property(entries, foreign, proxies, (forged, client, between) => {
        const header = [...forged, client, ...between].join(",");
        const expected = readOrPeer(client);
        expect(originWith(["10.0.0.0/8"], header).address).toBe(expected);
        // The search goes back from the last entry and ends at the first untrusted one, so entries
        // before it never matter.
        expect(originWith(["10.0.0.0/8"], [client, ...between].join(",")).address).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("is the peer if nothing was forwarded", () => {
    expect(originWith(1, undefined)).toMatchObject({ address: peer, isBannable: false });
    expect(originWith(0, "1.2.3.4")).toMatchObject({ address: peer, isBannable: true });
  });

  it("stays the same after the connection is closed", () => {
    const app = express();
    app.set("trust proxy", false);
    const socket: { remoteAddress?: string } = { remoteAddress: peer };
    const request = { app, headers: {}, socket } as unknown as Request;
    expect(readRequestOrigin(request).address).toBe(peer);
    delete socket.remoteAddress;
    expect(readRequestOrigin(request).address).toBe(peer);
  });

  it("is read from Express, a socket or the header in only one file", () => {
    const root = path.join(import.meta.dirname, "../..");
    const asks =
      /\b(?:request|req)\.ips?\b|remoteAddress|["'`]x-forwarded-for["'`]|\bip[,}] = request/i;
    const files = globSync("{api,jobs,shared}/**/*.ts", { cwd: root });
    const asking = files.filter((file) => asks.test(readFileSync(path.join(root, file), "utf8")));
    expect(asking).toEqual(["api/origin/origin.ts"]);
  });
});

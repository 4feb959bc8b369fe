import { assert, asyncProperty, constantFrom, record } from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { findRateLimit } from "../../shared/platform/throttle/limit-catalog.ts";
import { headersFromAddress, newAddress } from "../support/accounts/addresses.ts";
import { createTestUser, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { reputationOf } from "../support/factories/users.ts";
import { requestUrl, callRoute } from "../support/http/call.ts";
import { openStream } from "../support/http/event-stream.ts";
import { propertyRunsOf } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

/** The value of every limit in this file. Delays and bans are off. */
const max = 2;
const limitNames = routes
  .flatMap(({ limiters }) => limiters ?? [])
  .map((name) => (name === "login" ? "loginTotal" : name));
const limited = Object.fromEntries(
  ([...limitNames, "mobileStart"] as const).map((name) => [findRateLimit(name).max, String(max)]),
);

const site = "http://localhost:3000";
const environment = { TRUST_PROXY: "loopback", SSE_MAX_PER_IP: String(max), ...limited };

let server: TestServer;
let other: TestServer;
/** A process without limits, in which the tests sign users in. */
let open: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment });
  const { database } = server;
  other = await startTestServer({ environment, database });
  open = await startTestServer({ environment: unlimited, database });
});
afterAll(async () => {
  await open.stop();
  await other.stop();
  await server.stop();
});

type Headers = Readonly<Record<string, string>>;

const fetchMetadata = (sender: string, mode: string, destination: string): Headers => ({
  "sec-fetch-site": sender,
  "sec-fetch-mode": mode,
  "sec-fetch-dest": destination,
});

/** Headers of requests that a page of another site or subdomain causes. */
const crossSiteHeaders: Readonly<Record<string, Headers>> = {
  "a link of another site": fetchMetadata("cross-site", "navigate", "document"),
  "a link of a subdomain": fetchMetadata("same-site", "navigate", "document"),
  "a form of another site": {
    ...fetchMetadata("cross-site", "navigate", "document"),
    origin: "https://evil.example",
  },
  "fetch without CORS from another site": fetchMetadata("cross-site", "no-cors", "empty"),
  "fetch without CORS from a subdomain": fetchMetadata("same-site", "no-cors", "empty"),
  "fetch from a page without an origin": {
    ...fetchMetadata("cross-site", "cors", "empty"),
    origin: "null",
  },
  "a link whose page is another site's by its Referer": {
    ...fetchMetadata("cross-site", "navigate", "document"),
    referer: "https://evil.example/http://localhost:3000/",
  },
};

/** Headers of a browser that sends no fetch metadata, for a page of another site. */
const unmarked: Headers = { origin: "https://evil.example" };

/** Headers of embedded resources and of prefetches. Loads by the site's own pages are included. */
const embedded: Readonly<Record<string, Headers>> = {
  ...Object.fromEntries(
    ["image", "script", "style", "font", "audio", "iframe", "object", "serviceworker"].flatMap(
      (destination) =>
        ["same-origin", "same-site", "cross-site"].map((sender) => [
          `a load of a page as ${destination}, ${sender}`,
          fetchMetadata(sender, destination === "iframe" ? "navigate" : "no-cors", destination),
        ]),
    ),
  ),
  "a prefetch of another site": {
    ...fetchMetadata("cross-site", "no-cors", "empty"),
    "sec-purpose": "prefetch",
  },
  "a prerendering of the site's own": {
    ...fetchMetadata("same-origin", "navigate", "document"),
    "sec-purpose": "prefetch;prerender",
  },
};

/** Headers that the API accepts: from the address bar, the site's pages, the web app and programs. */
const sameSiteHeaders: Readonly<Record<string, Headers>> = {
  "a program": {},
  "the address bar": fetchMetadata("none", "navigate", "document"),
  "a page of the site": fetchMetadata("same-origin", "cors", "empty"),
  "the web app of another origin": { ...fetchMetadata("same-site", "cors", "empty"), origin: site },
  "a link of the web app of another origin": {
    ...fetchMetadata("same-site", "navigate", "document"),
    referer: `${site}/account`,
  },
  "an app with a token": {
    ...fetchMetadata("cross-site", "cors", "empty"),
    authorization: "Bearer none",
  },
};

const cases = (of: Readonly<Record<string, Headers>>) => Object.entries(of);

/** Sends requests to two processes in turn. */
async function repeat(times: number, send: (at: TestServer) => Promise<{ status: number }>) {
  const statuses: number[] = [];
  for (let count = 0; count < times; count++) {
    statuses.push((await send(count % 2 ? other : server)).status);
  }
  return statuses;
}

describe("a path that scanners try", () => {
  const scan = async (headers: Headers) => {
    const address = newAddress();
    const statuses = await repeat(8, (at) =>
      requestUrl(`${at.url}/wp-login.php`, {
        headers: { ...headersFromAddress(address), ...headers },
      }),
    );
    const { status } = await callRoute(server, "GET /public/status", {
      headers: headersFromAddress(address),
    });
    return [new Set(statuses), (await reputationOf(server, address))?.score ?? 0, status];
  };

  it.each([
    ...cases(crossSiteHeaders),
    ...cases(embedded),
    ["a link in a text of the site", fetchMetadata("same-origin", "navigate", "document")] as const,
  ])(
    "answers 404 without raising the score if a web page requests it: %s",
    async (_name, headers) => {
      expect(await scan(headers)).toEqual([new Set([404]), 0, 200]);
    },
  );

  it.each([
    ["a program", {}],
    ["a browser's address bar", fetchMetadata("none", "navigate", "document")],
    ["a client whose header value no browser sends", { "sec-fetch-site": "elsewhere" }],
  ] as const)("leads to a ban if it is requested by %s", async (_name, headers) => {
    const [statuses, score, status] = await scan(headers);
    expect([statuses, status]).toEqual([new Set([404]), 403]);
    expect(score).toBeGreaterThan(15);
  });
});

const named = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`;
const limitedRoutes = routes.filter(({ limiters }) => limiters);
const streams = routes.filter(({ holdsStream }) => holdsStream);
const refusal = [403, "cross_site"];

/**
 * Routes that links of other sites and apps may open to begin a sign-in. Requests to these routes have a separate
 * limit.
 */
const counted = ["GET /api/v1/auth/mobile/sso/start", "GET /api/v1/auth/sso/:provider/start"];

const queries: Readonly<Record<string, string>> = { "GET /api/v1/public/search": "?q=town" };

interface Sender {
  readonly at: TestServer;
  readonly address: string;
  readonly user: SignedIn;
  readonly headers?: Headers;
}

async function sendTo(route: Route, { at, address, user, headers = {} }: Sender) {
  const path = route.path.replaceAll(/:\w+/g, "7") + (queries[named(route)] ?? "");
  const answered = await requestUrl(at.url + path, {
    method: route.method.toUpperCase(),
    headers: { ...headersFromAddress(address), ...user.headers, ...headers },
    ...(route.body && { body: {} }),
  });
  return { status: answered.status, code: answered.headers.get("x-error-code") };
}

const newSender = async () => ({
  address: newAddress(),
  user: await signIn(open, { role: "admin" }),
});

describe("a route with a limit", () => {
  const refusing = limitedRoutes.filter((route) => !counted.includes(named(route)));
  const apart = limitedRoutes.filter((route) => counted.includes(named(route)));

  it("answers requests from foreign pages only if the route begins a sign-in at a provider", () => {
    expect(apart.map(named).toSorted()).toEqual(counted);
    expect(apart.filter(({ method }) => method !== "get")).toEqual([]);
    const secret = routes.filter(({ path }) => path.includes(":token"));
    expect(secret.filter((route) => !refusing.includes(route))).toEqual([]);
  });

  it.each(refusing.map((route) => [named(route), route] as const))(
    "rejects requests of foreign pages and embedded content, and does not count them: %s",
    async (_name, route) => {
      const sender = await newSender();
      const all = [...Object.values({ ...crossSiteHeaders, ...embedded }), unmarked];
      for (const [at, headers] of all.entries()) {
        const { status, code } = await sendTo(route, {
          ...sender,
          at: at % 2 ? other : server,
          headers,
        });
        expect([headers, status, code]).toEqual([headers, ...refusal]);
      }
      const { code } = await sendTo(route, { ...sender, at: server });
      expect(["rate_limited", "cross_site"]).not.toContain(code);
    },
  );

  it.each(apart.map((route) => [named(route), route] as const))(
    "admits requests of a foreign page and counts them separately: %s",
    async (_name, route) => {
      for (const headers of Object.values(crossSiteHeaders)) {
        const sender = await newSender();
        // Some limits are counted per process, so send all requests to one.
        const codes: (string | null)[] = [];
        for (let count = 0; count < max + 1; count++) {
          codes.push((await sendTo(route, { ...sender, at: server, headers })).code);
        }
        expect(codes.slice(0, max)).not.toContain("rate_limited");
        expect(codes.slice(0, max)).not.toContain("cross_site");
        expect(codes.at(-1)).toBe("rate_limited");
        const { code } = await sendTo(route, { ...sender, at: server });
        expect(["rate_limited", "cross_site"]).not.toContain(code);
      }
    },
  );

  it.each(apart.map((route) => [named(route), route] as const))(
    "rejects requests of embedded content, and counts them toward no limit: %s",
    async (_name, route) => {
      const sender = await newSender();
      for (const headers of Object.values(embedded)) {
        const { status, code } = await sendTo(route, { ...sender, at: server, headers });
        expect([headers, status, code]).toEqual([headers, ...refusal]);
      }
      for (const headers of [{}, crossSiteHeaders["a link of another site"]]) {
        const { code } = await sendTo(route, {
          ...sender,
          at: server,
          ...(headers && { headers }),
        });
        expect(["rate_limited", "cross_site"]).not.toContain(code);
      }
    },
  );

  it.each(cases(sameSiteHeaders))(
    "counts a same-site request like a request of the site itself: %s",
    async (_name, headers) => {
      const address = newAddress();
      const readRoute = (at: TestServer) =>
        callRoute(at, "GET /auth/invite/none", {
          headers: { ...headersFromAddress(address), ...headers },
        });
      expect(await repeat(max + 2, readRoute)).toEqual([404, 404, 429, 429]);
    },
  );
});

describe("a program that forges browser headers", () => {
  const forged = record(
    {
      "sec-fetch-site": constantFrom(
        "none",
        "same-origin",
        "same-site",
        "cross-site",
        "cross-site, none",
        "elsewhere",
      ),
      "sec-fetch-dest": constantFrom("document", "empty", "image", "image, empty", "none"),
      "sec-purpose": constantFrom("prefetch", "none"),
      origin: constantFrom(site, "https://evil.example", "null", "capacitor://localhost"),
      referer: constantFrom(`${site}/`, "https://evil.example/", "none"),
      authorization: constantFrom("Bearer none", "Basic bm9uZTpub25l"),
    },
    { requiredKeys: [] },
  );

  it("is refused or rate-limited at every limited route", async () => {
    const attack = asyncProperty(constantFrom(...limitedRoutes), forged, async (route, headers) => {
      const sender = await newSender();
      const codes: (string | null)[] = [];
      for (let count = 0; count < max + 1; count++) {
        codes.push((await sendTo(route, { ...sender, at: server, headers })).code);
      }
      const isRefused = codes.every(
        (code) => code === "cross_site" || code === "not_authenticated",
      );
      expect([named(route), headers, isRefused || codes.at(-1)]).toEqual([
        named(route),
        headers,
        isRefused || "rate_limited",
      ]);
    });
    await assert(attack, { numRuns: propertyRunsOf(120) });
  });

  it.each(limitedRoutes.map((route) => [named(route), route] as const))(
    "is admitted at most as often as the limit allows, or twice as often at routes that begin sign-ins: %s",
    async (name, route) => {
      const sender = await newSender();
      const all = { ...crossSiteHeaders, ...embedded, ...sameSiteHeaders };
      const codes: (string | null)[] = [];
      for (const { authorization, ...headers } of [...Object.values(all), ...Object.values(all)]) {
        if (authorization !== undefined) continue;
        codes.push((await sendTo(route, { ...sender, at: server, headers })).code);
      }
      // Later requests may be unauthenticated, because an earlier one may have ended the session.
      const refusals: readonly unknown[] = ["cross_site", "rate_limited", "not_authenticated"];
      const answered = codes.filter((code) => !refusals.includes(code));
      expect(answered.length).toBeGreaterThan(0);
      expect(answered.length).toBeLessThanOrEqual(counted.includes(name) ? 2 * max : max);
    },
  );
});

describe("a correct secret", () => {
  const marks = cases({ ...crossSiteHeaders, ...embedded });

  it("is rejected from foreign pages without raising the score if it belongs to an invitation link", async () => {
    const { headers: admin } = await signIn(open, { role: "admin" });
    const body = { role: "player" };
    const made = await callRoute(server, "POST /admin/invites", { headers: admin, body });
    const { acceptUrl } = made.body as { acceptUrl: string };
    const path = `GET /auth/invite/${acceptUrl.split("#token=")[1]}`;
    const address = newAddress();
    for (const [name, headers] of marks) {
      const { status } = await callRoute(server, path, {
        headers: { ...headersFromAddress(address), ...headers },
      });
      expect([name, status]).toEqual([name, 403]);
    }
    expect((await callRoute(server, path, { headers: headersFromAddress(address) })).status).toBe(
      200,
    );
    expect(await reputationOf(server, address)).toBeNull();
  });

  it.each(["POST /auth/login", "POST /auth/mobile/login"])(
    "opens no session from a foreign page if it is a user's password: %s",
    async (route) => {
      const { username, password } = await createTestUser(server);
      const address = newAddress();
      for (const [name, headers] of marks) {
        const answered = await callRoute(server, route, {
          headers: { ...headersFromAddress(address), ...headers },
          body: { username, password },
        });
        expect([name, answered.status, answered.setCookies]).toEqual([name, 403, []]);
      }
      const right = { headers: headersFromAddress(address), body: { username, password } };
      expect((await callRoute(server, route, right)).status).toBe(200);
    },
  );
});

describe("an event stream", () => {
  it("is answered exactly by the routes that declare holdsStream", () => {
    const isStream = ({ answers }: Route) => JSON.stringify(answers).includes("text/event-stream");
    expect(streams).toEqual(routes.filter(isStream));
    expect(streams).toHaveLength(4);
  });

  it.each(streams.map((route) => [named(route), route] as const))(
    "rejects foreign pages and embedded loads without using up the address's streams: %s",
    async (_name, { path }) => {
      const address = newAddress();
      const { id } = await buildSurvivalServer(open);
      const url = server.url + path.replace(":id", String(id));
      const { headers: session } = await signIn(open, { role: "admin" });
      for (const [name, headers] of cases({ ...crossSiteHeaders, ...embedded })) {
        const sent = { headers: { ...headersFromAddress(address), ...session, ...headers } };
        const answered = await requestUrl(url, sent);
        expect([name, answered.status, answered.headers.get("x-error-code")]).toEqual([
          name,
          ...refusal,
        ]);
      }
      const clients = [];
      for (const headers of Object.values(sameSiteHeaders).filter(
        ({ authorization }) => !authorization,
      )) {
        const sent = { headers: { ...headersFromAddress(address), ...session, ...headers } };
        const client = await openStream(url, sent);
        await client.waitFor(({ event }) => event !== undefined);
        clients.push(client);
      }
      const firsts = clients.map(({ blocks }) => blocks.find(({ event }) => event)?.event);
      expect(firsts).toEqual(["hello", "hello", ...firsts.slice(max).map(() => "bye")]);
      for (const client of clients) client.close();
    },
  );
});

describe("a public route", () => {
  it.each([...cases(crossSiteHeaders), ...cases(embedded)])(
    "answers 200 to %s",
    async (_name, headers) => {
      expect((await callRoute(server, "GET /public/status", { headers })).status).toBe(200);
    },
  );
});

import type Joi from "joi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { clockNowPlus } from "../../models/queries/clock.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { storeSetting } from "../support/factories/site.ts";
import { buildReputation } from "../support/factories/users.ts";
import { requestUrl, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { changeSurvivalVisibility } from "../support/survival/survival-visibility.ts";

const from = (address: string) => ({ "x-forwarded-for": address });
const banned = "203.0.113.1";
/** A client IP address that has reached all rate limits. */
const spent = "203.0.113.2";
let addresses = 0;
/** Returns a client IP address that has not been used before. */
const newAddress = () => `198.51.100.${(addresses += 1)}`;

/** The rate limit of each client IP address and of each user. */
const limit = 5;

let server: TestServer;
let admin: SignedIn;
let editor: SignedIn;
let moderator: SignedIn;
let player: SignedIn;
let spentPlayer: SignedIn;
let post: { readonly id: number };
beforeAll(async () => {
  server = await startTestServer({
    environment: {
      ...unlimited,
      TRUST_PROXY: "loopback",
      RL_LINK_CODE_MAX: String(limit),
      RL_LINK_CODE_IP_MAX: String(limit),
      RL_MARKET_MAX: String(limit),
    },
  });
  admin = await signIn(server, { role: "admin" });
  editor = await signIn(server, { role: "editor" });
  moderator = await signIn(server, { role: "moderator" });
  [player, spentPlayer] = [await signIn(server), await signIn(server)];
  const body = { title: "There", body: "There" };
  const made = await callRoute(server, "POST /admin/posts", { headers: editor.headers, body });
  post = made.body as typeof post;
  await buildReputation(server, { addressKey: banned, bannedUntil: clockNowPlus(3_600_000) });
});
afterAll(() => server.stop());

/** A request that is valid until a fault changes it. */
interface ValidRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * A fault of the request or of the site, and the refusal it causes. `spoil` changes the request;
 * `begin` and `end` change the site.
 */
interface Fault {
  readonly refusal: readonly [number, object];
  readonly spoil?: (asked: ValidRequest) => ValidRequest;
  readonly begin?: () => Promise<unknown>;
  readonly end?: () => Promise<unknown>;
}

const error = (words: string) => ({ error: words });
const wrong = (path: string, message: string): Fault["refusal"] => [
  400,
  { error: "Validation failed", errors: [{ path, message }] },
];

const withHeaders =
  (given: Readonly<Record<string, string>>) =>
  (asked: ValidRequest): ValidRequest => ({ ...asked, headers: { ...asked.headers, ...given } });
const withPath =
  (path: string) =>
  (asked: ValidRequest): ValidRequest => ({ ...asked, path });
const withBody =
  (body: string) =>
  (asked: ValidRequest): ValidRequest => ({ ...asked, body });

async function set(name: string, value: unknown): Promise<void> {
  await storeSetting(server, name, value);
  const { siteMode, settings } = server.context;
  await Promise.all([siteMode.reload(), settings.reload()]);
}

const mode = (site_mode: string) => set("site_mode", { site_mode, status_message: null });

/** Faults that may occur on each route, by name. */
const common = {
  "from a banned address": {
    refusal: [403, error("Forbidden")],
    spoil: withHeaders(from(banned)),
  },
  "of an address that asks too often": {
    refusal: [429, error("Too many requests")],
    spoil: withHeaders(from(spent)),
  },
  "to a closed site": {
    refusal: [503, error("The site is closed")],
    begin: () => mode("closed"),
    end: () => mode("live"),
  },
  "by nobody": {
    refusal: [401, error("Not authenticated")],
    spoil: (asked) => ({ ...asked, headers: { ...asked.headers, cookie: "" } }),
  },
  "of a page of another site": {
    refusal: [403, error("Cross-site request refused")],
    spoil: withHeaders({ "sec-fetch-site": "cross-site" }),
  },
  "with a body that is no JSON": {
    refusal: [415, error("The body must be application/json")],
    spoil: withHeaders({ "content-type": "text/plain" }),
  },
  "with a body that is broken": {
    refusal: [400, error("Invalid JSON")],
    spoil: withBody("{"),
  },
} satisfies Readonly<Record<string, Fault>>;

/**
 * Sends a request with all faults, then removes one fault at a time in their order and sends it again.
 * @returns the answers by the first remaining fault, and the answer without faults
 */
async function peel(right: ValidRequest, faults: Readonly<Record<string, Fault>>) {
  const left = Object.entries(faults);
  const answers: Record<string, unknown> = {};
  for (const [, { begin }] of left) await begin?.();
  for (let fault = left[0]; fault; fault = left[0]) {
    const [name, { end }] = fault;
    answers[name] = statusAndBodyOf(await send(spoiled(right, left)));
    await end?.();
    left.shift();
  }
  return { answers, last: await send(right) };
}

/**
 * Applies the faults from the last to the first, so that an earlier fault may replace the change of
 * a later one.
 */
const spoiled = (
  right: ValidRequest,
  faults: readonly (readonly [string, Fault])[],
): ValidRequest => faults.reduceRight((asked, [, { spoil }]) => spoil?.(asked) ?? asked, right);

const send = ({ path, headers, ...asked }: ValidRequest) =>
  requestUrl(`${server.url}/api/v1${path}`, {
    ...asked,
    headers: { ...from(newAddress()), ...headers },
  });

const refusalsOf = (faults: Readonly<Record<string, Fault>>) =>
  Object.fromEntries(Object.entries(faults).map(([name, { refusal }]) => [name, refusal]));

/** The headers that a browser sends for a page of the site itself. */
const ownPage = { "sec-fetch-site": "same-origin", "content-type": "application/json" };

describe("the order of error answers to a request with many faults", () => {
  it("is fixed for a staff write to a row", async () => {
    const read = await callRoute(server, `GET /admin/posts/${post.id}`, {
      headers: editor.headers,
    });
    const current = read.body;
    const faults: Readonly<Record<string, Fault>> = {
      "from a banned address": common["from a banned address"],
      "for a path that is none": {
        refusal: [404, error("Not found")],
        spoil: withPath("/admin/nowhere/x"),
      },
      "to a closed site": common["to a closed site"],
      "by nobody": common["by nobody"],
      "of a page of another site": common["of a page of another site"],
      "by staff without the second factor that they need": {
        refusal: [403, error("This site requires a second factor for staff: set one up")],
        begin: () => set("staff_second_factor_required", true),
        end: () => set("staff_second_factor_required", false),
      },
      "by another role": {
        refusal: [403, error("Admin or editor role required")],
        spoil: withHeaders(moderator.headers),
      },
      "with an id that is none": {
        refusal: wrong("id", "id must be a number"),
        spoil: withPath("/admin/posts/x"),
      },
      "of what is not there": {
        refusal: [404, error("Unknown post")],
        spoil: withPath("/admin/posts/999999"),
      },
      "with a body that is no JSON": common["with a body that is no JSON"],
      "with a body that is broken": common["with a body that is broken"],
      "with a field that is wrong": {
        refusal: wrong("title", "title must be a string"),
        spoil: withBody('{"title":1,"base_revision":7}'),
      },
      "of what has changed since": {
        refusal: [
          409,
          { ...error("The change is based on revision 7, and 1 is the newest"), current },
        ],
        spoil: withBody('{"title":"Another","base_revision":7}'),
      },
    };
    const right = {
      method: "PUT",
      path: `/admin/posts/${post.id}`,
      headers: { ...ownPage, ...editor.headers },
      body: '{"title":"Another","base_revision":1}',
    };
    const { answers, last } = await peel(right, faults);
    expect(answers).toEqual(refusalsOf(faults));
    expect([last.status, last.body]).toEqual([200, expect.objectContaining({ title: "Another" })]);
  });

  it("is fixed for a write with rate limits by address and by user", async () => {
    const link = { method: "POST", path: "/player/shard/link" };
    const code = '{"code":"8F3K-22QX"}';
    for (let count = 0; count < limit; count++) {
      const headers = { ...ownPage, ...from(spent), ...spentPlayer.headers };
      await send({ ...link, headers, body: "{}" });
    }
    const faults: Readonly<Record<string, Fault>> = {
      "from a banned address": common["from a banned address"],
      "of an address that asks too often": common["of an address that asks too often"],
      "to a closed site": common["to a closed site"],
      "by nobody": common["by nobody"],
      "of a page of another site": common["of a page of another site"],
      "by a user who asks too often": {
        refusal: [429, error("Too many requests")],
        spoil: withHeaders(spentPlayer.headers),
      },
      "with a body that is no JSON": common["with a body that is no JSON"],
      "with a body that is broken": common["with a body that is broken"],
      "with a field that is missing": {
        refusal: wrong("code", "code is required"),
        spoil: withBody("{}"),
      },
    };
    const right = { ...link, headers: { ...ownPage, ...player.headers }, body: code };
    const { answers, last } = await peel(right, faults);
    expect(answers).toEqual(refusalsOf(faults));
    expect(statusAndBodyOf(last)).toEqual([503, error("The game server cannot be reached")]);
  });

  it("is fixed for a public read of a feature", async () => {
    const market = { method: "GET", path: "/public/shard/market" };
    for (let count = 0; count < limit; count++) await send({ ...market, headers: from(spent) });
    const show = (enabled: boolean) =>
      callRoute(server, "PUT /admin/shard/visibility", {
        headers: admin.headers,
        body: { features: { market: { enabled } } },
      });
    const faults: Readonly<Record<string, Fault>> = {
      "from a banned address": common["from a banned address"],
      "with a method that is none of the path's": {
        refusal: [405, error("Method not allowed")],
        spoil: (asked) => ({ ...asked, method: "DELETE" }),
      },
      "of an address that asks too often": common["of an address that asks too often"],
      "to a closed site": common["to a closed site"],
      "of a feature that is switched off": {
        refusal: [404, error("Not found")],
        begin: () => show(false),
        end: () => show(true),
      },
      "with a query that is wrong": {
        refusal: wrong("limit", "limit must be a number"),
        spoil: withPath(`${market.path}?limit=x`),
      },
    };
    const { answers, last } = await peel({ ...market, headers: {} }, faults);
    expect(answers).toEqual(refusalsOf(faults));
    expect([last.status, last.body]).toEqual([200, expect.objectContaining({ total: 0 })]);
  });

  it("is fixed for a write with an API token", async () => {
    const make = async (given: object) => {
      const body = { name: "crier", role: "editor", scopes: ["content:write"], ...given };
      const made = await callRoute(server, "POST /admin/tokens", { headers: admin.headers, body });
      return { authorization: `Bearer ${(made.body as { secret: string }).secret}` };
    };
    const faults: Readonly<Record<string, Fault>> = {
      "from a banned address": common["from a banned address"],
      "with a token that is none": {
        refusal: [401, error("Not authenticated")],
        spoil: withHeaders({ authorization: "Bearer ght_none" }),
      },
      "with a token without the scope": {
        refusal: [403, error("The token lacks the scope content:write")],
        spoil: withHeaders(await make({ role: "player", scopes: ["content:read"] })),
      },
      "with a token of another role": {
        refusal: [403, error("Admin or editor role required")],
        spoil: withHeaders(await make({ role: "moderator" })),
      },
      "with an id that is none": {
        refusal: wrong("id", "id must be a number"),
        spoil: withPath("/admin/posts/x"),
      },
      "with a body that is broken": common["with a body that is broken"],
    };
    const right = {
      method: "PUT",
      path: `/admin/posts/${post.id}`,
      headers: { "content-type": "application/json", ...(await make({})) },
      body: '{"title":"By a program"}',
    };
    const { answers, last } = await peel(right, faults);
    expect(answers).toEqual(refusalsOf(faults));
    expect([last.status, last.body]).toEqual([
      200,
      expect.objectContaining({ title: "By a program" }),
    ]);
  });
});

const named = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;

describe("routes restricted to the audience of player profiles", () => {
  const gated = routes.filter(({ sees }) => sees === "profiles");
  /** An invalid id and an unknown id. */
  const ids = ["x", "76561198999999999"];
  /** No query, a query with an unknown server, and an invalid query. */
  const queries = ["", "?server=999999", "?wipe=x"];

  beforeAll(() => changeSurvivalVisibility(server, { profiles: "player" }));
  afterAll(() => changeSurvivalVisibility(server, { profiles: null }));

  it("are the player pages and the NPC kill rankings", () => {
    expect(gated.map(named).toSorted()).toEqual([
      "GET /api/v1/public/survival/players/:steamId",
      "GET /api/v1/public/survival/players/:steamId/profiles",
      "GET /api/v1/public/survival/profiles",
      "GET /api/v1/public/survival/profiles/:key/ranking",
    ]);
  });

  it.each(gated.map((route) => [named(route), route] as const))(
    "answer 403 to other callers before they check path and query: %s",
    async (_name, route) => {
      for (const value of ids) {
        for (const query of queries) {
          const path = route.path.replaceAll(/:\w+/g, value) + query;
          const answered = await requestUrl(server.url + path, { headers: from(newAddress()) });
          expect([path, ...statusAndBodyOf(answered)]).toEqual([path, 403, error("Forbidden")]);
        }
      }
    },
  );
});

describe("a route whose path names an object", () => {
  /** Routes that look up the object of the path after the body, by reason. */
  const exceptions: Readonly<Record<string, string>> = {
    "POST /api/v1/admin/shard/pages/:id/respond": "the game server alone knows its help pages",
    "GET /api/v1/auth/sso/:provider/callback": "the sign-in that the query names is of a provider",
  };
  // An unknown report key is refused with 401, not 404.
  const reading = routes.filter(
    ({ path, gate, body, query }) => path.includes(":") && gate !== "reportKey" && (body ?? query),
  );

  /** Unknown ids, one for each format of a path parameter. */
  const unknown = ["999999", "76561198999999999", "0x7FFFFFF1"];
  const pathOf = ({ path, params }: Route): string =>
    path.replaceAll(/:(\w+)/g, (_, name: string) => {
      const form = (params as Joi.ObjectSchema).extract(name);
      return unknown.find((value) => form.validate(value).error === undefined) ?? "";
    });
  /** Returns a query that sets each parameter of the route to a text with a forbidden character. */
  const queryOf = ({ query }: Route): string =>
    Object.keys((query as Joi.ObjectSchema | undefined)?.describe().keys ?? {})
      .map((name) => `${name}=%00`)
      .join("&");

  it.each(
    reading
      .filter((route) => !(named(route) in exceptions))
      .map((route) => [named(route), route] as const),
  )("%s answers 404 for an unknown object before it reads body and query", async (_name, route) => {
    const answered = await requestUrl(`${server.url}${pathOf(route)}?${queryOf(route)}`, {
      method: route.method.toUpperCase(),
      headers: { ...ownPage, ...from(newAddress()), ...admin.headers },
      ...(route.body && { body: "{" }),
    });
    expect(answered.status).toBe(404);
    expect(answered.body).toEqual({ error: expect.any(String) });
  });

  it("is listed as an exception only if the route exists and checks body or query before it answers 404", async () => {
    const listed = reading.filter((route) => named(route) in exceptions);
    expect(listed.map(named).toSorted()).toEqual(Object.keys(exceptions).toSorted());
    for (const route of listed) {
      const { status } = await requestUrl(`${server.url}${pathOf(route)}?${queryOf(route)}`, {
        method: route.method.toUpperCase(),
        headers: { ...ownPage, ...from(newAddress()), ...admin.headers },
        ...(route.body && { body: "{" }),
      });
      expect([named(route), status]).toEqual([named(route), 400]);
    }
  });
});

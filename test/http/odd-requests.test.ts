import { randomUUID } from "node:crypto";

import { beforeAll, describe, expect, it } from "vitest";

import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { callRoute } from "../support/http/call.ts";
import { type RawAnswer, sendRaw } from "../support/http/raw-request.ts";
import { sampleCases } from "../support/runner/lane.ts";
import type { TestServer } from "../support/service/server.ts";
import { sharedServer } from "../support/service/shared-server.ts";

let server: TestServer;
let admin: SignedIn;
let moderator: SignedIn;
beforeAll(async () => {
  server = await sharedServer();
  admin = await signIn(server, { role: "admin" });
  moderator = await signIn(server, { role: "moderator" });
  const { headers } = admin;
  await callRoute(server, "PUT /admin/settings", {
    headers,
    body: { registration_enabled: true, game_account_signup: true },
  });
});

const named = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`;
const letIn = ({ gate }: Route): SignedIn =>
  gate.startsWith("roles:") && !gate.includes("admin") ? moderator : admin;

/** Sends a request as a user who may use the route. */
const send = (route: Route, path: string, body?: string, type?: string): Promise<RawAnswer> =>
  sendRaw(server, {
    method: route.method.toUpperCase(),
    path,
    headers: { ...letIn(route).headers, ...(type !== undefined && { "content-type": type }) },
    body,
  });

type Described = { readonly keys?: Readonly<Record<string, { readonly type?: string }>> };

const numbersOf = (schema: Route["params"]): string[] =>
  Object.entries((schema?.describe() as Described | undefined)?.keys ?? {})
    .filter(([, { type }]) => type === "number")
    .map(([name]) => name);

/**
 * The numeric parameters of all routes. `url` returns the route's URL with a text in place of the
 * number.
 */
const numbers = routes.flatMap((route) => [
  ...numbersOf(route.params).map((name) => ({
    route,
    name,
    url: (text: string) =>
      filled({ ...route, path: `/${route.path.slice(1).replace(`:${name}`, text)}` }),
  })),
  // Leave out queries of routes that look up the object of the path first: the sample id does not
  // exist.
  ...(route.find ? [] : numbersOf(route.query)).map((name) => ({
    route,
    name,
    url: (text: string) => `${filled(route)}?${name}=${text}`,
  })),
]);
/** Ids that do not exist. Each parameter accepts the format of at least one of them. */
const samples = [
  "999999",
  "0x40001A2B",
  "0".repeat(64),
  "item:1",
  "Nobody",
  "76561197960265728",
  randomUUID(),
];
const filled = ({ method, path, params }: Route): string =>
  path.replaceAll(/:(\w+)/g, (_all, name: string) => {
    const isGood = (text: string) => params?.extract(name).validate(text).error === undefined;
    // Only reads may use an object that exists, for example the user with the id 1.
    return (method === "get" ? ["1", ...samples] : samples).find(isGood) ?? "999999";
  });
/**
 * Returns the path that names the number in the answer's list of faults. Path parameters are named
 * without a slash.
 */
const toldAs = ({ query, faultStyle }: Route, name: string): string =>
  faultStyle === "pointed" && numbersOf(query).includes(name) ? `/${name}` : name;

const titled = numbers.map((each) => [`${named(each.route)} ${each.name}`, each] as const);
const sampledNumbers = (): typeof titled => sampleCases(titled, ([, { route }]) => route.tag, 2);

describe("a number in a path or query", () => {
  it("occurs in more than 30 places of the API", () => {
    expect(numbers.length).toBeGreaterThan(30);
  });

  it.each(sampledNumbers())(
    "is accepted in one notation only: %s",
    async (_title, { route, name, url }) => {
      for (const odd of ["1e0", "%2B1", "01", "1.0", "%201", "1%20", "-0", "1e", "0x1", "١"]) {
        const { status, text } = await send(route, url(encodeURI(odd).replaceAll("%25", "%")));
        const { errors } = JSON.parse(text) as { errors: readonly { path: string }[] };
        const message = expect.stringMatching(`^${name} must `);
        const told = expect.objectContaining({ path: toldAs(route, name), message });
        expect([odd, status, errors]).toEqual([odd, 400, expect.arrayContaining([told])]);
      }
    },
  );

  it.each(sampledNumbers())(
    "causes no server error, however large it is: %s",
    async (_title, { route, url }) => {
      for (const large of ["2147483648", "9007199254740991", "9223372036854775808"]) {
        const { status } = await send(route, url(large));
        expect([large, status < 500 || status === 503]).toEqual([large, true]);
      }
    },
  );
});

describe("a request body", () => {
  const tooLarge = `{"x":"${"x".repeat(300_000)}"}`;

  const sampled = sampleCases(routes, (route) => `${route.tag} ${route.method}`);
  it.each(sampled.map((route) => [named(route), route] as const))(
    "is checked by the route %s, whether or not the route reads a body",
    async (_name, route) => {
      const path = filled(route);
      const json = "application/json";
      const refusals = [
        [413, await send(route, path, tooLarge, json)],
        [400, await send(route, path, "{", json)],
        [400, await send(route, path, "[]", json)],
        [400, await send(route, path, '"text"', json)],
        [400, await send(route, path, "null", json)],
        [415, await send(route, path, "{}", "text/plain")],
      ] as const;
      for (const [expected, { status, headers }] of refusals) {
        // If the object does not exist, the body is not read.
        const known = route.find ? [404, expected] : [expected];
        // Routes for keys of games refuse an administrator's session before they read a body.
        const needsKey = route.gate === "plugin" || route.gate === "reportKey";
        expect(needsKey ? [401, 415] : known).toContain(status);
        expect(headers["x-error-code"]).toEqual(expect.any(String));
      }
    },
  );

  it("may be absent or an empty object if the route reads no body", async () => {
    const path = "/api/v1/auth/me";
    const { headers } = admin;
    const none = await sendRaw(server, { method: "GET", path, headers });
    const type = { "content-type": "application/json" };
    const empty = { method: "GET", path, headers: { ...headers, ...type } };
    expect([none.status, (await sendRaw(server, { ...empty, body: "{}" })).status]).toEqual([
      200, 200,
    ]);
    expect((await sendRaw(server, { ...empty, body: "" })).text).toBe(none.text);
  });
});

describe("the session cookie", () => {
  const asked = (cookie: string) =>
    sendRaw(server, { method: "GET", path: "/api/v1/auth/me", headers: { cookie } });

  it.each(["", " ", "\t", "other=1;", "other=1; \t", "lone; "])(
    "is read if the header begins with %j",
    async (before) => {
      expect((await asked(`${before}${admin.cookie}`)).status).toBe(200);
    },
  );

  it.each(["\u00A0", "other=1;\u00A0", "\u00A0 ", "x", "=", "other="])(
    "is not recognized if the header begins with %j",
    async (before) => {
      expect((await asked(`${before}${admin.cookie}`)).status).toBe(401);
    },
  );
});

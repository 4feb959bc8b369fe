import { beforeAll, describe, expect, it } from "vitest";

import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { requestUrl, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { sharedServer } from "../support/service/shared-server.ts";

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await sharedServer();
  ({ cookie } = await signIn(server, { role: "admin" }));
  await send("PUT", "/api/v1/admin/settings", { registration_enabled: true });
});

const send = (method: string, path: string, body: unknown) =>
  requestUrl(server.url + path, { method, headers: { cookie }, body: JSON.stringify(body) });

const named = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`;

const changing = routes.filter(
  ({ method, path }) => method !== "get" && !path.startsWith("/api/v1/auth/mobile/"),
);

describe("a page of another site", () => {
  it.each(changing.map((route) => [named(route), route] as const))(
    "cannot use the visitor's session for %s",
    async (_name, route) => {
      const answer = async (headers: Record<string, string>) => {
        const url = server.url + route.path.replaceAll(/:\w+/g, "999999");
        const method = route.method.toUpperCase();
        return statusAndBodyOf(await requestUrl(url, { method, headers: { cookie, ...headers } }));
      };
      const code = route.gate === "plugin" && { code: "FORBIDDEN" };
      const refusal = [403, { error: "Cross-site request refused", ...code }];
      expect(await answer({ origin: "https://evil.example" })).toEqual(refusal);
      expect(await answer({ origin: "null" })).toEqual(refusal);
      expect(await answer({ "sec-fetch-site": "cross-site" })).toEqual(refusal);
    },
  );
});

describe("a page of the site itself", () => {
  it("can sign in and change data, and so can a web app of an allowed origin", async () => {
    const [site, webApp] = ["https://community.example", "https://app.community.example"];
    const environment = { ...unlimited, PUBLIC_BASE_URL: site, ALLOWED_ORIGINS: webApp };
    const hosted = await startTestServer({ environment });
    const { username, password, headers: session } = await signIn(hosted, { role: "admin" });
    const answers = async (origin: string, fetchSite: string) => {
      const headers = { origin, "sec-fetch-site": fetchSite };
      const signedIn = await callRoute(hosted, "POST /auth/login", {
        headers,
        body: { username, password },
      });
      const paused = await callRoute(hosted, "POST /admin/jobs/queues/market.match/pause", {
        headers: { ...headers, ...session },
      });
      return [signedIn.status, paused.status];
    };
    expect(await answers(site, "same-origin")).toEqual([200, 200]);
    expect(await answers(webApp, "same-site")).toEqual([200, 200]);
    expect(await answers("https://evil.example", "cross-site")).toEqual([403, 403]);
    await hosted.stop();
  });
});

const ofAccounts = /^\/api\/v1\/(?:auth\/|player\/account|admin\/(?:users|invites|settings))/;
const taking = routes.filter(({ path, body }) => body && ofAccounts.test(path));

type Fields = Readonly<Record<string, { readonly type?: string }>>;

const fieldsOf = ({ body }: Route): Fields =>
  (body?.describe() as { keys?: Fields } | undefined)?.keys ?? {};

/**
 * True if the route may accept the value. Some fields take any text, and list fields take an empty
 * list.
 */
function mayTake(route: Route, field: string, value: unknown): boolean {
  if (typeof value === "string") return route.anyText?.includes(field) ?? false;
  const isEmptyList = Array.isArray(value) && value.length === 0;
  return isEmptyList && fieldsOf(route)[field]?.type === "array";
}

/** Values of the wrong type or range for fields of text, numbers and booleans. */
const hostile = [{ $ne: 1 }, ["x"], [], 1e308, -1, "\0", "\uD800"];

describe("a body of the wrong types", () => {
  it.each(taking.map((route) => [named(route), route] as const))(
    "is answered without a server error at %s",
    async (_name, route) => {
      const path = route.path.replaceAll(/:\w+/g, "999999");
      const fields = Object.keys(fieldsOf(route));
      for (const value of hostile) {
        const body = Object.fromEntries(fields.map((field) => [field, value]));
        const { status } = await send(route.method.toUpperCase(), path, body);
        const isNoFault = fields.every((field) => mayTake(route, field, value));
        expect(isNoFault ? [200] : [400, 404]).toContain(status);
      }
      for (const body of [[], [1], "text", 1, true, null]) {
        const { status } = await send(route.method.toUpperCase(), path, body);
        expect([400, 404]).toContain(status);
      }
    },
  );
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { limits } from "../../shared/platform/limits.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { requestUrl, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const named = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`;

/** Routes with a parsed body. Another test covers the routes that parse their own body. */
const changing = routes.filter(({ method, bodyAs }) => method !== "get" && bodyAs === undefined);

/**
 * Replaces the lookup of the object in the path, which would refuse the request before its body is
 * read.
 */
const withoutPath = ({ params: _params, find: _find, ...route }: Route): Route => ({
  ...route,
  find: () => Promise.resolve({}),
});

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startTestServer({ environment: unlimited, routes: routes.map(withoutPath) });
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());

const nested = (levels: number) => `{"spec":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

const refusal = "The body is nested deeper than 32";

const send = ({ method, path }: Route, body: string) =>
  requestUrl(server.url + path.replaceAll(/:\w+/g, "1"), {
    method: method.toUpperCase(),
    headers: admin.headers,
    body,
  });

describe("a body nested deeper than 32 levels is answered 400", () => {
  it.each(changing.map((route) => [named(route), route] as const))(
    "by the route %s",
    async (_name, route) => {
      for (const levels of [limits.jsonDepth + 1, 5_000, 100_000]) {
        const code = route.gate === "plugin" && { code: "INVALID" };
        expect([levels, ...statusAndBodyOf(await send(route, nested(levels)))]).toEqual([
          levels,
          400,
          { error: refusal, ...code },
        ]);
      }
    },
  );
});

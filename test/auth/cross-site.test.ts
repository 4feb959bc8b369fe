import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { signIn } from "../support/sign-in.ts";

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await startTestServer();
  ({ cookie } = await signIn(server, { role: "admin" }));
});
afterAll(() => server.stop());

const changing = routes.filter(
  ({ method, path }) => method !== "get" && !path.startsWith("/api/v1/auth/mobile/"),
);
const named = (route: Route) => `${route.method.toUpperCase()} ${route.path}`;

describe("a page of another site", () => {
  it.each(changing.map((route) => [named(route), route] as const))(
    "cannot use the visitor's session for %s",
    async (_name, route) => {
      const answer = async (headers: Record<string, string>) => {
        const response = await fetch(server.url + route.path.replaceAll(/:\w+/g, "999999"), {
          method: route.method.toUpperCase(),
          headers: { cookie, ...headers },
        });
        return [response.status, await response.json()];
      };
      const refusal = [403, { error: "Cross-site request refused" }];
      expect(await answer({ origin: "https://evil.example" })).toEqual(refusal);
      expect(await answer({ origin: "null" })).toEqual(refusal);
      expect(await answer({ "sec-fetch-site": "cross-site" })).toEqual(refusal);
    },
  );
});

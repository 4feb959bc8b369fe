import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { signIn } from "../support/sign-in.ts";
import { unlimited } from "../support/unlimited.ts";

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await startTestServer({ environment: unlimited });
  ({ cookie } = await signIn(server, { role: "admin" }));
  await send("PUT", "/api/v1/admin/settings", { registration_enabled: true });
});
afterAll(() => server.stop());

const send = (method: string, path: string, body: unknown) =>
  fetch(server.url + path, {
    method,
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const ofAccounts = /^\/api\/v1\/(?:auth\/|player\/account|admin\/(?:users|invites|settings))/;
const taking = routes.filter(({ path, body }) => body && ofAccounts.test(path));
const named = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`;

const fieldsOf = ({ body }: Route): string[] =>
  Object.keys((body?.describe() as { keys?: object } | undefined)?.keys ?? {});

/** What a field is sent that asks for text, a number or a switch. */
const hostile = [{ $ne: 1 }, ["x"], [], 1e308, -1, "\0", "\uD800"];

describe("a body of the wrong types", () => {
  it.each(taking.map((route) => [named(route), route] as const))(
    "is no fault of ours at %s",
    async (_name, route) => {
      const path = route.path.replaceAll(/:\w+/g, "999999");
      const fields = fieldsOf(route);
      for (const value of hostile) {
        const body = Object.fromEntries(fields.map((field) => [field, value]));
        const { status } = await send(route.method.toUpperCase(), path, body);
        const isText = typeof value === "string";
        const isNoFault = isText && fields.every((field) => route.anyText?.includes(field));
        expect(isNoFault ? [200] : [400, 404]).toContain(status);
      }
      for (const body of [[], [1], "text", 1, true, null]) {
        const { status } = await send(route.method.toUpperCase(), path, body);
        expect([400, 404]).toContain(status);
      }
    },
  );
});

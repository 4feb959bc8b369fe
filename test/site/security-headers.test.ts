import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { defineRoute } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const broken = defineRoute({
  method: "get",
  path: "/api/v1/test/broken",
  gate: "public",
  set: "core",
  tag: "Site",
  summary: "Fails",
  answers: { 200: "Ok" },
  handle: () => {
    throw new Error("the inside");
  },
});

let server: TestServer;
let secure: TestServer;
beforeAll(async () => {
  const environment = { ...unlimited };
  server = await startTestServer({ environment, routes: [...routes, broken] });
  secure = await startTestServer({
    environment: { ...environment, PUBLIC_BASE_URL: "https://guild.example" },
    database: server.database,
  });
});
afterAll(async () => {
  await secure.stop();
  await server.stop();
});

const policy = {
  "content-security-policy":
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-powered-by": null,
};

const policyOf = (headers: Headers) =>
  Object.fromEntries(Object.keys(policy).map((name) => [name, headers.get(name)]));

describe("every answer, including every refusal,", () => {
  it("is JSON with headers against embedding, framing and content sniffing", async () => {
    const { headers } = await signIn(server);
    const scanner = await fetch(`${server.url}/wp-login.php`);
    const answers = [
      [200, await callRoute(server, "GET /auth/me", { headers })],
      [400, await callRoute(server, "POST /auth/login", { body: "{" })],
      [401, await callRoute(server, "GET /auth/me")],
      [403, await callRoute(server, "GET /admin/users", { headers })],
      [404, await callRoute(server, "GET /nowhere")],
      [404, scanner],
      [405, await callRoute(server, "POST /public/status")],
      [500, await callRoute(server, "GET /test/broken")],
    ] as const;
    for (const [status, answered] of answers) {
      expect(answered.status).toBe(status);
      expect(policyOf(answered.headers)).toEqual(policy);
      expect(answered.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(answered.headers.get("strict-transport-security")).toBeNull();
    }
  });

  it("tells browsers to stay on https if the site uses https", async () => {
    for (const path of ["GET /public/status", "GET /auth/me", "GET /nowhere"]) {
      const { headers } = await callRoute(secure, path);
      expect(headers.get("strict-transport-security")).toMatch(/^max-age=31536000/);
    }
  });
});

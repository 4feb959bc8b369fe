import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { cookieNames, cookieSettings } from "../../api/http/cookies.ts";
import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startTestServer({ environment: unlimited });
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());

const closed = [
  "default-src 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
];

/**
 * The content security policy of the service's own pages. It allows no inline scripts and nothing
 * from other origins.
 */
const ofPages = [
  "connect-src 'self'",
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
];

/** The content security policy of the console. It also allows no inline styles. */
const ofConsole = ofPages.map((directive) => directive.replace(" 'unsafe-inline'", ""));

/** The headers with which a browser requests a document. */
const asDocument = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

async function directivesOf(method: string, path: string, headers = {}): Promise<string[]> {
  const stop = new AbortController();
  const answered = await fetch(server.url + path, {
    method,
    headers: { ...asDocument, ...headers },
    redirect: "manual",
    signal: stop.signal,
  });
  const policy = answered.headers.get("content-security-policy") ?? "";
  // Abort the request, because an event stream does not end.
  stop.abort();
  return policy.split("; ").toSorted();
}

const named = ({ method, path }: Route) => `${method.toUpperCase()} ${path}`;

describe("a content security policy that forbids frames, base elements and form submissions", () => {
  it.each(routes.map((route) => [named(route), route] as const))(
    "is sent with %s",
    async (_name, route) => {
      const path = route.path.replaceAll(/:\w+/g, "1");
      const directives = await directivesOf(route.method.toUpperCase(), path);
      expect(directives).toEqual(expect.arrayContaining(closed));
    },
  );

  it.each([
    "/",
    "/nowhere",
    "/wp-login.php",
    "/api/docs//",
    "/api/docs/nowhere",
    "/api/docs/swagger-ui.css",
    "/api/docs/index.html",
    "/api/docs/oauth2-redirect.html",
    "/api/queues//",
    "/api/queues/nowhere",
    "/console/files/app.ts",
  ])("is sent with GET %s", async (path) => {
    expect(await directivesOf("GET", path)).toEqual(expect.arrayContaining(closed));
  });

  it.each(["/api/docs", "/api/docs/", "/api/docs/bridge"])(
    "is sent with %s, a page that loads its own files",
    async (path) => {
      for (const headers of [admin.headers, {}]) {
        expect(await directivesOf("GET", path, headers)).toEqual(
          [...closed, ...ofPages].toSorted(),
        );
      }
    },
  );

  it.each(["/console", "/api/queues", "/api/queues/"])(
    "is sent with %s, a page of the console, and allows no inline style",
    async (path) => {
      for (const headers of [admin.headers, {}]) {
        expect(await directivesOf("GET", path, headers)).toEqual(
          [...closed, ...ofConsole].toSorted(),
        );
      }
    },
  );

  it("is sent with the page that reports a failed sign-in", async () => {
    const path = "/api/v1/auth/sso/nowhere/start";
    expect(await directivesOf("GET", path)).toEqual([...closed, ...ofPages].toSorted());
  });
});

describe("a cookie", () => {
  it.each(cookieNames)(
    "%s is limited to this host and to https, and hidden from scripts",
    (cookie) => {
      const config = { ...server.context.config, PUBLIC_BASE_URL: "https://guildhall.example" };
      const { name, options } = cookieSettings(cookie, config);
      expect(name).toMatch(/^__Host-/);
      expect(options).toEqual({
        httpOnly: true,
        secure: true,
        path: "/",
        sameSite: expect.stringMatching(/^(?:lax|strict)$/),
      });
    },
  );

  it.each(cookieNames)(
    "%s has no prefix over plain http, where browsers would refuse it",
    (cookie) => {
      const { name, options } = cookieSettings(cookie, server.context.config);
      expect(name).not.toMatch(/^__/);
      expect(options).toMatchObject({ httpOnly: true, secure: false, path: "/" });
    },
  );

  it("is ignored if a page of a subdomain planted it as the cookie of a second factor", async () => {
    const site = { PUBLIC_BASE_URL: "https://guildhall.example" };
    const secure = await startTestServer({ environment: { ...unlimited, ...site } });
    try {
      const body = { challenge: "none", code: "000000" };
      const cookie = "totp_challenge=planted; sso_totp=planted; __Secure-totp_challenge=planted";
      for (const path of ["POST /auth/login/totp", "POST /auth/sso/totp"]) {
        // If the cookie were read, it would contradict the challenge in the body, and the status
        // would be 400.
        expect(
          statusAndBodyOf(await callRoute(secure, path, { headers: { cookie }, body })),
        ).toEqual([401, { error: "Invalid code" }]);
      }
    } finally {
      await secure.stop();
    }
  });
});

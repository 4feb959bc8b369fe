import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { callRoute } from "../support/http/call.ts";
import {
  type LateRequest,
  type RacedRequest,
  sendAllButLastByte,
} from "../support/races/at-once.ts";
import { describeInLongLane } from "../support/runner/lane.ts";
import { startApiProcess } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startTestServer({ environment: unlimited });
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());

/** CATALOGUE of ways to end the session of an administrator. */
const endings: Readonly<Record<string, (user: SignedIn) => Promise<unknown>>> = {
  "signed out": ({ headers }) => callRoute(server, "POST /auth/logout", { headers }),
  "given another password": ({ headers, password }) => {
    const body = { currentPassword: password, newPassword: "a brand new password" };
    return callRoute(server, "PATCH /auth/me/account/password", { headers, body });
  },
  "signed out everywhere": ({ headers }) =>
    callRoute(server, "DELETE /auth/me/sessions", { headers }),
  demoted: ({ userId }) => changeByAdmin(userId, { role: "player" }),
  disabled: ({ userId }) => changeByAdmin(userId, { disabled: true }),
  deleted: ({ userId }) =>
    callRoute(server, `DELETE /admin/users/${userId}`, { headers: admin.headers }),
};

const changeByAdmin = (userId: number, body: object) =>
  callRoute(server, `PATCH /admin/users/${userId}`, { headers: admin.headers, body });

/** Logging out is left out: it ends the caller's own session, whenever its body arrives. */
const isLogout = ({ path }: Route): boolean => path === "/api/v1/auth/logout";

const writes = routes.filter(
  (route) =>
    route.method !== "get" && /^(auth$|staff$|roles:)/.test(route.gate) && !isLogout(route),
);

/**
 * Sends each write without the last byte of its body. Waits until each request is answered or waits
 * for that byte.
 */
async function sendAllLate({ headers }: SignedIn): Promise<LateRequest[]> {
  const late = await Promise.all(
    writes.map(({ method, path }) => {
      const route = `${method.toUpperCase()} ${path.slice("/api/v1".length).replaceAll(/:\w+/g, "1")}`;
      return sendAllButLastByte({ url: server.url, route, headers });
    }),
  );
  await untilReading(late);
  return late;
}

describe("a request whose body arrives after its session ended", () => {
  it.each(Object.keys(endings))(
    "is answered 401 on every route once its user was %s",
    async (name) => {
      const user = await signIn(server, { role: "admin" });
      const late = await sendAllLate(user);
      await endings[name]?.(user);
      const open = late.filter((request) => !request.hasAnswer());
      const answers = await Promise.all(
        late.map(async (request) => ({
          route: request.request.route,
          wasOpen: open.includes(request),
          ...(await request.finish()),
        })),
      );
      const letIn = answers.filter(({ wasOpen, status }) => wasOpen && status !== 401);
      expect(letIn.map(({ route, status, body }) => [route, status, body])).toEqual([]);
      // If the object in the path is unknown, the request is answered before its body is read.
      const early = answers.filter(({ wasOpen }) => !wasOpen).map(({ status }) => status);
      expect(early.filter((status) => ![400, 403, 404, 409, 503].includes(status))).toEqual([]);
      expect(open.length).toBeGreaterThan(60);
    },
  );
});

/**
 * Sends a request without its last byte. Waits until it has passed all checks that precede the
 * body.
 */
async function sendOneLate(given: Omit<RacedRequest, "url">): Promise<LateRequest> {
  const late = await sendAllButLastByte({ ...given, url: server.url });
  await untilReading([late]);
  return late;
}

const untilReading = (late: readonly LateRequest[]): Promise<void> =>
  waitUntil(
    "each has passed what comes before its body",
    () => late.filter((request) => !request.hasAnswer()).length === server.countReading(),
  );

const asAdmin = async (route: string, body: object) => {
  const { status } = await callRoute(server, route, { headers: admin.headers, body });
  expect(status).toBe(200);
};

describe("a request whose body arrives late", () => {
  it("creates no account once registration is closed", async () => {
    await asAdmin("PUT /admin/settings", { registration_enabled: true });
    const body = { username: "latecomer", password: "a long enough one" };
    const late = await sendOneLate({ route: "POST /auth/register", body });
    await asAdmin("PUT /admin/settings", { registration_enabled: false });
    expect(late.hasAnswer()).toBe(false);
    const { status, body: refusal } = await late.finish();
    expect([status, refusal]).toEqual([403, { error: "Registration is closed" }]);
    const { User } = server.context.models;
    expect(await User.count({ where: { usernameKey: "latecomer" } })).toBe(0);
  });

  it("is answered 503 once the site is closed to its caller", async () => {
    const player = await signIn(server);
    const late = await sendOneLate({
      route: "POST /player/market/searches",
      headers: player.headers,
      body: { name: "Katanas", query: { q: "katana" } },
    });
    await asAdmin("PUT /admin/site-mode", { site_mode: "closed" });
    expect(late.hasAnswer()).toBe(false);
    const { status, body } = await late.finish();
    expect([status, body]).toEqual([503, { error: "The site is closed" }]);
    await asAdmin("PUT /admin/site-mode", { site_mode: "live" });
    const { MarketSearch } = server.context.models;
    expect(await MarketSearch.count({ where: { userId: player.userId } })).toBe(0);
  });

  it("is answered 401 if its session ended, even if its body has errors", async () => {
    const user = await signIn(server, { role: "admin" });
    const route = "POST /admin/posts";
    const late = await sendOneLate({ route, headers: user.headers, body: { title: 1 } });
    await endings["signed out"]?.(user);
    expect(late.hasAnswer()).toBe(false);
    const { status, body } = await late.finish();
    expect([status, body]).toEqual([401, { error: "Not authenticated" }]);
  });
});

describeInLongLane("a request whose body never arrives", () => {
  it("is answered 408 by a process of the API", async () => {
    const process = await startApiProcess(server.database, unlimited);
    const headers = { ...admin.headers, "content-type": "application/json", "content-length": "2" };
    const url = `${process.url}/api/v1/admin/posts`;
    const asked = http.request(url, { method: "POST", headers });
    asked.write("{");
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    expect(answer.statusCode).toBe(408);
    asked.destroy();
    await process.stop();
  });
});

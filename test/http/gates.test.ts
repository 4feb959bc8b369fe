import { beforeAll, describe, expect, it } from "vitest";

import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import type { Role } from "../../models/auth/user.ts";
import { roles } from "../../shared/platform/access/roles.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { requestUrl, type ApiAnswer } from "../support/http/call.ts";
import type { TestServer } from "../support/service/server.ts";
import { sharedServer } from "../support/service/shared-server.ts";

let server: TestServer;
const sessions = new Map<Role, SignedIn>();

beforeAll(async () => {
  server = await sharedServer();
  for (const role of roles) sessions.set(role, await signIn(server, { role }));
});

const pathOf = (route: Route, value: string): string => route.path.replaceAll(/:\w+/g, value);

function request(route: Route, value: string, role?: Role): Promise<ApiAnswer> {
  const headers = { ...(role && sessions.get(role)?.headers) };
  const method = route.method.toUpperCase();
  return requestUrl(server.url + pathOf(route, value), { method, headers, mayFail: true });
}

const allowedRoles = ({ gate }: Route): readonly Role[] => {
  if (gate === "staff") return ["admin", "editor", "moderator"];
  return gate.slice("roles:".length).split(",") as Role[];
};

const isSessionGate = ({ gate }: Route): boolean =>
  gate === "auth" || gate === "staff" || gate.startsWith("roles:");

const isRoleGate = (route: Route): boolean => isSessionGate(route) && route.gate !== "auth";

const named = (route: Route): string => `${route.method.toUpperCase()} ${route.path}`;

describe("a route that requires a session", () => {
  it.each(routes.filter(isSessionGate).map((route) => [named(route), route] as const))(
    "%s answers 401 without a session",
    async (_name, route) => {
      const response = await request(route, "1");
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
      expect(response.body).toEqual({ error: "Not authenticated" });
    },
  );
});

describe("a route that requires a role", () => {
  it.each(routes.filter(isRoleGate).map((route) => [named(route), route] as const))(
    "%s answers 403 to every other role",
    async (_name, route) => {
      const others = roles.filter((role) => !allowedRoles(route).includes(role));
      const statuses = await Promise.all(
        others.map(async (role) => (await request(route, "1", role)).status),
      );
      expect(statuses).toEqual(others.map(() => 403));
    },
  );
});

describe("a route for administrators and other roles", () => {
  const shared = routes.filter(isRoleGate).flatMap((route) =>
    allowedRoles(route)
      .filter((role) => role !== "admin" && !route.path.endsWith("stream"))
      .map((role) => [named(route), role, route] as const),
  );
  it.each(shared)("%s accepts the role %s", async (_name, role, route) => {
    // The id is unknown and the body is empty. So the request may be refused for these faults, but not because of
    // the role.
    const { status } = await request(route, "999999", role);
    expect([200, 201, 202, 204, 400, 404, 409, 503]).toContain(status);
  });
});

describe("a route with a numeric id", () => {
  const refusesWords = ({ params }: Route) =>
    params?.validate({ id: "x", deviceId: "x" }, { allowUnknown: true }).error !== undefined;
  const byId = routes.filter(
    (route) => /:(id|deviceId|runId|stepId)\b/.test(route.path) && refusesWords(route),
  );
  it.each(byId.map((route) => [named(route), route] as const))(
    "%s answers 400 to an id that is not a number",
    async (_name, route) => {
      const role = route.gate === "auth" ? "admin" : allowedRoles(route)[0];
      const response = await request(route, "x", role);
      expect(response.status).toBe(400);
    },
  );
});

describe("every route", () => {
  it("answers a request of an administrator with an unknown id without a server error", async () => {
    const plain = routes.filter((route) => !/stream$|import$|warm$/.test(route.path));
    const failures: string[] = [];
    for (const route of plain) {
      const response = await request(route, "999999", "admin");
      // Routes that need the game server answer 503, because no game server is linked.
      if (response.status >= 500 && response.status !== 503) {
        failures.push(`${named(route)} ${response.status}`);
      }
      // This route may have ended the administrator's session, so sign in again.
      if (/logout|sessions|password|me\/account$/.test(route.path)) {
        sessions.set("admin", await signIn(server, { role: "admin" }));
      }
    }
    expect(failures).toEqual([]);
  });
});

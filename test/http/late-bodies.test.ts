import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";

import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { type LateRequest, sendLate } from "../support/at-once.ts";
import { call } from "../support/call.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { type SignedIn, signIn } from "../support/sign-in.ts";
import { unlimited } from "../support/unlimited.ts";

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startTestServer({ environment: unlimited });
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());

/** Every way in which an administrator's session ends, by its owner or by another administrator. */
const endings: Readonly<Record<string, (user: SignedIn) => Promise<unknown>>> = {
  "signed out": ({ headers }) => call(server, "POST /auth/logout", { headers }),
  "given another password": ({ headers, password }) => {
    const body = { currentPassword: password, newPassword: "a brand new password" };
    return call(server, "PATCH /auth/me/account/password", { headers, body });
  },
  "signed out everywhere": ({ headers }) => call(server, "DELETE /auth/me/sessions", { headers }),
  demoted: ({ userId }) => changeByAdmin(userId, { role: "player" }),
  disabled: ({ userId }) => changeByAdmin(userId, { disabled: true }),
  deleted: ({ userId }) =>
    call(server, `DELETE /admin/users/${userId}`, { headers: admin.headers }),
};

const changeByAdmin = (userId: number, body: object) =>
  call(server, `PATCH /admin/users/${userId}`, { headers: admin.headers, body });

/** Ends the session that it is sent with, however late its body comes. */
const isLogout = ({ path }: Route): boolean => path === "/api/v1/auth/logout";

const writes = routes.filter(
  (route) =>
    route.method !== "get" && /^(auth$|staff$|roles:)/.test(route.gate) && !isLogout(route),
);

/** Sends every write without the last byte of its body, until the gate of each was passed. */
async function sendAllLate({ headers }: SignedIn): Promise<LateRequest[]> {
  const late = await Promise.all(
    writes.map(({ method, path }) => {
      const route = `${method.toUpperCase()} ${path.slice("/api/v1".length).replaceAll(/:\w+/g, "1")}`;
      return sendLate({ url: server.url, route, headers });
    }),
  );
  // Callers are read in the order in which their requests came: when theirs are read, so are those.
  for (let marker = 0; marker < 10; marker += 1) await call(server, "GET /auth/me", { headers });
  return late;
}

describe("a request whose body comes after its session was ended", () => {
  it.each(Object.keys(endings))(
    "is refused, whatever it asks for, once its user was %s",
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
      // What is not there is told before the body: ids that name nothing.
      const early = answers.filter(({ wasOpen }) => !wasOpen).map(({ status }) => status);
      expect(early.filter((status) => ![400, 403, 404, 409, 503].includes(status))).toEqual([]);
      expect(open.length).toBeGreaterThan(60);
    },
  );
});

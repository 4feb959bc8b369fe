import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createTestUser, signIn } from "../support/accounts/sign-in.ts";
import { buildShiftedClockEnv } from "../support/clock/shifted-clock.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { type ApiProcess, startApiProcess } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const environment = { RL_FORGOT_MAX: "4", ACCESS_TTL: "3s" };
const hour = 3_600_000;

let server: TestServer;
let ahead: ApiProcess;
let behind: ApiProcess;
beforeAll(async () => {
  server = await startTestServer({ environment });
  const start = (ms: number) =>
    startApiProcess(server.database, { ...environment, ...buildShiftedClockEnv(ms) });
  [ahead, behind] = await Promise.all([start(hour), start(-hour)]);
});
afterAll(async () => {
  await Promise.all([ahead?.stop(), behind?.stop()]);
  await server?.stop();
});

const statusAt = async (
  at: Pick<TestServer, "url">,
  headers: Readonly<Record<string, string>>,
): Promise<number> => (await callRoute(at, "GET /auth/me", { headers })).status;

describe("processes whose clocks differ", () => {
  it("end a session at the same moment, which the database's clock decides", async () => {
    const { username, password } = await createTestUser(server);
    const login = await callRoute(ahead, "POST /auth/mobile/login", {
      body: { username, password },
    });
    const { accessToken } = login.body as { accessToken: string };
    const headers = { authorization: `Bearer ${accessToken}` };
    expect(await statusAt(server, headers)).toBe(200);
    expect(await statusAt(ahead, headers)).toBe(200);
    await waitUntil("it has expired", async () => (await statusAt(server, headers)) === 401);
    expect(await statusAt(behind, headers)).toBe(401);
  });

  it("end a device session at a log-out with an access token that has just expired", async () => {
    const { username, password } = await createTestUser(server);
    for (const at of [server, ahead, behind]) {
      const login = await callRoute(at, "POST /auth/mobile/login", {
        body: { username, password },
      });
      const { accessToken, refreshToken } = login.body as Record<string, string>;
      const headers = { authorization: `Bearer ${accessToken}` };
      await waitUntil("it has ended", async () => (await statusAt(server, headers)) === 401);
      const out = await callRoute(at, "POST /auth/logout", { headers });
      expect(statusAndBodyOf(out)).toEqual([200, { ok: true }]);
      const refreshed = await callRoute(at, "POST /auth/mobile/refresh", {
        body: { refreshToken },
      });
      expect(statusAndBodyOf(refreshed)).toEqual([401, { error: "Invalid refresh token" }]);
    }
  });

  it("accept a fresh sign-in in place of a password for the setup of a second factor", async () => {
    const user = await signIn(server);
    for (const at of [server, ahead, behind]) {
      const { headers } = user;
      const { status } = await callRoute(at, "POST /auth/me/account/totp/setup", {
        headers,
        body: {},
      });
      expect(status).toBe(200);
    }
  });

  it("count limited requests together, in the same window", async () => {
    const forgot = async (at: Pick<TestServer, "url">) =>
      (await callRoute(at, "POST /auth/password/forgot", { body: { email: "no@example.org" } }))
        .status;
    const statuses = [];
    for (const at of [server, ahead, behind, server, ahead, behind, server]) {
      statuses.push(await forgot(at));
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429]);
  });
});

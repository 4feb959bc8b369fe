import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import type { SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { createSurvivalSimulatorPool } from "../simulator/survival/starting.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { changeSurvivalSource } from "../support/factories/survival.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";

const { start, stopAll } = createSurvivalSimulatorPool();
let server: TestServer;
let admin: SignedIn;
let moderator: SignedIn;

beforeAll(async () => {
  server = await startTestServer();
  [admin, moderator] = await Promise.all([
    signIn(server, { role: "admin" }),
    signIn(server, { role: "moderator" }),
  ]);
});
afterEach(stopAll);
afterAll(() => server.stop());

type Link = Pick<SurvivalSimulator, "baseUrl" | "wsUrl" | "token">;

/**
 * Tests the link of a server that is not enabled yet, as an administrator does during the setup.
 * @returns the result
 */
async function tried(link: Link, as = admin) {
  const { id } = await linkSurvivalServer(server, link, { enabled: false });
  return tryAgain(id, as);
}

async function tryAgain(id: number, as = admin) {
  const route = `POST /admin/survival/servers/${id}/test`;
  const { status, body, text } = await callRoute(server, route, { headers: as.headers });
  return { status, body: body as Record<string, unknown>, text };
}

const good = { ok: true, protocol: 13, hello: expect.any(Object) };

describe("testing the link to a survival server", () => {
  it("succeeds if the control plane and the socket answer, and returns the hello of the game", async () => {
    const game = await start();
    const { status, body, text } = await tried(game);
    expect([status, body]).toEqual([200, good]);
    expect(body).toMatchObject({ hello: { npcApi: 4, worldReady: true } });
    expect(text).not.toContain(game.token);
  });

  it("succeeds if another client holds the socket, and reports that the socket is in use", async () => {
    const game = await start();
    game.faults.trigger("refuse", { status: 423 });
    expect((await tried(game)).body).toEqual({
      ...good,
      code: "LOCKED",
      reason: "another client holds the stream",
    });
  });

  it("does not open the socket while ingest uses it", async () => {
    const game = await start();
    const { id } = await linkSurvivalServer(server, game);
    const beatAt = clockNowPlus(3_600_000);
    await changeSurvivalSource(server, id, { state: "connected", owner: "test", beatAt });
    game.faults.trigger("refuse", { status: 401 });
    expect((await tryAgain(id)).body).toEqual(good);
  });

  it("reports a token that the control plane or the socket refuses", async () => {
    const game = await start();
    const refused = {
      ok: false,
      protocol: 13,
      code: "UNAUTHORIZED",
      reason: "the sidecar refused the token",
    };
    const { baseUrl, wsUrl } = game;
    expect((await tried({ baseUrl, wsUrl, token: "another-token-of-another" })).body).toEqual(
      refused,
    );
    game.faults.trigger("refuse", { status: 401 });
    expect((await tried(game)).body).toEqual({ ...refused, hello: expect.any(Object) });
  });

  it("reports that the sidecar uses another protocol", async () => {
    const game = await start();
    game.faults.trigger("refuse", { status: 409 });
    expect((await tried(game)).body).toEqual({
      ok: false,
      protocol: 13,
      code: "PROTOCOL",
      reason: expect.any(String),
      hello: expect.any(Object),
    });
  });

  it("reports that the sidecar cannot be reached", async () => {
    const { baseUrl, wsUrl, token } = await start();
    await stopAll();
    const gone = { baseUrl, wsUrl, token };
    expect((await tried(gone)).body).toEqual({
      ok: false,
      protocol: 13,
      code: "SHARD_DOWN",
      reason: expect.any(String),
    });
  });

  it("reports that only the socket cannot be reached", async () => {
    const game = await start();
    const other = await start();
    const { wsUrl } = other;
    await other.stop();
    const { baseUrl, token } = game;
    expect((await tried({ baseUrl, wsUrl, token })).body).toEqual({
      ok: false,
      protocol: 13,
      code: "SHARD_DOWN",
      reason: expect.any(String),
      hello: expect.any(Object),
    });
  });

  it("is open to administrators only, and answers 404 for an unknown server", async () => {
    const { status } = await tried(await start(), moderator);
    expect([status, (await tryAgain(2_000_000_000)).status]).toEqual([403, 404]);
  });
});

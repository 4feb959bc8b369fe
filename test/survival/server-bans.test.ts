import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import { startSurvivalSimulator, type SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { noon } from "../simulator/survival/starting.ts";
import { onlinePlayers } from "../simulator/survival/world/world.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { requireDescribedBodies } from "../support/bridge/described-bodies.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildSteamLink } from "../support/factories/survival.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { expectedDuplicateCalls } from "../support/plugin/over-sidecar.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let simulator: SurvivalSimulator;
let admin: SignedIn;
let moderator: SignedIn;
let linked: SurvivalServer;

const anna = "76561198000000001";

beforeAll(async () => {
  server = await startTestServer();
  simulator = await startSurvivalSimulator({ world: "small", ticking: false, clock: () => noon });
  admin = await signIn(server, { role: "admin" });
  moderator = await signIn(server, { role: "moderator" });
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
  requireDescribedBodies("rust", simulator.received.commands);
});
beforeEach(async () => {
  await deleteAll(server, "SurvivalServer", "SteamLink", "ActivityEntry");
  simulator.world.bans.clear();
  linked = await linkSurvivalServer(server, simulator, { name: "Emberfall" });
});

const send = (verb: string, body: object, { headers }: Pick<SignedIn, "headers"> = moderator) =>
  callRoute(server, `POST /admin/survival/servers/${linked.id}/${verb}`, { body, headers });

const listBans = () =>
  callRoute(server, `GET /admin/survival/servers/${linked.id}/bans`, {
    headers: moderator.headers,
  });

const codeOf = async (answer: ReturnType<typeof send>) => {
  const { status, headers } = await answer;
  return [status, headers.get("x-error-code")];
};

const lines = () =>
  activityOf(server, {}, ["actorId", "action", "targetType", "targetId", "detail"]);

const lineOf = (verb: string, detail: object) => ({
  actorId: moderator.userId,
  action: `survival.player.${verb}`,
  targetType: "survival_server",
  targetId: String(linked.id),
  detail,
});

function requireOnlinePlayer(): string {
  const [player] = onlinePlayers(simulator.world);
  if (!player) throw new Error("nobody is online");
  return player.steamId;
}

/** Returns the status and the name of the field that a request names as wrong. */
const refusedField = ({ status, body }: Pick<ApiAnswer, "status" | "body">) => [
  status,
  (body as { errors?: { path: string }[] }).errors?.[0]?.path,
];

describe("a kick", () => {
  it("disconnects a connected player and is recorded", async () => {
    const steamId = requireOnlinePlayer();
    expect(statusAndBodyOf(await send("kick", { steamId, reason: "Language" }))).toEqual([
      200,
      { steamId },
    ]);
    expect(simulator.world.players.get(steamId)?.connectedAt).toBeNull();
    const detail = { steamId, reason: "Language", outcome: "done" };
    expect(await lines()).toEqual([lineOf("kicked", detail)]);
  });

  it("answers 404 for a player who is not connected, and is recorded", async () => {
    const steamId = "76561198999999999";
    expect(await codeOf(send("kick", { steamId, reason: "Language" }))).toEqual([
      404,
      "unknown_to_shard",
    ]);
    const detail = { steamId, reason: "Language", outcome: "NOT_FOUND" };
    expect(await lines()).toEqual([lineOf("kicked", detail)]);
  });
});

describe("a ban", () => {
  it("is listed until it is lifted", async () => {
    const reason = "Aimbot";
    expect(statusAndBodyOf(await send("ban", { steamId: anna, reason, durationSec: 60 }))).toEqual([
      200,
      { steamId: anna, expiresAt: expect.any(String), ownerSteamId: null },
    ]);
    const name = simulator.world.players.get(anna)?.name ?? anna;
    const expiresAt = new Date(noon + 60_000).toISOString();
    expect(statusAndBodyOf(await listBans())).toEqual([
      200,
      { bans: [{ steamId: anna, name, reason, expiresAt }] },
    ]);
    expect(statusAndBodyOf(await send("unban", { steamId: anna }))).toEqual([
      200,
      { steamId: anna },
    ]);
    expect((await listBans()).body).toEqual({ bans: [] });
    expect(await lines()).toEqual([
      lineOf("banned", { steamId: anna, reason, durationSec: 60, outcome: "done" }),
      lineOf("unbanned", { steamId: anna, outcome: "done" }),
    ]);
  });

  it("without a duration is permanent", async () => {
    const banned = await send("ban", { steamId: anna, reason: "Aimbot" });
    expect(banned.body).toMatchObject({ expiresAt: null });
    expect((await listBans()).body).toMatchObject({ bans: [{ expiresAt: null }] });
  });

  it("answers 409 for a banned player, and the first ban stays", async () => {
    await send("ban", { steamId: anna, reason: "Aimbot" });
    expect(
      await codeOf(send("ban", { steamId: anna, reason: "Language", durationSec: 60 })),
    ).toEqual([409, "player_already_banned"]);
    expect((await listBans()).body).toMatchObject({ bans: [{ reason: "Aimbot" }] });
  });

  it("is refused for the caller's own Steam account, and so is lifting a ban of this account", async () => {
    await buildSteamLink(server, { steamId: anna, userId: moderator.userId });
    expect(await codeOf(send("ban", { steamId: anna, reason: "Aimbot" }))).toEqual([
      403,
      "own_account",
    ]);
    expect(await codeOf(send("unban", { steamId: anna }))).toEqual([403, "own_account"]);
    expect((await send("ban", { steamId: anna, reason: "Aimbot" }, admin)).status).toBe(200);
  });

  it("is carried out once if the request is repeated with its idempotency key", async () => {
    const headers = { ...moderator.headers, "idempotency-key": "a-ban-of-anna" };
    const body = { steamId: anna, reason: "Aimbot" };
    const before = simulator.received.commands.length;
    for (let times = 0; times < 2; times += 1) {
      expect((await send("ban", body, { headers })).status).toBe(200);
    }
    expect(simulator.received.commands.slice(before).map(({ carriedOut }) => carriedOut)).toEqual(
      expectedDuplicateCalls(true, false),
    );
  });

  it("that does not exist cannot be lifted, and the request is answered 404", async () => {
    expect(await codeOf(send("unban", { steamId: anna }))).toEqual([404, "unknown_to_shard"]);
  });
});

describe("moderation of a survival server", () => {
  it("is for administrators and moderators only", async () => {
    const editor = await signIn(server, { role: "editor" });
    const body = { steamId: anna, reason: "Aimbot" };
    for (const verb of ["kick", "ban", "unban"]) {
      expect((await send(verb, body, editor)).status).toBe(403);
    }
  });

  it("is refused if the Steam id is invalid, the reason is missing or too long, or the duration is too long", async () => {
    const reason = "Aimbot";
    expect(refusedField(await send("kick", { steamId: "7", reason }))).toEqual([400, "steamId"]);
    expect(refusedField(await send("kick", { steamId: anna }))).toEqual([400, "reason"]);
    expect(refusedField(await send("ban", { steamId: anna, reason: "x".repeat(201) }))).toEqual([
      400,
      "reason",
    ]);
    const tooLong = await send("ban", { steamId: anna, reason, durationSec: 315_360_001 });
    expect(refusedField(tooLong)).toEqual([400, "durationSec"]);
  });

  it("is refused without a call if the server lacks the capability", async () => {
    const hello = survivalFrame("server.hello", {
      serverName: "Oak",
      worldReady: true,
      world: { saveCreatedAt: 1_764_000_000_000 },
      helpers: [],
      capabilities: ["announce"],
    });
    await storeSurvivalFrames(server.context, linked.id, [hello]);
    const before = simulator.received.commands.length;
    expect(await codeOf(send("ban", { steamId: anna, reason: "Aimbot" }))).toEqual([
      502,
      "shard_unsupported",
    ]);
    expect((await listBans()).status).toBe(502);
    expect(simulator.received.commands.length).toBe(before);
    expect(await lines()).toEqual([]);
  });
});

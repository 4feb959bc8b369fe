import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { deliverKits } from "../../shared/survival/rewards/deliver-kits.ts";
import { EventTestSite } from "../events/stage.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { buildSteamLink } from "../support/factories/survival.ts";
import { startSurvivalGame, type SurvivalGameSite } from "../support/survival/survival-game.ts";

let stage: EventTestSite;
let game: SurvivalGameSite;

const anna = "76561198000000001";

beforeAll(async () => {
  stage = await EventTestSite.start();
  game = await startSurvivalGame(stage.shard.server, { slug: "oak" });
  await stage.enable("survival.kit.entitle", true);
  await stage.enable("survival.npc.spawn", true);
});
afterAll(async () => {
  await game.simulator.stop();
  await stage.stop();
});
beforeEach(async () => {
  await deleteAll(stage.shard.server, "SurvivalEntitlement", "SurvivalLedgerEntry");
  await capable();
});

/** Makes the game report all capabilities except these. */
async function capable(...without: readonly string[]): Promise<void> {
  game.simulator.faults.trigger("incapable", { capabilities: [...without] });
  await game.hear();
}

const step = (actionId: string, params: object) => ({
  actionId: `survival.${actionId}`,
  params: { server: "oak", ...params },
  onFailure: "continue",
});
const counting = (more: object = {}) => ({
  ...step("participation.open", { method: "command", durationSec: 60 }),
  key: "count",
  ...more,
});
const collecting = {
  actionId: "survival.participation.collect",
  params: { participation: "count" },
  onFailure: "continue",
};
const kit = (name: string, steamIds = anna) => step("kit.entitle", { kit: name, steamIds });

/** Runs an event with these steps. @returns the run */
async function ran(...steps: readonly object[]) {
  const runId = await stage.startEvent(await stage.publishEvent(steps));
  await stage.runDueSteps();
  return stage.read(runId);
}

const kits = () =>
  stage.rows<{ state: string; error: string | null }>(
    "select state, error from survival_entitlements order by id",
  );

describe("a game that reports that it lacks a capability", () => {
  it.each([
    ["announce", step("announce", { message: "Hear!" })],
    ["participation", counting()],
    ["npc", step("npc.spawn", { placement: "throne" })],
  ])(
    "receives no call from a step that needs the capability %s, and the step fails without a ledger entry",
    async (what, one) => {
      await capable(what);
      const before = game.calls().length;
      const { steps } = await ran(one);
      expect(steps).toMatchObject([
        {
          status: "failed",
          attempts: 1,
          lastError: `UNSUPPORTED: the server's plugin does not have the capability ${what}`,
        },
      ]);
      expect(game.calls().slice(before)).toEqual([]);
      expect(await stage.rows("select what, state from survival_ledger")).toEqual([]);
    },
  );

  it("is skipped by an announcement to all servers", async () => {
    await capable("announce");
    const before = game.calls().length;
    const { steps } = await ran(step("announce", { server: "all", message: "Hear!" }));
    expect(steps).toMatchObject([{ status: "succeeded" }]);
    expect(game.calls().slice(before)).toEqual([]);
  });

  it("is not asked for participants, although the game counted them before", async () => {
    const wait = { actionId: "core.confirm", params: {} };
    const runId = await stage.startEvent(await stage.publishEvent([counting(), wait, collecting]));
    await stage.runDueSteps();
    await capable("participation");
    const before = game.calls().length;
    const [opened, confirmed] = (await stage.read(runId)).steps;
    await stage.ask(`POST /admin/events/runs/${runId}/steps/${confirmed?.id}/confirm`);
    await stage.runDueSteps();
    const { steps } = await stage.read(runId);
    expect([opened?.status, steps[2]?.lastError]).toEqual([
      "succeeded",
      "UNSUPPORTED: the server's plugin does not have the capability participation",
    ]);
    expect(game.calls().slice(before)).toEqual([]);
  });

  it("receives no kits until it reports that it accepts them", async () => {
    await capable("kits");
    const before = game.calls().length;
    expect((await ran(kit("starter"))).steps).toMatchObject([{ status: "succeeded" }]);
    expect(game.calls().slice(before)).toEqual([]);
    expect(await kits()).toEqual([{ state: "pending", error: null }]);
    await capable();
    await deliverKits(game.server.id, stage.shard.server.context);
    expect(await kits()).toEqual([{ state: "delivered", error: null }]);
  });
});

describe("a kit of an event step", () => {
  const sent = () =>
    game.simulator.received.commands.filter(({ path }) => path === "/v1/kits/entitle");

  it("is sent in the name of the starter, and later other waiting kits in the name of the site", async () => {
    await stage.rows(
      `insert into survival_entitlements (server_id, steam_id, kit, uses, dedupe_key)
       values ($1, $2, 'vip', 1, 'others/1')`,
      game.server.id,
      anna,
    );
    const before = sent().length;
    expect((await ran(kit("starter"))).steps).toMatchObject([{ status: "succeeded" }]);
    const { userId, username } = stage.admin;
    expect(sent().slice(before)).toMatchObject([
      { actor: { userId, username, role: "admin" }, body: { kit: "starter" } },
    ]);
    await deliverKits(game.server.id, stage.shard.server.context);
    expect(sent().slice(before + 1)).toMatchObject([
      { actor: { userId: null, username: "system", role: "system" }, body: { kit: "vip" } },
    ]);
  });

  it("fails the step at once if the game does not know the kit, and is not sent later", async () => {
    const { run, steps } = await ran(kit("gold"));
    const lastError = "the game refused 1 of 1: UNSUPPORTED: unknown kit; 0 given, 0 waiting";
    expect(steps).toMatchObject([{ status: "failed", attempts: 1, lastError }]);
    expect(await kits()).toEqual([{ state: "failed", error: "UNSUPPORTED: unknown kit" }]);
    game.simulator.world.kits.add("gold");
    await deliverKits(game.server.id, stage.shard.server.context);
    expect(await kits()).toMatchObject([{ state: "failed" }]);
    game.simulator.world.kits.delete("gold");
    expect(run.status).toBe("completed");
  });

  it("is kept by the other players if the game refuses it for one player, and a retry gives it only to that player", async () => {
    const bert = "76561198000000002";
    const fault = { method: "POST", path: "/v1/kits/entitle", status: 404, code: "NOT_FOUND" };
    game.simulator.faults.trigger("status", fault);
    const one = { ...kit("starter", `${anna}\n${bert}`), onFailure: "pause" };
    const runId = await stage.startEvent(await stage.publishEvent([one]));
    await stage.runDueSteps();
    const [failed] = (await stage.read(runId)).steps;
    expect([failed?.status, failed?.lastError]).toEqual([
      "failed",
      expect.stringMatching(/^the game refused 1 of 2: .*; 1 given, 0 waiting$/),
    ]);
    expect((await kits()).map(({ state }) => state).toSorted()).toEqual(["delivered", "failed"]);
    const before = sent().length;
    await stage.ask(`POST /admin/events/runs/${runId}/steps/${failed?.id}/retry`);
    await stage.runDueSteps();
    expect((await stage.read(runId)).steps).toMatchObject([{ status: "succeeded" }]);
    expect((await kits()).map(({ state }) => state)).toEqual(["delivered", "delivered"]);
    expect(sent().slice(before)).toHaveLength(1);
    const entries = await stage.rows<{ state: string }>("select state from survival_ledger");
    expect(entries.map(({ state }) => state).toSorted()).toEqual([
      "confirmed",
      "confirmed",
      "failed",
    ]);
  });

  it("is missing in the history of the player if the game refuses it, until a retry has delivered it", async () => {
    const player = await signIn(stage.shard.server, { role: "player" });
    const { userId } = player;
    const bert = "76561198000000002";
    for (const steamId of [anna, bert]) {
      await buildSteamLink(stage.shard.server, { steamId, userId });
    }
    const confirm = { actionId: "core.confirm", params: {} };
    const both = { ...kit("starter", `${anna}\n${bert}`), onFailure: "pause" };
    const steps = [kit("starter"), confirm, both];
    const runId = await stage.startEvent(
      await stage.publishEvent(steps, { spec: { listed: true } }),
    );
    const { EventParticipation } = stage.shard.server.context.models;
    await EventParticipation.create({ runId, userId, rewards: [] });
    const rewards = async () => {
      const route = "GET /player/events/history";
      const { history } = await stage.ask<{ history: { rewards: object[] }[] }>(
        route,
        undefined,
        player,
      );
      return history.map((line) => line.rewards);
    };
    const starter = { kit: "starter", count: 1 };
    await stage.runDueSteps();
    expect(await rewards()).toEqual([[starter]]);
    const fault = { method: "POST", path: "/v1/kits/entitle", status: 404, code: "NOT_FOUND" };
    game.simulator.faults.trigger("status", fault);
    const [, asked, failing] = (await stage.read(runId)).steps;
    await stage.ask(`POST /admin/events/runs/${runId}/steps/${asked?.id}/confirm`);
    await stage.runDueSteps();
    expect((await kits()).filter(({ state }) => state === "failed")).toHaveLength(1);
    expect(await rewards()).toEqual([[starter, starter]]);
    await stage.ask(`POST /admin/events/runs/${runId}/steps/${failing?.id}/retry`);
    await stage.runDueSteps();
    expect((await kits()).every(({ state }) => state === "delivered")).toBe(true);
    expect(await rewards()).toEqual([[starter, starter, starter]]);
    // In a new world the kit is requested again. This delivery fails, but does not affect the run, because the
    // player got the kit in the old world.
    await stage.rows(
      "update survival_entitlements set state = 'pending', round = 1 where steam_id = $1",
      bert,
    );
    game.simulator.faults.trigger("status", fault);
    await deliverKits(game.server.id, stage.shard.server.context);
    expect((await kits()).filter(({ state }) => state === "failed")).toHaveLength(1);
    expect(await rewards()).toEqual([[starter, starter, starter]]);
  });

  it("waits if the game lacks the kit mod, and its step succeeds anyway", async () => {
    game.simulator.faults.trigger("helperMissing", { helper: "kits" });
    expect((await ran(kit("starter"))).steps).toMatchObject([{ status: "succeeded" }]);
    expect(await kits()).toMatchObject([{ state: "pending" }]);
  });
});

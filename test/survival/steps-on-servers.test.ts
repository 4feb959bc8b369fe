import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";

import { deliverKits } from "../../shared/survival/kits/deliver-kits.ts";
import { Stage } from "../events/stage.ts";
import { deleteAll } from "../support/delete-all.ts";
import { startSurvivalGame, type SurvivalGameSite } from "../support/survival-game.ts";

let stage: Stage;
let game: SurvivalGameSite;

const anna = "76561198000000001";

beforeAll(async () => {
  stage = await Stage.start();
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

/** Has the game say what it can do. */
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

/** Has an event of these steps take place. */
async function ran(...steps: readonly object[]) {
  const runId = await stage.started(await stage.published(steps));
  await stage.work();
  return stage.read(runId);
}

const kits = () =>
  stage.rows<{ state: string; error: string | null }>(
    "select state, error from survival_entitlements order by id",
  );

describe("a game that said that it cannot do something", () => {
  it.each([
    ["announce", step("announce", { message: "Hear!" })],
    ["participation", counting()],
    ["npc", step("npc.spawn", { placement: "throne" })],
  ])(
    "is not asked for it by a step, which fails and leaves nothing behind: %s",
    async (what, one) => {
      await capable(what);
      const before = game.calls().length;
      const { steps } = await ran(one);
      expect(steps).toMatchObject([
        {
          status: "failed",
          attempts: 1,
          lastError: `UNSUPPORTED: its plugin does not know ${what}`,
        },
      ]);
      expect(game.calls().slice(before)).toEqual([]);
      expect(await stage.rows("select what, state from survival_ledger")).toEqual([]);
    },
  );

  it("is passed over by what is said on all servers", async () => {
    await capable("announce");
    const before = game.calls().length;
    const { steps } = await ran(step("announce", { server: "all", message: "Hear!" }));
    expect(steps).toMatchObject([{ status: "succeeded" }]);
    expect(game.calls().slice(before)).toEqual([]);
  });

  it("is not asked who took part, though it counted them before", async () => {
    const wait = { actionId: "core.confirm", params: {} };
    const runId = await stage.started(await stage.published([counting(), wait, collecting]));
    await stage.work();
    await capable("participation");
    const before = game.calls().length;
    const [opened, confirmed] = (await stage.read(runId)).steps;
    await stage.ask(`POST /admin/events/runs/${runId}/steps/${confirmed?.id}/confirm`);
    await stage.work();
    const { steps } = await stage.read(runId);
    expect([opened?.status, steps[2]?.lastError]).toEqual([
      "succeeded",
      "UNSUPPORTED: its plugin does not know participation",
    ]);
    expect(game.calls().slice(before)).toEqual([]);
  });

  it("is given no kits until it says that it takes some", async () => {
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

describe("a kit of a step", () => {
  const sent = () =>
    game.simulator.received.commands.filter(({ path }) => path === "/v1/kits/entitle");

  it("goes to the game in the name of whoever started the run, and what else waits in that of the site", async () => {
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
});

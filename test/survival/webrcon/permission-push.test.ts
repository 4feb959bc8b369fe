import { afterEach, describe, expect, it } from "vitest";

import type { PermissionSyncBody } from "../../../shared/survival/permissions/permission-sync.ts";
import { computeOutcomeTimeoutMs } from "../../../shared/survival/permissions/sync/permissions-sync.ts";
import { waitUntil } from "../../support/clock/wait.ts";
import { anna, Consoles } from "./started-feed.ts";

const consoles = new Consoles();
afterEach(() => consoles.stopAll());

async function startPushes() {
  const simulator = await consoles.start();
  simulator.join(anna.steamId, anna.name);
  const { execute, untilEvents, events } = consoles.feed(simulator, {
    timing: { inventoryPaceMs: 150 },
  });
  await untilEvents("player.online");
  const push = (pushId: string, body: Partial<PermissionSyncBody>) =>
    execute("POST /v1/perm/push", { pushId, groups: [], users: [], remove: [], ...body });
  /** Waits for the outcome of a push. */
  const outcome = async (pushId: string) => {
    await waitUntil(`the outcome of ${pushId}`, () =>
      events("perm.sync").some(({ payload }) => payload.pushId === pushId),
    );
    return events("perm.sync").find(({ payload }) => payload.pushId === pushId)?.payload;
  };
  return { simulator, execute, events, push, outcome };
}

const userChanges = (changes: Partial<PermissionSyncBody["users"][number]>) => ({
  users: [{ steamId: anna.steamId, grant: [], revoke: [], join: [], leave: [], ...changes }],
});
const failedOf = (value: string, reason = "not-applied") => [
  expect.objectContaining({ value, reason }),
];
const showUser = `oxide.show user ${anna.steamId}`;
const showPermission = 'oxide.show perm "kits.use"';

describe("a revoke of a player's permission", () => {
  it("succeeds even if a group of the player has the permission", async () => {
    const { simulator, push, outcome } = await startPushes();
    simulator.world.groups.get("default")?.permissions.add("kits.use");
    await push("1", userChanges({ revoke: ["kits.use"] }));
    expect(await outcome("1")).toMatchObject({ ok: true, applied: 1 });
  });

  it.each(["Error: Oxide.Show - failed (Oxide.Rust)", "something else", "Utilisateurs\nAnna"])(
    "fails if the holders of the permission cannot be read: %j",
    async (answer) => {
      const { simulator, push, outcome } = await startPushes();
      simulator.world.groups.get("default")?.permissions.add("kits.use");
      simulator.answers.set(showPermission, answer);
      await push("1", userChanges({ revoke: ["kits.use"] }));
      expect(await outcome("1")).toMatchObject({ ok: false, failed: failedOf("kits.use") });
    },
  );

  it.each(["Error: Oxide.Show - failed (Oxide.Rust)\nat Oxide:\nx", "something else"])(
    "fails if the answer about the player cannot be read: %j",
    async (answer) => {
      const { simulator, push, outcome } = await startPushes();
      simulator.answers.set(showUser, answer);
      await push("1", userChanges({ revoke: ["kits.use"], leave: ["default"] }));
      expect(await outcome("1")).toMatchObject({ ok: false, applied: 0 });
    },
  );

  it("has no outcome if the mod loader does not answer the request for the holders", async () => {
    const { simulator, push, events, outcome } = await startPushes();
    simulator.world.groups.get("default")?.permissions.add("kits.use");
    simulator.answers.set(showPermission, null);
    await push("1", userChanges({ revoke: ["kits.use"] }));
    await waitUntil("the holders are asked for", () => simulator.received.includes(showPermission));
    simulator.answers.clear();
    await push("2", userChanges({ revoke: ["kits.use"] }));
    expect(await outcome("2")).toMatchObject({ ok: true });
    expect(events("perm.sync").map(({ payload }) => payload.pushId)).toEqual(["2"]);
  });
});

describe("permissions of a group", () => {
  const vip = { name: "vip", title: "VIP", rank: 1, parent: "default", grant: [], revoke: [] };
  it("are read without those of the parent group to verify a revoke or a grant", async () => {
    const { simulator, push, outcome } = await startPushes();
    const { groups } = simulator.world;
    groups.get("default")?.permissions.add("kits.use").add("zones.enter");
    const permissions = new Set(["kits.use"]);
    groups.set("vip", { title: "VIP", rank: 1, parent: "default", permissions });
    simulator.answers.set('oxide.grant group "vip" "zones.enter"', "");
    await push("1", { groups: [{ ...vip, revoke: ["kits.use"], grant: ["zones.enter"] }] });
    expect(await outcome("1")).toMatchObject({ failed: failedOf("zones.enter") });
  });

  it("are reported as not applied if the answer about the group cannot be read", async () => {
    const { simulator, push, outcome } = await startPushes();
    simulator.answers.set('oxide.show group "vip"', "Group:\nx");
    await push("1", { groups: [{ ...vip, grant: ["kits.use"] }] });
    expect(await outcome("1")).toMatchObject({ ok: false, applied: 0 });
  });
});

describe("a push", () => {
  it("sends its changes without waiting for each answer", async () => {
    const { simulator, push, outcome } = await startPushes();
    const nodes = Array.from({ length: 120 }, (_each, at) => `kits.kit${at}`);
    for (const node of nodes) simulator.world.registered.add(node);
    const before = simulator.received.length;
    await push("1", userChanges({ grant: nodes }));
    expect(await outcome("1")).toMatchObject({ ok: true, applied: nodes.length });
    const sent = simulator.received.slice(before).filter((command) => command === showUser);
    expect(sent).toHaveLength(3);
  });

  it("is not executed if a newer one replaces it before it begins", async () => {
    const { simulator, push, outcome, events } = await startPushes();
    for (const pushId of ["1", "2", "3"]) {
      await push(pushId, userChanges({ grant: [pushId === "2" ? "kits.vip" : "kits.use"] }));
    }
    await outcome("3");
    expect(events("perm.sync").map(({ payload }) => payload.pushId)).toEqual(["1", "3"]);
    expect([...simulator.world.userOf(anna.steamId).permissions]).toEqual(["kits.use"]);
  });

  it("does not wait for the end of an inventory", async () => {
    const { push, outcome, events, execute, simulator } = await startPushes();
    await execute("GET /v1/perm/inventory");
    await waitUntil("the inventory begins", () => simulator.received.includes("oxide.show groups"));
    await push("1", userChanges({ grant: ["kits.use"] }));
    await outcome("1");
    expect(events("perm.inventory")).toEqual([]);
    await waitUntil("the inventory is told", () => events("perm.inventory").length === 1);
  });

  it("has a longer timeout if it has more changes", () => {
    expect([computeOutcomeTimeoutMs(1), computeOutcomeTimeoutMs(600)]).toEqual([61_000, 660_000]);
  });
});

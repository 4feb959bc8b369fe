import { randomUUID } from "node:crypto";

import { literal } from "sequelize";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import { BridgeError } from "../../shared/platform/bridge/bridge-error.ts";
import { runWithLedgerEntry } from "../../shared/survival/calls/ledger.ts";
import { deliverKits } from "../../shared/survival/rewards/deliver-kits.ts";
import { maintainZones } from "../../shared/survival/zones/maintain-zones.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let serverId: number;
beforeAll(async () => {
  server = await startTestServer();
  serverId = (await buildSurvivalServer(server, { enabled: true })).id;
});
afterAll(() => server.stop());
beforeEach(() =>
  deleteAll(server, "SurvivalLedgerEntry", "SurvivalEntitlement", "SurvivalZoneLease"),
);

/**
 * Returns the context of an attempt. The attempt's call to the game runs `meanwhile` and is then
 * refused.
 */
const refusedAfter = (
  code: "INVALID" | "SHARD_DOWN",
  meanwhile: () => Promise<unknown>,
): SiteContext => {
  const survival = new Proxy(server.context.survival, {
    get: (target, name) =>
      name === "call"
        ? async () => {
            await meanwhile();
            throw new BridgeError(code, { answered: 503 });
          }
        : Reflect.get(target, name, target),
  });
  return { ...server.context, survival };
};

describe("one of two overlapping attempts at a change on a game server", () => {
  const deed = { what: "map", runId: null, stepId: null } as const;
  const stateOf = async (ref: string) => {
    const entry = await server.context.models.SurvivalLedgerEntry.findOne({ where: { ref } });
    return [entry?.state, entry?.reason];
  };

  it("does not overwrite the other attempt's success with its own failure", async () => {
    const ref = randomUUID();
    const order = { ...deed, serverId, ref };
    const overtaken = runWithLedgerEntry(
      order,
      async () => {
        await runWithLedgerEntry(order, () => Promise.resolve("done"), server.context);
        throw new BridgeError("UNAVAILABLE");
      },
      server.context,
    );
    await expect(overtaken).rejects.toThrow(BridgeError);
    expect(await stateOf(ref)).toEqual(["confirmed", null]);
  });

  it("does not overwrite the end that the game reported with its own success", async () => {
    const ref = randomUUID();
    const { SurvivalLedgerEntry } = server.context.models;
    const expired = { state: "expired", reason: "timeout" } as const;
    const act = () => SurvivalLedgerEntry.update(expired, { where: { ref } });
    await runWithLedgerEntry({ ...deed, serverId, ref }, act, server.context);
    expect(await stateOf(ref)).toEqual(["expired", "timeout"]);
  });

  it("marks a ledger entry as confirmed that an earlier attempt marked as failed", async () => {
    const ref = randomUUID();
    const order = { ...deed, serverId, ref };
    const failing = () => Promise.reject(new BridgeError("UNAVAILABLE"));
    await expect(runWithLedgerEntry(order, failing, server.context)).rejects.toThrow(BridgeError);
    await runWithLedgerEntry(order, () => Promise.resolve("done"), server.context);
    expect(await stateOf(ref)).toEqual(["confirmed", null]);
  });

  it("does not mark a kit as failed that became pending again after a wipe", async () => {
    const { SurvivalEntitlement } = server.context.models;
    const kit = await SurvivalEntitlement.create({
      serverId,
      steamId: "76561198000000001",
      kit: "starter",
      uses: 1,
      expiresAt: null,
      error: null,
      deliveredAt: null,
      redeemedAt: null,
      runId: null,
      stepId: null,
      dedupeKey: randomUUID(),
    });
    const nextRound = () => kit.update({ round: literal("round + 1") });
    await deliverKits(serverId, refusedAfter("INVALID", nextRound));
    await kit.reload();
    expect([kit.state, kit.error]).toEqual(["pending", null]);
    await deliverKits(
      serverId,
      refusedAfter("INVALID", () => Promise.resolve()),
    );
    await kit.reload();
    expect(kit.state).toBe("failed");
  });

  it("does not shorten the time for which the other attempt holds a zone", async () => {
    const { SurvivalZoneLease } = server.context.models;
    const leaseId = randomUUID();
    const lease = await SurvivalZoneLease.create({
      leaseId,
      serverId,
      presetKey: "zone",
      preset: {} as never,
      at: { monument: "Dome" },
      durationSec: 3_600,
      state: "open",
      leaseUntil: clockNowPlus(3_600_000),
      heldUntil: clockNowPlus(1_000),
    });
    await lease.reload();
    const before = lease.heldUntil;
    const held = new Date(Date.now() + 300_000);
    await maintainZones(
      serverId,
      refusedAfter("SHARD_DOWN", () => lease.update({ heldUntil: held })),
    );
    await lease.reload();
    expect(lease.heldUntil).toEqual(held);
    await lease.update({ heldUntil: before });
    await maintainZones(
      serverId,
      refusedAfter("SHARD_DOWN", () => Promise.resolve()),
    );
    await lease.reload();
    expect(lease.heldUntil).toEqual(before);
  });
});

import type { SurvivalZoneLease } from "../../../models/survival/survival-zone-lease.ts";
import type { Order } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { openZoneCall } from "../calls/zone-calls.ts";
import type { SurvivalContext } from "../context.ts";

/** What a zone is known by in the game. */
export const zoneIdOf = (leaseId: string): string => `site-${leaseId}`;

/** For how many seconds the game holds a zone by itself, where it is to last for as many. */
export const ttlOf = (remainingSec: number, { config }: Pick<Context, "config">): number =>
  Math.max(1, Math.ceil(Math.min(config.SURVIVAL_LEASE_TTL / 1_000, remainingSec)));

/**
 * Has the game open the zone of a lease. The same is sent at each attempt, and under one key, so that
 * the game opens it once: a preset that was kept without its name goes by its key, as it did before.
 * @throws {BridgeError} when there is no good answer
 */
export async function sendOpening(
  { leaseId, serverId, presetKey, preset, at, durationSec, runId }: SurvivalZoneLease,
  order: Order,
  context: SurvivalContext,
): Promise<void> {
  const body = {
    leaseId,
    zoneId: zoneIdOf(leaseId),
    preset: { key: presetKey, name: presetKey, ...preset },
    at,
    ttlSec: ttlOf(durationSec, context),
    ...(runId !== null && { runId }),
  };
  await context.survival.call(serverId, (control) =>
    control.command(openZoneCall, { ...order, idempotencyKey: leaseId }, { body }),
  );
}

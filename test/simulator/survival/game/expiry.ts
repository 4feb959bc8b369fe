import type { Lease } from "../world/world.ts";
import { spawnPlacement, tellPlacements } from "./npcs.ts";
import type { SurvivalSimulationContext } from "./scene.ts";

type Reason = "wipe" | "boot" | "timeout" | "removed";

/** Emits the event about an object that has ended without a command of the service. */
export function emitExpiryEvent(
  scene: SurvivalSimulationContext,
  what: string,
  ref: string,
  reason: Reason,
): void {
  scene.emit("world.expired", { what, ref, reason, at: scene.now() });
}

/** Ends a zone whose lease has expired, with everything that belongs to it. */
export function expireLease(scene: SurvivalSimulationContext, lease: Lease, reason: Reason): void {
  const { leaseId, openedAt, until, runId } = lease;
  scene.world.leases.delete(leaseId);
  scene.emit("lease.expired", {
    leaseId,
    what: "zone",
    ref: leaseId,
    openedAt,
    leaseUntil: until,
    ...(runId === null ? {} : { runId }),
  });
  emitExpiryEvent(scene, "zone", leaseId, reason);
}

/**
 * Ends all zones, participations and entitlements that are due by the game's clock. This happens
 * even if no client is connected.
 */
export function expireDue(
  scene: SurvivalSimulationContext,
  reason: "boot" | "timeout" = "timeout",
): void {
  const { leases, participations, entitlements } = scene.world;
  const now = scene.now();
  for (const lease of leases.values()) if (lease.until <= now) expireLease(scene, lease, reason);
  for (const part of participations.values()) {
    if (part.state !== "open" || part.until > now) continue;
    part.state = "expired";
    emitExpiryEvent(scene, "participation", String(part.participationId), reason);
  }
  for (const one of entitlements.values()) {
    if (one.state !== "delivered" || one.expiresAt === null || one.expiresAt > now) continue;
    one.state = "expired";
    emitExpiryEvent(scene, "kit", String(one.entitlementId), reason);
  }
}

/** Ends all zones, participations and placements, as a wipe does. */
export function expireAll(scene: SurvivalSimulationContext): void {
  const { leases, participations, npcs } = scene.world;
  for (const lease of leases.values()) expireLease(scene, lease, "wipe");
  for (const part of participations.values()) {
    if (part.state !== "open") continue;
    part.state = "expired";
    emitExpiryEvent(scene, "participation", String(part.participationId), "wipe");
  }
  for (const name of npcs.placements.keys()) emitExpiryEvent(scene, "placement", name, "wipe");
  npcs.placements.clear();
  npcs.alive.clear();
}

/** Spawns the NPCs of placements whose respawn time has come. */
export function respawnDue(scene: SurvivalSimulationContext): void {
  let came = 0;
  for (const placement of scene.world.npcs.placements.values()) {
    if (placement.respawnAt === null || placement.respawnAt > scene.now()) continue;
    came += spawnPlacement(scene, placement, null);
  }
  if (came > 0) tellPlacements(scene);
}

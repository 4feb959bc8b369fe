import type { Payload } from "../../stream/event.ts";
import { gridOf } from "../world/map.ts";
import { aliveNpcsOf } from "../world/npcs.ts";
import type { Npc, Placement } from "../world/npcs.ts";
import type { Player } from "../world/players.ts";
import { tallyOf } from "../world/world.ts";
import type { SurvivalSimulationContext } from "./scene.ts";
import { npcPlacements } from "./states.ts";

const defaultSteps = [75, 50, 25, 10];

export const tellPlacements = ({ world, emit }: SurvivalSimulationContext): void =>
  emit("npc.placements", npcPlacements(world));

/**
 * Fills a placement. Records the spawn as an effect only if a command caused it.
 * @returns the number of new NPCs
 */
export function spawnPlacement(
  scene: SurvivalSimulationContext,
  placement: Placement,
  key: string | null,
): number {
  if (placement.problem !== null) return 0;
  const missing = placement.count - aliveNpcsOf(scene.world.npcs, placement.name).length;
  for (let index = 0; index < missing; index++) spawnOne(scene, placement);
  if (missing <= 0) return 0;
  placement.lastSpawnAt = scene.now();
  placement.respawnAt = null;
  if (key === null) return missing;
  const deed = { what: "npc.spawned", ref: placement.name, key, at: scene.now() } as const;
  scene.deeds.note(deed, missing);
  return missing;
}

function spawnOne(scene: SurvivalSimulationContext, { profile, name, x, z }: Placement): void {
  const { profiles, alive } = scene.world.npcs;
  const health = profiles.get(profile)?.document["health"];
  const maxHealth = typeof health === "number" ? health : 100;
  const netId = scene.nextNetId();
  const life = { health: maxHealth, maxHealth, damage: new Map() };
  alive.set(netId, { netId, profile, placement: name, x, z, ...life });
}

/** Damages an NPC. Emits an event for each health step that the NPC falls below, and for its death. */
export function damageNpc(
  scene: SurvivalSimulationContext,
  npc: Npc,
  { by, damage, weapon }: { by: Player | null; damage: number; weapon?: string | undefined },
): void {
  const before = (npc.health / npc.maxHealth) * 100;
  const dealt = Math.min(npc.health, damage);
  npc.health -= dealt;
  if (by !== null) npc.damage.set(by.steamId, (npc.damage.get(by.steamId) ?? 0) + dealt);
  const percent = Math.round((npc.health / npc.maxHealth) * 100);
  for (const step of stepsOf(scene, npc).filter((one) => before > one && percent <= one)) {
    scene.emit("survival.npc.health", {
      netId: npc.netId,
      profile: npc.profile,
      ...(npc.placement === null ? {} : { placement: npc.placement }),
      health: npc.health,
      maxHealth: npc.maxHealth,
      percent,
      step,
    });
  }
  if (npc.health <= 0) dies(scene, npc, by, weapon);
}

function stepsOf({ world }: SurvivalSimulationContext, { profile }: Npc): number[] {
  const steps = world.npcs.profiles.get(profile)?.document["healthSteps"];
  return Array.isArray(steps) ? steps.filter(Number.isInteger) : defaultSteps;
}

function dies(
  scene: SurvivalSimulationContext,
  npc: Npc,
  killer: Player | null,
  weapon?: string,
): void {
  const { npcs } = scene.world;
  npcs.alive.delete(npc.netId);
  if (killer !== null) countKill(scene, killer);
  const placement = npcs.placements.get(npc.placement ?? "");
  scene.emit("survival.npc.died", {
    ...obituary(scene, npc),
    ...(killer === null ? {} : { killer: { steamId: killer.steamId, name: killer.name } }),
    ...(weapon === undefined ? {} : { weapon, distance: 12.5 }),
    alive: placement === undefined ? 0 : aliveNpcsOf(npcs, placement.name).length,
    ...runOf(placement),
  });
  for (const steamId of npc.damage.keys()) scorePart(scene, npc, steamId);
  if (placement === undefined) return;
  placement.lastDeathAt = scene.now();
  const { respawnSec } = placement;
  placement.respawnAt ??= respawnSec === null ? null : scene.now() + respawnSec * 1_000;
  tellPlacements(scene);
}

/** Returns the fields of an NPC's death that do not depend on the killer. */
function obituary({ world }: SurvivalSimulationContext, npc: Npc): Payload {
  const document = world.npcs.profiles.get(npc.profile)?.document;
  const displayName = document?.["displayName"];
  return {
    netId: npc.netId,
    profile: npc.profile,
    ...(npc.placement === null ? {} : { placement: npc.placement }),
    name: typeof displayName === "string" ? displayName : npc.profile,
    boss: document?.["boss"] === true,
    contributors: [...npc.damage].map(([steamId, damage]) => ({ steamId, damage })),
    x: npc.x,
    z: npc.z,
    grid: gridOf(world.save.size, npc.x, npc.z),
  };
}

const runOf = (placement: Placement | undefined): { runId?: number } =>
  placement?.runId === undefined ? {} : { runId: placement.runId };

function countKill(scene: SurvivalSimulationContext, { steamId }: Player): void {
  tallyOf(scene.world, steamId).stats.npcKills++;
  scene.changedTallies.add(steamId);
}

/** Adds the damage to open participations for which damage to this NPC counts. */
function scorePart(scene: SurvivalSimulationContext, npc: Npc, steamId: string): void {
  for (const part of scene.world.participations.values()) {
    const counts = part.method === "kill" || part.method === "damage";
    if (part.state !== "open" || !counts) continue;
    if (part.profile !== null && part.profile !== npc.profile) continue;
    recordParticipation(scene, part.participationId, steamId, npc.damage.get(steamId) ?? 0);
  }
}

export function recordParticipation(
  scene: SurvivalSimulationContext,
  participationId: number,
  steamId: string,
  score: number,
): void {
  const part = scene.world.participations.get(participationId);
  const player = scene.world.players.get(steamId);
  if (part?.state !== "open" || player === undefined) return;
  const at = scene.now();
  const member = part.members.get(steamId);
  if (member !== undefined) {
    member.lastAt = at;
    member.score += score;
    return;
  }
  const { name } = player;
  part.members.set(steamId, { steamId, name, firstAt: at, lastAt: at, score });
  scene.emit("participation.joined", { participationId, steamId, name, at });
}

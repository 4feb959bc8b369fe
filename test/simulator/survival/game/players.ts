import { gridOf } from "../world/map.ts";
import { pickPosition } from "../world/players.ts";
import type { Player } from "../world/players.ts";
import { tallyOf } from "../world/world.ts";
import type { SurvivalSimulationContext } from "./scene.ts";

export interface Killer {
  readonly kind: "player" | "npc" | "animal" | "entity" | "self" | "environment";
  readonly steamId?: string;
  readonly name?: string;
  readonly profile?: string;
  readonly prefab?: string;
}

export const playerIdentityOf = ({ steamId, name }: Player) => ({ steamId, name });

/** Connects a player. Does nothing if the player is connected. */
export function connectPlayer(scene: SurvivalSimulationContext, player: Player): void {
  if (player.connectedAt !== null) return;
  const first = !player.known;
  // A player who returns in the same millisecond gets a later time, so that the connection is a new
  // one.
  const connectedAt = Math.max(scene.now(), player.lastConnectedAt + 1);
  player.lastConnectedAt = connectedAt;
  Object.assign(player, { connectedAt, known: true, sleeping: false, dead: false, health: 100 });
  tallyOf(scene.world, player.steamId);
  scene.changedTallies.add(player.steamId);
  scene.emit("player.joined", {
    ...playerIdentityOf(player),
    connectedAt,
    ...(first ? { first } : {}),
  });
}

/** Counts the play time of a player, in whole seconds. */
export function countTime(scene: SurvivalSimulationContext, player: Player): void {
  if (player.connectedAt === null) return;
  const from = Math.max(player.connectedAt, player.countedAt);
  const seconds = Math.max(0, Math.floor((scene.now() - from) / 1_000));
  player.countedAt = from + seconds * 1_000;
  if (seconds > 0) tallyOf(scene.world, player.steamId).playtimeSec += seconds;
  scene.changedTallies.add(player.steamId);
}

export function disconnectPlayer(
  scene: SurvivalSimulationContext,
  player: Player,
  reason: string,
): void {
  const { connectedAt } = player;
  if (connectedAt === null) return;
  const sessionSec = Math.max(0, Math.floor((scene.now() - connectedAt) / 1_000));
  countTime(scene, player);
  Object.assign(player, { connectedAt: null, lastConnectedAt: connectedAt, sleeping: true });
  scene.emit("player.left", { ...playerIdentityOf(player), connectedAt, reason, sessionSec });
}

export function respawnPlayer(scene: SurvivalSimulationContext, player: Player): void {
  const { x, y, z, rotation } = pickPosition(scene.world.save.size, scene.random);
  Object.assign(player, { dead: false, health: 100, x, y, z, rotation });
  scene.emit("player.respawned", {
    ...playerIdentityOf(player),
    x,
    y,
    z,
    bag: scene.random.chance(0.5),
  });
}

interface Death {
  readonly killer: Killer;
  readonly weapon?: string | undefined;
  readonly distance?: number | undefined;
  readonly headshot?: boolean | undefined;
}

export function killPlayer(scene: SurvivalSimulationContext, victim: Player, death: Death): void {
  const { killer, weapon, distance, headshot } = death;
  victim.dead = true;
  victim.health = 0;
  if (killer.kind === "player" && killer.steamId !== undefined) {
    countKill(scene, killer.steamId, death);
  }
  scene.emit("player.died", {
    victim: playerIdentityOf(victim),
    killer,
    ...(weapon === undefined ? {} : { weapon }),
    ...(distance === undefined ? {} : { distance }),
    ...(headshot === undefined ? {} : { headshot }),
    sleeping: victim.sleeping,
    x: victim.x,
    z: victim.z,
    grid: gridOf(scene.world.save.size, victim.x, victim.z),
  });
}

const weaponStats = {
  "pistol.revolver": "revolverKills",
  "bow.hunting": "arrowKills",
  machete: "meleeKills",
  longsword: "bladeKills",
} as const;

export const weapons = [...Object.keys(weaponStats), "rifle.ak"];

function countKill(scene: SurvivalSimulationContext, steamId: string, death: Death): void {
  const { stats } = tallyOf(scene.world, steamId);
  const { weapon = "", distance = 0 } = death;
  stats.playersKilled++;
  if (death.headshot === true) stats.headshots++;
  const stat = Object.hasOwn(weaponStats, weapon)
    ? weaponStats[weapon as keyof typeof weaponStats]
    : undefined;
  if (stat !== undefined) stats[stat]++;
  stats.pvpKillDistance = Math.max(stats.pvpKillDistance, Math.floor(distance));
  scene.changedTallies.add(steamId);
}

export const channels = ["global", "team", "local", "clan"] as const;

/**
 * A player writes in a chat. Only global chat is sent to the site, unless a fault sends private
 * chat too.
 */
export function sendChatMessage(
  scene: SurvivalSimulationContext,
  player: Player,
  message: string,
  channel: (typeof channels)[number] = "global",
): void {
  scene.emit("player.chat", { ...playerIdentityOf(player), channel, message });
}

export function reportPlayer(
  scene: SurvivalSimulationContext,
  reporter: Player,
  target: Player,
): void {
  scene.emit("player.reported", {
    reporter: playerIdentityOf(reporter),
    target: playerIdentityOf(target),
    subject: "cheating",
    message: "walks through walls",
    type: "cheat",
  });
}

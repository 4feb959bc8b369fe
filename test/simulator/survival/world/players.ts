import { createRandom, type RandomSource } from "../../random.ts";
import { playerName, steamIdOf } from "./names.ts";

export interface Player {
  readonly steamId: string;
  name: string;
  readonly isStaff: boolean;
  /** The time of the connection, or null if the player is offline. */
  connectedAt: number | null;
  lastConnectedAt: number;
  /** The time up to which the play time is counted. */
  countedAt: number;
  /** True if the player has ever been on this server. */
  known: boolean;
  sleeping: boolean;
  dead: boolean;
  health: number;
  x: number;
  y: number;
  z: number;
  rotation: number;
  /** The id of the player's clan in the current clan database. */
  clanId: string | null;
}

export function makePlayers(count: number, worldSize: number, random: RandomSource): Player[] {
  return Array.from({ length: count }, (_, index) => ({
    steamId: steamIdOf(index),
    // A player has the same name on all servers.
    name: playerName(index, createRandom(`name ${steamIdOf(index)}`)),
    // Make exactly these two players staff.
    isStaff: index === 18 || index === 19,
    connectedAt: null,
    lastConnectedAt: 0,
    countedAt: 0,
    known: index % 10 !== 9,
    sleeping: false,
    dead: false,
    health: 100,
    ...pickPosition(worldSize, random),
    clanId: null,
  }));
}

/** Returns a position in the world. Some are slightly beyond its edge. */
export function pickPosition(
  worldSize: number,
  random: RandomSource,
): { x: number; y: number; z: number; rotation: number } {
  const reach = random.chance(0.03) ? worldSize * 0.6 : worldSize * 0.48;
  const along = (): number => Math.round((random.next() * 2 - 1) * reach * 10) / 10;
  return { x: along(), y: random.int(0, 90), z: along(), rotation: random.int(0, 359) };
}

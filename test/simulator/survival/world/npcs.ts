/** The look and combat values of an NPC, written by the site or in the game. */
export type ProfileDocument = Readonly<Record<string, unknown>> & { readonly key: string };

export interface Profile {
  document: ProfileDocument;
  /** `server` if the site did not push it. */
  origin: "site" | "server";
}

export interface Npc {
  /** Reused for other NPCs after a restart. */
  readonly netId: string;
  readonly profile: string;
  /** The placement's name; null for manual spawns. */
  readonly placement: string | null;
  readonly maxHealth: number;
  health: number;
  readonly damage: Map<string, number>;
  readonly x: number;
  readonly z: number;
}

export interface Placement {
  name: string;
  readonly profile: string;
  readonly count: number;
  /** Null if it never respawns. */
  readonly respawnSec: number | null;
  readonly x: number;
  readonly z: number;
  readonly problem: string | null;
  lastSpawnAt: number | null;
  lastDeathAt: number | null;
  respawnAt: number | null;
  readonly runId?: number;
}

export interface Npcs {
  readonly profiles: Map<string, Profile>;
  readonly placements: Map<string, Placement>;
  readonly alive: Map<string, Npc>;
  factions: unknown[];
}

/** Creates the profiles that existed in the game before the site. */
export const makeNpcs = (): Npcs => ({
  profiles: new Map(
    [
      { key: "scientist", displayName: "Old Scientist", health: 150, ranked: true },
      { key: "warlord", displayName: "<color=red>Warlord</color>", health: 2_000, boss: true },
    ].map((document) => [document.key, { document, origin: "server" }]),
  ),
  placements: new Map(),
  alive: new Map(),
  factions: [],
});

export const aliveOf = ({ alive }: Npcs, placement: string): Npc[] =>
  [...alive.values()].filter((npc) => npc.placement === placement);

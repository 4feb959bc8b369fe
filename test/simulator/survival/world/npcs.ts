/**
 * The look and the combat values of an NPC. The site or an administrator of the game writes them.
 */
export type ProfileDocument = Readonly<Record<string, unknown>> & { readonly key: string };

export interface Profile {
  document: ProfileDocument;
  /** Where the profile comes from: from the site, or from the game server. */
  origin: "site" | "server";
}

export interface Npc {
  /** The id of the NPC in the game. After a restart, another NPC may have the same id. */
  readonly netId: string;
  readonly profile: string;
  /** The name of the placement. Null if the NPC was spawned by hand. */
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
  /** The seconds until a dead NPC is replaced. Null if it never is. */
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

/** Creates the profiles that the game had before the site sent any. */
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

export const aliveNpcsOf = ({ alive }: Npcs, placement: string): Npc[] =>
  [...alive.values()].filter((npc) => npc.placement === placement);

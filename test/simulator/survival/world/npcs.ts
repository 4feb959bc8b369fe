/** How an NPC looks and fights, as the site or somebody in the game wrote it. */
export type ProfileDocument = Readonly<Record<string, unknown>> & { readonly key: string };

export interface Profile {
  document: ProfileDocument;
  /** `server` for what the site did not push. */
  origin: "site" | "server";
}

export interface Npc {
  /** Given again to others after a restart. */
  readonly netId: string;
  readonly profile: string;
  /** The placement's name; null for one that was spawned by hand. */
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
  /** Null for never. */
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

/** What somebody made in the game before there was a site. */
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

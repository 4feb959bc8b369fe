import { createRandom } from "../../random.ts";
import type { RandomSource } from "../../random.ts";
import { createClanDatabase, populateClans } from "./clans.ts";
import type { ClanDatabase } from "./clans.ts";
import { frameworkFacts } from "./frameworks.ts";
import type { Framework, FrameworkName } from "./frameworks.ts";
import { placeMonuments, renderMap } from "./map.ts";
import type { MapImage, Monument } from "./map.ts";
import { makeNpcs } from "./npcs.ts";
import type { Npcs } from "./npcs.ts";
import { makePermissions } from "./permissions.ts";
import type { Permissions } from "./permissions.ts";
import { makePlayers } from "./players.ts";
import type { Player } from "./players.ts";
import { makePlugins } from "./plugins.ts";
import type { Plugin } from "./plugins.ts";
import type { SurvivalSizes } from "./sizes.ts";
import { emptyTally, stats } from "./stats.ts";
import type { Tally } from "./stats.ts";

/** The world between two wipes. A restart keeps it. */
export interface SavedWorld {
  /** The time at which the world was created, in epoch milliseconds. It is the id of the save. */
  readonly saveId: number;
  readonly seed: number;
  readonly size: number;
  readonly level: string;
  readonly protocol: number;
  readonly tallies: Map<string, Tally>;
  readonly monuments: readonly Monument[];
  /** The picture of the map. Null if it was never rendered. */
  image: MapImage | null;
  clans: ClanDatabase;
}

export interface Lease {
  readonly leaseId: string;
  readonly zoneId: string;
  readonly preset: unknown;
  readonly at: unknown;
  readonly runId: number | null;
  readonly openedAt: number;
  until: number;
}

export interface ParticipationMember {
  readonly steamId: string;
  readonly name: string;
  readonly firstAt: number;
  lastAt: number;
  score: number;
}

export interface Participation {
  readonly participationId: number;
  readonly method: string;
  readonly zoneId: string | null;
  readonly profile: string | null;
  readonly until: number;
  state: "open" | "collected" | "expired";
  readonly members: Map<string, ParticipationMember>;
}

export interface Entitlement {
  readonly entitlementId: number;
  readonly steamId: string;
  readonly kit: string;
  uses: number;
  readonly expiresAt: number | null;
  state: "delivered" | "redeemed" | "expired";
}

export interface LinkCode {
  readonly code: string;
  readonly steamId: string;
  readonly expiresAt: number;
}

export interface Ban {
  readonly name: string;
  readonly reason: string;
  readonly expiresAt: number | null;
}

/** The complete state of the game and its plugins. */
export interface SurvivalWorld {
  readonly seed: string;
  readonly sizes: SurvivalSizes;
  readonly serverName: string;
  readonly framework: Framework;
  readonly players: Map<string, Player>;
  readonly plugins: Map<string, Plugin>;
  readonly permissions: Permissions;
  readonly npcs: Npcs;
  readonly kits: Set<string>;
  readonly saves: Map<number, SavedWorld>;
  /** The world that is loaded. */
  save: SavedWorld;
  readonly leases: Map<string, Lease>;
  readonly participations: Map<number, Participation>;
  readonly entitlements: Map<number, Entitlement>;
  readonly codes: Map<string, LinkCode>;
  /** The bans by Steam id. */
  readonly bans: Map<string, Ban>;
  npcApi: number;
  voice: unknown;
  titles: unknown;
}

interface WorldFacts {
  readonly seed: string;
  readonly now: number;
  readonly sizes: SurvivalSizes;
  readonly framework: FrameworkName;
  readonly serverName: string;
  /**
   * The id of the save to continue. By default there is a new save, created two days before `now`.
   */
  readonly saveId?: number | undefined;
  /** The counters of players in the continued save. */
  readonly tallies?: ReadonlyMap<string, Tally> | undefined;
}

/** The version of the save format. A forced wipe increases it. */
export const saveProtocol = 264;

const twoDaysMs = 2 * 86_400_000;

export function createSurvivalWorld(facts: WorldFacts): SurvivalWorld {
  const { seed, now, sizes, serverName } = facts;
  const random = createRandom(`${seed}/survival`);
  const players = makePlayers(sizes.players, sizes.worldSize, random.fork("players"));
  const plugins = makePlugins(now - twoDaysMs);
  const nodes = [...plugins.values()].flatMap(({ permissions }) => permissions);
  const framework = frameworkFacts[facts.framework];
  const clans = createClanDatabase();
  populateClans(clans, players, { count: sizes.clans, at: now, random: random.fork("clans") });
  const saveId = facts.saveId ?? now - twoDaysMs;
  const save = makeSave({
    seed: `${seed}/${saveId}`,
    saveId,
    sizes,
    protocol: saveProtocol,
    clans,
  });
  const counted =
    facts.tallies ??
    players
      .filter(({ known }) => known)
      .map(({ steamId }) => [steamId, startingTally(random)] as const);
  for (const [steamId, tally] of counted) save.tallies.set(steamId, tally);
  const holding = { holders: sizes.holders, nodes, random: random.fork("holders") };
  return {
    seed,
    sizes,
    serverName,
    framework,
    players: new Map(players.map((player) => [player.steamId, player])),
    plugins,
    permissions: makePermissions(framework.groups, players, holding),
    npcs: makeNpcs(),
    kits: new Set(["starter", "builder", "vip", "event"]),
    saves: new Map([[saveId, save]]),
    save,
    leases: new Map(),
    participations: new Map(),
    entitlements: new Map(),
    codes: new Map(),
    bans: new Map(),
    npcApi: 4,
    voice: null,
    titles: null,
  };
}

interface SaveFacts {
  readonly seed: string;
  readonly saveId: number;
  readonly sizes: SurvivalSizes;
  readonly protocol: number;
  readonly clans: ClanDatabase;
}

export function makeSave({ seed, saveId, sizes, protocol, clans }: SaveFacts): SavedWorld {
  const random = createRandom(seed).fork("map");
  return {
    saveId,
    seed: random.int(1, 2 ** 31 - 1),
    size: sizes.worldSize,
    level: "Procedural Map",
    protocol,
    tallies: new Map(),
    monuments: placeMonuments(sizes.worldSize, random),
    image: renderMap(seed, sizes.image, sizes.oceanMargin),
    clans,
  };
}

function startingTally(random: RandomSource): Tally {
  const tally = emptyTally();
  for (const stat of stats) tally.stats[stat] = random.chance(0.6) ? random.logNormal(12, 1) : 0;
  tally.playtimeSec = random.int(60, 150_000);
  tally.afkSec = random.int(0, 5_000);
  return tally;
}

/** Returns the counters of a player in the current save. Creates them if they are missing. */
export function tallyOf({ save }: SurvivalWorld, steamId: string): Tally {
  const found = save.tallies.get(steamId);
  if (found !== undefined) return found;
  const made = emptyTally();
  save.tallies.set(steamId, made);
  return made;
}

export const onlinePlayers = ({ players }: SurvivalWorld): Player[] =>
  [...players.values()].filter(({ connectedAt }) => connectedAt !== null);

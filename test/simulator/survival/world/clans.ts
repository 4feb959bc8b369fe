import type { RandomSource } from "../../random.ts";
import { clanName } from "./names.ts";
import type { Player } from "./players.ts";

export interface ClanMember {
  readonly steamId: string;
  roleId: number;
  readonly joinedAt: number;
  lastSeenAt: number;
  notes: string;
}

export interface Clan {
  /** A number, counted from 1 in each clan database. A new database uses the same numbers again. */
  readonly clanId: string;
  /** An opaque text that identifies the clan together with `clanId`. */
  readonly created: string;
  name: string;
  score: number;
  /** The color as a signed 32-bit ARGB number, as in the game. */
  color: number;
  motd: string | null;
  readonly members: Map<string, ClanMember>;
}

export interface ClanDatabase {
  lastId: number;
  readonly clans: Map<string, Clan>;
}

/** The maximum number of clans on a board. */
export const boardCeiling = 100;

export const roles = [
  {
    roleId: 1,
    rank: 1,
    name: "Leader",
    canSetMotd: true,
    canSetLogo: true,
    canInvite: true,
    canKick: true,
    canPromote: true,
    canDemote: true,
    canSetPlayerNotes: true,
    canAccessLogs: true,
    canAccessScoreEvents: true,
  },
  {
    roleId: 2,
    rank: 2,
    name: "Member",
    canSetMotd: false,
    canSetLogo: false,
    canInvite: false,
    canKick: false,
    canPromote: false,
    canDemote: false,
    canSetPlayerNotes: false,
    canAccessLogs: false,
    canAccessScoreEvents: false,
  },
] as const;

export const createClanDatabase = (): ClanDatabase => ({ lastId: 0, clans: new Map() });

/** Creates a clan. Its founder becomes its leader. */
export function createClan(
  database: ClanDatabase,
  { name, at, score, color }: { name: string; at: number; score: number; color: number },
  founder: Player | undefined,
): Clan {
  const clan: Clan = {
    clanId: String(++database.lastId),
    created: String(at),
    name,
    score,
    color,
    motd: null,
    members: new Map(),
  };
  database.clans.set(clan.clanId, clan);
  if (founder !== undefined) addClanMember(clan, founder, 1, at);
  return clan;
}

export function addClanMember(clan: Clan, player: Player, roleId: number, at: number): ClanMember {
  const { steamId } = player;
  const member = { steamId, roleId, joinedAt: at, lastSeenAt: at, notes: `note on ${steamId}` };
  clan.members.set(steamId, member);
  player.clanId = clan.clanId;
  return member;
}

/** Creates clans of up to eight members, from players who have no clan. */
export function populateClans(
  database: ClanDatabase,
  players: readonly Player[],
  { count, at, random }: { count: number; at: number; random: RandomSource },
): void {
  const free = players.filter(({ clanId }) => clanId === null);
  for (let index = 0; index < count; index++) {
    const facts = {
      name: clanName(index, random),
      at: at - random.int(1, 1_000_000),
      score: random.logNormal(800, 1.2),
      color: random.int(-(2 ** 31), 2 ** 31 - 1),
    };
    const clan = createClan(database, facts, free.pop());
    for (let more = random.int(0, 7); more > 0; more--) {
      const player = free.pop();
      if (player !== undefined) addClanMember(clan, player, 2, at);
    }
    if (index % 2 === 0) clan.motd = `Welcome to ${clan.name}`;
  }
}

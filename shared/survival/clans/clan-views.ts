import type { SurvivalClanMember } from "../../../models/survival/survival-clan-member.ts";
import type { SurvivalClan } from "../../../models/survival/survival-clan.ts";
import { plainText } from "../../plain-text.ts";
import { shownName } from "../players/shown-name.ts";
import { clanColor, leaderOf } from "./clan-board.ts";
import { externalIdOf } from "./clan-identity.ts";
import { clanName } from "./clan-name.ts";

/** What a caller sees of clans beside themselves. */
export interface Sight {
  /** Who is in them. */
  readonly roster: boolean;
  /** Who of those is on the server. */
  readonly presence: boolean;
  /** Whether the server is there: nobody is on one that is not, whatever was told of it before. */
  readonly isThere: boolean;
}

/**
 * @openapi
 * components:
 *   schemas:
 *     Clan:
 *       type: object
 *       additionalProperties: false
 *       required:
 *         - externalId
 *         - serverId
 *         - clanId
 *         - createdAt
 *         - name
 *         - color
 *         - logoHash
 *         - score
 *         - rank
 *         - memberCount
 *         - firstSeenAt
 *         - lastSeenAt
 *         - disbandedAt
 *       properties:
 *         externalId: { type: string, example: '3-17-1764542400', description: 'Names the clan, whatever becomes of its id.' }
 *         serverId: { type: integer }
 *         clanId: { type: string, description: The game gives it to another clan in a new database., example: '17' }
 *         createdAt: { type: string, description: 'When the clan was made: a number of the game, in its own unit.', example: '1764542400' }
 *         name: { type: string, example: Night Owls }
 *         color: { type: string, nullable: true, example: '#3a6ea5' }
 *         logoHash: { type: string, nullable: true, description: Always null. }
 *         score:
 *           description: A text where it has more digits than a number of JSON holds.
 *           oneOf: [{ type: integer, nullable: true }, { type: string }]
 *         rank: { type: integer, nullable: true, description: Null for one that the board leaves out. }
 *         memberCount: { type: integer }
 *         onlineCount:
 *           type: integer
 *           nullable: true
 *           description: Absent for a caller who may not see who is in a clan, or on a server; null while unknown.
 *         leader:
 *           type: object
 *           nullable: true
 *           description: Absent for a caller who may not see who is in a clan; null while unknown.
 *           additionalProperties: false
 *           required: [steamId, name]
 *           properties:
 *             steamId: { $ref: '#/components/schemas/SteamId' }
 *             name: { type: string }
 *         motd: { type: string, nullable: true, description: 'For members and staff alone, in the page of the clan.' }
 *         firstSeenAt: { type: string, format: date-time }
 *         lastSeenAt: { type: string, format: date-time }
 *         disbandedAt: { type: string, format: date-time, nullable: true }
 */
export const viewClan = (clan: SurvivalClan, sight: Sight) => ({
  externalId: externalIdOf(clan),
  serverId: clan.serverId,
  clanId: clan.clanId,
  createdAt: clan.created,
  name: clanName(clan),
  color: clanColor(clan.color),
  logoHash: null,
  score: scoreOf(clan),
  rank: clan.rank,
  memberCount: clan.memberCount,
  ...(sight.presence && { onlineCount: onlineOf(clan, sight) }),
  ...(sight.roster && { leader: leaderOfClan(clan) }),
  firstSeenAt: clan.firstSeenAt,
  lastSeenAt: clan.lastSeenAt,
  disbandedAt: clan.disbandedAt,
});

function scoreOf({ score }: SurvivalClan): number | string | null {
  const number = Number(score);
  return score !== null && Number.isSafeInteger(number) ? number : score;
}

function onlineOf({ rosterAt, members = [] }: SurvivalClan, { isThere }: Sight): number | null {
  if (!isThere) return 0;
  if (rosterAt === null) return null;
  return members.filter(({ isOnline }) => isOnline === true).length;
}

function leaderOfClan({ members = [] }: SurvivalClan) {
  const ranked = members
    .filter(({ roleRank }) => roleRank !== null)
    .map(({ steamId, name, roleRank, joinedAt }) => ({
      steamId,
      name: shownName(name, steamId),
      roleRank: Number(roleRank),
      joinedAt: joinedAt?.valueOf(),
    }));
  const leader = leaderOf(ranked);
  return leader ? { steamId: leader.steamId, name: leader.name } : null;
}

/**
 * @openapi
 * components:
 *   schemas:
 *     ClanMember:
 *       type: object
 *       additionalProperties: false
 *       required: [steamId, name, roleId, role, roleRank, joinedAt]
 *       properties:
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         name: { type: string }
 *         roleId: { type: integer, nullable: true }
 *         role: { type: string, nullable: true, example: Leader }
 *         roleRank: { type: integer, nullable: true, description: 'The lower, the higher the member stands.' }
 *         joinedAt: { type: string, format: date-time, nullable: true }
 *         lastSeenAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: Absent, like `online`, for a caller who may not see who is on a server.
 *         online: { type: boolean, nullable: true }
 */
export const viewMember = (member: SurvivalClanMember, { presence, isThere }: Sight) => ({
  steamId: member.steamId,
  name: shownName(member.name, member.steamId),
  roleId: member.roleId,
  role: member.roleName && plainText(member.roleName, 64),
  roleRank: member.roleRank,
  joinedAt: member.joinedAt,
  ...(presence && { lastSeenAt: member.lastSeenAt, online: isThere && member.isOnline }),
});

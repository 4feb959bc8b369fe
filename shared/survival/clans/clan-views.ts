import type { SurvivalClanMember } from "../../../models/survival/players/survival-clan-member.ts";
import type { SurvivalClan } from "../../../models/survival/players/survival-clan.ts";
import { plainText } from "../../platform/texts/plain-text.ts";
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
 *         externalId:
 *           type: string
 *           example: '3-17-1764542400'
 *           description: >-
 *             Permanent id of the clan. It is unique across all servers and all databases of a
 *             game.
 *         serverId: { type: integer }
 *         clanId:
 *           type: string
 *           example: '17'
 *           description: >
 *             Id of the clan in the game. The game may reuse the id for another clan after its
 *             database is recreated.
 *         createdAt:
 *           type: string
 *           example: '1764542400'
 *           description: >-
 *             When the clan was created, as the game reports it. Because the game chooses the unit,
 *             use the value only for comparisons.
 *         name: { type: string, example: Night Owls }
 *         color: { type: string, nullable: true, example: '#3a6ea5' }
 *         logoHash: { type: string, nullable: true, description: Always null. }
 *         score:
 *           description: >-
 *             Score of the clan in the game. A string if the number is too large for a JSON number.
 *             Null while unknown.
 *           oneOf: [{ type: integer, nullable: true }, { type: string }]
 *         rank:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Rank of the clan in the game's ranking. Null if the game does not rank the clan.
 *         memberCount: { type: integer }
 *         onlineCount:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Number of members who are on the server. 0 while the server is offline, null while
 *             unknown. Absent for callers below the audience `roster` or `presence`.
 *         leader:
 *           type: object
 *           nullable: true
 *           description: >-
 *             Leader of the clan: the member with the highest role. If several members have it, the
 *             member who joined first. Null while unknown. Absent for callers below the audience
 *             `roster`.
 *           additionalProperties: false
 *           required: [steamId, name]
 *           properties:
 *             steamId: { $ref: '#/components/schemas/SteamId' }
 *             name: { type: string }
 *         motd:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Message of the clan to its members. Present only in the response about a single clan,
 *             and only if the caller is a member of the clan or belongs to staff.
 *         firstSeenAt:
 *           type: string
 *           format: date-time
 *           description: When the game first reported the clan.
 *         lastSeenAt:
 *           type: string
 *           format: date-time
 *           description: When the game last reported the clan.
 *         disbandedAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the clan was disbanded. Null while the clan exists.
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
 *         roleRank:
 *           type: integer
 *           nullable: true
 *           description: Rank of the member's role. The lowest number is the highest role.
 *         joinedAt: { type: string, format: date-time, nullable: true }
 *         lastSeenAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >
 *             When the member was last on the server. Absent for callers below the audience
 *             `presence`.
 *         online:
 *           type: boolean
 *           nullable: true
 *           description: >
 *             Whether the member is on the server. Null while unknown. Absent for callers below the
 *             audience `presence`.
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

import type { SurvivalClanMember } from "../../../models/survival/players/survival-clan-member.ts";
import type { SurvivalClan } from "../../../models/survival/players/survival-clan.ts";
import { plainText } from "../../platform/texts/plain-text.ts";
import { shownName } from "../plain-texts.ts";
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

export const viewMember = (member: SurvivalClanMember, { presence, isThere }: Sight) => ({
  steamId: member.steamId,
  name: shownName(member.name, member.steamId),
  roleId: member.roleId,
  role: member.roleName && plainText(member.roleName, 64),
  roleRank: member.roleRank,
  joinedAt: member.joinedAt,
  ...(presence && { lastSeenAt: member.lastSeenAt, online: isThere && member.isOnline }),
});

import { literal } from "sequelize";

import type { SurvivalClanMember } from "../../../models/survival/players/survival-clan-member.ts";
import type { SurvivalClan } from "../../../models/survival/players/survival-clan.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { isStaff } from "../../platform/access/roles.ts";
import type { Context } from "../../platform/context.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { toPlainText } from "../../platform/texts/plain-text.ts";
import { displayName } from "../plain-texts.ts";
import { findServer, type ServerRecord } from "../servers/read-servers.ts";
import { type CallerAccess, readCallerAccess } from "../visibility/visibility.ts";
import { maxBoardClans, formatClanColor, findLeader } from "./clan-board.ts";
import { parseClanId, externalIdOf, clanName } from "./clan-identity.ts";

type Database = Pick<Context, "models" | "sequelize">;

const longestMotd = 2_000;

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Reads a server's clans that are not disbanded: first the clans on the board, in the board's order. */
export async function readClanBoard(
  { server, online }: ServerRecord,
  { limit, offset }: Page,
  caller: Caller | null,
  context: Database,
): Promise<object> {
  const { SurvivalClan: Clan, SurvivalClanBoard: Board } = context.models;
  const serverId = server.id;
  const where = { serverId, disbandedAt: null };
  const [board, total, clans, view] = await Promise.all([
    Board.findByPk(serverId, { raw: true }),
    Clan.count({ where }),
    Clan.findAll({
      where,
      include: [{ association: "members", separate: true }],
      order: [literal("rank nulls last"), "id"],
      limit,
      offset,
    }),
    readCallerAccess(caller, context),
  ]);
  const sight = clanAccessOf(view, online);
  return {
    clans: clans.map((clan) => viewClan(clan, sight)),
    total,
    ceiling: board?.ceiling ?? maxBoardClans,
    complete: board?.isComplete ?? false,
    updatedAt: board?.toldAt ?? null,
  };
}

/** Reads a clan, even if it is disbanded. @throws AppError missing if no listed server has it */
export async function readClan(
  externalId: string,
  caller: Caller | null,
  context: Database,
): Promise<object> {
  const clan = await findClan(externalId, context);
  const [view, { online }] = await Promise.all([
    readCallerAccess(caller, context),
    findServer(clan.serverId, context, { listed: true }),
  ]);
  const sight = clanAccessOf(view, online);
  const seesMotd = sight.roster && (await canReadMotd(clan, caller, context));
  return {
    clan: {
      ...viewClan(clan, sight),
      ...(seesMotd && { motd: clan.motd && toPlainText(clan.motd, longestMotd) }),
    },
    members: sight.roster ? (clan.members ?? []).map((member) => viewMember(member, sight)) : [],
    hidden: !sight.roster,
    audience: view.visibility.roster,
  };
}

async function findClan(externalId: string, context: Database): Promise<SurvivalClan> {
  const identity = parseClanId(externalId);
  if (!identity) throw notFoundError("Unknown clan");
  const clan = await context.models.SurvivalClan.findOne({
    where: { ...identity },
    include: [
      { association: "server", where: { listed: true }, attributes: [] },
      { association: "members", separate: true, order: memberOrder },
    ],
  });
  if (!clan) throw notFoundError("Unknown clan");
  return clan;
}

const memberOrder = [literal("role_rank nulls last"), literal("joined_at nulls last"), "steamId"];

function clanAccessOf({ visibility, reaches }: CallerAccess, isServerOnline: boolean): ClanAccess {
  const roster = reaches(visibility.roster);
  return { roster, presence: roster && reaches(visibility.presence), isThere: isServerOnline };
}

/** True for members and staff, who may read the message of the day. */
async function canReadMotd(
  { members = [] }: SurvivalClan,
  caller: Caller | null,
  { models }: Database,
): Promise<boolean> {
  if (!caller) return false;
  if (isStaff(caller.role)) return true;
  const steamId = members.map((member) => member.steamId);
  return (await models.SteamLink.count({ where: { userId: caller.userId, steamId } })) > 0;
}

/** The data of a clan that a caller may see. */
interface ClanAccess {
  /** True if the caller may see the members. */
  readonly roster: boolean;
  /** True if the caller may see which members are online. */
  readonly presence: boolean;
  /** True if the server is online. On an offline server, no member is online. */
  readonly isThere: boolean;
}

const viewClan = (clan: SurvivalClan, sight: ClanAccess) => ({
  externalId: externalIdOf(clan),
  serverId: clan.serverId,
  clanId: clan.clanId,
  createdAt: clan.created,
  name: clanName(clan),
  color: formatClanColor(clan.color),
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

function onlineOf(
  { rosterAt, members = [] }: SurvivalClan,
  { isThere }: ClanAccess,
): number | null {
  if (!isThere) return 0;
  if (rosterAt === null) return null;
  return members.filter(({ isOnline }) => isOnline === true).length;
}

function leaderOfClan({ members = [] }: SurvivalClan) {
  const ranked = members
    .filter(({ roleRank }) => roleRank !== null)
    .map(({ steamId, name, roleRank, joinedAt }) => ({
      steamId,
      name: displayName(name, steamId),
      roleRank: Number(roleRank),
      joinedAt: joinedAt?.valueOf(),
    }));
  const leader = findLeader(ranked);
  return leader ? { steamId: leader.steamId, name: leader.name } : null;
}

const viewMember = (member: SurvivalClanMember, { presence, isThere }: ClanAccess) => ({
  steamId: member.steamId,
  name: displayName(member.name, member.steamId),
  roleId: member.roleId,
  role: member.roleName && toPlainText(member.roleName, 64),
  roleRank: member.roleRank,
  joinedAt: member.joinedAt,
  ...(presence && { lastSeenAt: member.lastSeenAt, online: isThere && member.isOnline }),
});

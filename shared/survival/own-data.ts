import { Op } from "sequelize";

import type { SteamLink } from "../../models/survival/players/steam-link.ts";
import type { SurvivalEvent } from "../../models/survival/survival-event.ts";
import type { Context } from "../platform/context.ts";
import { rows } from "../platform/db/rows.ts";
import { readOwnSteamIds } from "./steam-links.ts";

type Stores = Pick<Context, "models">;

/** The worlds in which figures are kept of a user's Steam accounts. */
export async function readOwnTallies(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalTally.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["wipeId", "steamId", "name", "isStaff", "updatedAt"],
    order: ["wipeId", "steamId"],
    raw: true,
  });
}

/** The figures themselves. */
export async function readOwnScores(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalScore.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["wipeId", "steamId", "stat", "value", "reachedAt"],
    order: ["wipeId", "steamId", "stat"],
    raw: true,
  });
}

/** NPCs of a profile that they have killed. */
export async function readOwnNpcKills(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalNpcKill.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["wipeId", "steamId", "profileKey", "kills", "lastAt"],
    order: ["wipeId", "steamId", "profileKey"],
    raw: true,
  });
}

/** On which servers a user's Steam accounts were seen. */
export async function readOwnSightings(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalSighting.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["serverId", "steamId", "name", "firstSeenAt", "lastSeenAt"],
    order: ["serverId", "steamId"],
    raw: true,
  });
}

/** On which servers they are now. */
export async function readOwnPresence(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalPresence.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["serverId", "steamId", "name", "connectedAt"],
    order: ["serverId", "steamId"],
    raw: true,
  });
}

/** What clans they are in. */
export async function readOwnClans(userId: number, { models }: Stores): Promise<object[]> {
  const memberships = await models.SurvivalClanMember.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    include: [{ association: "clan", attributes: ["serverId", "name", "disbandedAt"] }],
    order: ["clanRowId", "steamId"],
  });
  return memberships.map(({ clan, steamId, name, roleName, joinedAt, lastSeenAt }) => ({
    serverId: clan?.serverId,
    clan: clan?.name,
    steamId,
    name,
    role: roleName,
    joinedAt,
    lastSeenAt,
    disbandedAt: clan?.disbandedAt,
  }));
}

type Ground = Pick<Context, "sequelize">;

/** What a user's Steam accounts took part in, as the games counted. */
export const readOwnDeeds = (userId: number, { sequelize }: Ground): Promise<object[]> =>
  rows(
    sequelize,
    `select counted.server_id as "serverId", counted.method, link.steam_id as "steamId",
       member.name, member."firstAt", member."lastAt", member.score
     from survival_participations counted
     cross join lateral jsonb_to_recordset(counted.members)
       as member ("steamId" text, name text, "firstAt" float8, "lastAt" float8, score float8)
     join steam_links link on link.steam_id = member."steamId" and link.user_id = $1
     order by counted.id, link.steam_id`,
    [userId],
  );

/** What one of a user's Steam accounts said in a game. */
interface ChatLine
  extends Pick<SurvivalEvent, "id" | "serverId" | "t">, Pick<SteamLink, "steamId"> {
  readonly message: string;
}

const pageLength = 1_000;

/** What a user's Steam accounts said in the games, newest first, page by page. */
export async function* pageOwnChat(
  userId: number,
  { sequelize }: Ground,
): AsyncGenerator<ChatLine[]> {
  let before: number | null = null;
  do {
    const page: ChatLine[] = await rows<ChatLine>(sequelize, chatRows, [
      userId,
      before,
      pageLength,
    ]);
    yield page;
    before = page.length === pageLength ? (page.at(-1)?.id ?? null) : null;
  } while (before !== null);
}

/** Chat is kept for a month and read by its kind: no index names who said it. */
const chatRows = `
  select said.id, said.server_id as "serverId", link.steam_id as "steamId", said.t,
    said.payload ->> 'message' as message
  from survival_events said
  join steam_links link on link.steam_id = said.payload ->> 'steamId' and link.user_id = $1
  where said.server_id in (select id from survival_servers) and said.kind = 'player.chat'
    and ($2::bigint is null or said.id < $2)
  order by said.id desc limit $3`;

/** What a user, or a Steam account of theirs, was given on survival servers, the oldest first. */
export async function readOwnGrants(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  const steamId = await readOwnSteamIds(userId, { models });
  return models.SurvivalGrant.findAll({
    // One that was given before anybody had linked the Steam account names no user.
    where: { [Op.or]: [{ userId }, { userId: null, steamId }] },
    attributes: ["kind", "steamId", "value", "source", "createdAt", "expiresAt", "revokedAt"],
    order: ["id"],
    raw: true,
  });
}

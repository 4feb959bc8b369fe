import { Op } from "sequelize";

import type { SteamLink } from "../../models/survival/players/steam-link.ts";
import type { SurvivalEvent } from "../../models/survival/survival-event.ts";
import type { Context } from "../platform/context.ts";
import { rows } from "../platform/db/rows.ts";
import { readOwnSteamIds } from "./steam-links.ts";

type Stores = Pick<Context, "models">;

/** Reads the worlds for which a user's Steam accounts have statistics. */
export async function readOwnTallies(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalTally.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["wipeId", "steamId", "name", "isStaff", "updatedAt"],
    order: ["wipeId", "steamId"],
    raw: true,
  });
}

export async function readOwnScores(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalScore.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["wipeId", "steamId", "stat", "value", "reachedAt"],
    order: ["wipeId", "steamId", "stat"],
    raw: true,
  });
}

/** Reads a user's kills of NPCs, by profile. */
export async function readOwnNpcKills(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalNpcKill.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["wipeId", "steamId", "profileKey", "kills", "lastAt"],
    order: ["wipeId", "steamId", "profileKey"],
    raw: true,
  });
}

/** Reads on which servers a user's Steam accounts were seen. */
export async function readOwnSightings(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalSighting.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["serverId", "steamId", "name", "firstSeenAt", "lastSeenAt"],
    order: ["serverId", "steamId"],
    raw: true,
  });
}

/** Reads on which servers a user's Steam accounts are online. */
export async function readOwnPresence(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalPresence.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["serverId", "steamId", "name", "connectedAt"],
    order: ["serverId", "steamId"],
    raw: true,
  });
}

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

/** Reads the reports that a user's Steam accounts sent, without the names of the reported players. */
export async function readOwnReports(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalReport.findAll({
    where: { reporterSteamId: await readOwnSteamIds(userId, { models }) },
    attributes: [
      "id",
      "serverId",
      ["reporter_steam_id", "steamId"],
      "type",
      "subject",
      "message",
      "reportedAt",
    ],
    order: ["id"],
    raw: true,
  });
}

type Database = Pick<Context, "sequelize">;

/** Reads a user's participations in events, as the games counted them. */
export const readOwnParticipations = (userId: number, { sequelize }: Database): Promise<object[]> =>
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

interface ChatLine
  extends Pick<SurvivalEvent, "id" | "serverId" | "t">, Pick<SteamLink, "steamId"> {
  readonly message: string;
}

const pageLength = 1_000;

/** Reads chat messages of a user's Steam accounts, newest first, in pages. */
export async function* pageOwnChat(
  userId: number,
  { sequelize }: Database,
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

/** Chat is kept for a month and has no index by player, so read all chat events. */
const chatRows = `
  select said.id, said.server_id as "serverId", link.steam_id as "steamId", said.t,
    said.payload ->> 'message' as message
  from survival_events said
  join steam_links link on link.steam_id = said.payload ->> 'steamId' and link.user_id = $1
  where said.server_id in (select id from survival_servers) and said.kind = 'player.chat'
    and ($2::bigint is null or said.id < $2)
  order by said.id desc limit $3`;

/** Reads the grants of a user or of a linked Steam account, oldest first. */
export async function readOwnGrants(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  const steamId = await readOwnSteamIds(userId, { models });
  return models.SurvivalGrant.findAll({
    // A grant that is older than the link of its Steam account has no user.
    where: { [Op.or]: [{ userId }, { userId: null, steamId }] },
    attributes: ["kind", "steamId", "value", "source", "createdAt", "expiresAt", "revokedAt"],
    order: ["id"],
    raw: true,
  });
}

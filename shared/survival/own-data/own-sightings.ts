import type { Context } from "../../platform/context.ts";
import { readOwnSteamIds } from "./own-steam-ids.ts";

type Stores = Pick<Context, "models">;

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

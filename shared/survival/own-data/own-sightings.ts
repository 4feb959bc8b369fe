import type { Context } from "../../platform/context.ts";
import { readOwnSteamIds } from "./own-steam-ids.ts";

type Stores = Pick<Context, "models">;

/**
 * On which servers a user's Steam accounts were seen.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnSurvivalSighting:
 *       type: object
 *       additionalProperties: false
 *       required: [serverId, steamId, name, firstSeenAt, lastSeenAt]
 *       properties:
 *         serverId: { type: integer }
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         name: { type: string, description: Name that the player used last on the server. }
 *         firstSeenAt: { type: string, format: date-time }
 *         lastSeenAt: { type: string, format: date-time }
 */
export async function readOwnSightings(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalSighting.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["serverId", "steamId", "name", "firstSeenAt", "lastSeenAt"],
    order: ["serverId", "steamId"],
    raw: true,
  });
}

/**
 * On which servers they are now.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnSurvivalPresence:
 *       type: object
 *       additionalProperties: false
 *       required: [serverId, steamId, name, connectedAt]
 *       properties:
 *         serverId: { type: integer }
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         name: { type: string }
 *         connectedAt: { type: string, format: date-time }
 */
export async function readOwnPresence(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalPresence.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["serverId", "steamId", "name", "connectedAt"],
    order: ["serverId", "steamId"],
    raw: true,
  });
}

/**
 * What clans they are in.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnSurvivalClan:
 *       type: object
 *       additionalProperties: false
 *       required: [serverId, clan, steamId, name, role, joinedAt, lastSeenAt, disbandedAt]
 *       properties:
 *         serverId: { type: integer }
 *         clan: { type: string, example: Night Owls }
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         name: { type: string, description: Name of the player. }
 *         role: { type: string, nullable: true }
 *         joinedAt: { type: string, format: date-time, nullable: true }
 *         lastSeenAt: { type: string, format: date-time, nullable: true }
 *         disbandedAt: { type: string, format: date-time, nullable: true }
 */
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

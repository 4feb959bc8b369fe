import type { Context } from "../../platform/context.ts";
import { readOwnSteamIds } from "./own-steam-ids.ts";

type Stores = Pick<Context, "models">;

/**
 * The worlds in which figures are kept of a user's Steam accounts.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnSurvivalTally:
 *       type: object
 *       additionalProperties: false
 *       required: [wipeId, steamId, name, isStaff, updatedAt]
 *       properties:
 *         wipeId: { type: integer, description: Id of the world. }
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         name: { type: string }
 *         isStaff: { type: boolean, description: Whether the game reported the player as staff. }
 *         updatedAt: { type: string, format: date-time }
 */
export async function readOwnTallies(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalTally.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["wipeId", "steamId", "name", "isStaff", "updatedAt"],
    order: ["wipeId", "steamId"],
    raw: true,
  });
}

/**
 * The figures themselves.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnSurvivalScore:
 *       type: object
 *       additionalProperties: false
 *       required: [wipeId, steamId, stat, value, reachedAt]
 *       properties:
 *         wipeId: { type: integer, description: Id of the world. }
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         stat: { type: string, example: playersKilled }
 *         value: { type: integer, description: 'Value of the stat: a count, meters or seconds, depending on `stat`.' }
 *         reachedAt:
 *           type: string
 *           format: date-time
 *           description: When the player reached this value.
 */
export async function readOwnScores(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalScore.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["wipeId", "steamId", "stat", "value", "reachedAt"],
    order: ["wipeId", "steamId", "stat"],
    raw: true,
  });
}

/**
 * NPCs of a profile that they have killed.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnSurvivalNpcKills:
 *       type: object
 *       additionalProperties: false
 *       required: [wipeId, steamId, profileKey, kills, lastAt]
 *       properties:
 *         wipeId: { type: integer, description: Id of the world. }
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         profileKey: { type: string, example: warlord, description: Key of the NPC profile. }
 *         kills: { type: integer }
 *         lastAt: { type: string, format: date-time }
 */
export async function readOwnNpcKills(userId: number, { models }: Stores): Promise<object[]> {
  return models.SurvivalNpcKill.findAll({
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    attributes: ["wipeId", "steamId", "profileKey", "kills", "lastAt"],
    order: ["wipeId", "steamId", "profileKey"],
    raw: true,
  });
}

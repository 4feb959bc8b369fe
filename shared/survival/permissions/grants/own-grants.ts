import { Op } from "sequelize";

import type { Context } from "../../../platform/context.ts";
import { readOwnSteamIds } from "../../own-data/own-steam-ids.ts";

/**
 * What a user, or a Steam account of theirs, was given on survival servers, the oldest first.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnSurvivalGrant:
 *       type: object
 *       additionalProperties: false
 *       required: [kind, steamId, value, source, createdAt, expiresAt, revokedAt]
 *       properties:
 *         kind: { type: string, enum: [permission, membership] }
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         value:
 *           type: string
 *           example: vip
 *           description: 'A permission, or the name of a group.'
 *         source: { type: string, enum: [manual, event, store, system] }
 *         createdAt: { type: string, format: date-time }
 *         expiresAt: { type: string, format: date-time, nullable: true }
 *         revokedAt: { type: string, format: date-time, nullable: true }
 */
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

import type { Context } from "../../../context.ts";

/**
 * What a user was given on survival servers for an account of his, the oldest first.
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
 *         value: { type: string, example: vip }
 *         source: { type: string, enum: [manual, event, store, system] }
 *         createdAt: { type: string, format: date-time }
 *         expiresAt: { type: string, format: date-time, nullable: true }
 *         revokedAt: { type: string, format: date-time, nullable: true }
 */
export async function readOwnGrants(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  return models.SurvivalGrant.findAll({
    where: { userId },
    attributes: ["kind", "steamId", "value", "source", "createdAt", "expiresAt", "revokedAt"],
    order: ["id"],
    raw: true,
  });
}

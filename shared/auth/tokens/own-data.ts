import type { Context } from "../../platform/context.ts";

/**
 * Tokens that the user made.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnApiToken:
 *       type: object
 *       additionalProperties: false
 *       required: [id, name, role, scopes, created_at, expires_at, last_used_at, revoked_at]
 *       properties:
 *         id: { type: integer }
 *         name: { type: string, example: Town crier }
 *         role: { $ref: '#/components/schemas/TokenRole' }
 *         scopes: { type: array, items: { $ref: '#/components/schemas/Scope' } }
 *         created_at: { type: string, format: date-time }
 *         expires_at: { type: string, format: date-time, nullable: true, description: Null if the token does not expire. }
 *         last_used_at: { type: string, format: date-time, nullable: true, description: 'Time of the last request with the token, precise to the minute. Null if the token was never used.' }
 *         revoked_at: { type: string, format: date-time, nullable: true }
 */
export async function readOwnApiTokens(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  const tokens = await models.ApiToken.findAll({ where: { createdBy: userId }, order: ["id"] });
  return tokens.map((token) => ({
    id: token.id,
    name: token.name,
    role: token.role,
    scopes: token.scopes,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    last_used_at: token.lastUsedAt,
    revoked_at: token.revokedAt,
  }));
}

import type { Context } from "../../platform/context.ts";

/** Tokens that the user made. */
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

import type { ListedToken, CreatedToken } from "../../shared/auth/administration/api-tokens.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     ApiToken:
 *       type: object
 *       additionalProperties: false
 *       required: [id, name, role, scopes, created_at, created_by, expires_at, last_used_at]
 *       properties:
 *         id: { type: integer }
 *         name: { type: string, example: Town crier }
 *         role: { $ref: '#/components/schemas/TokenRole' }
 *         scopes: { type: array, items: { $ref: '#/components/schemas/Scope' } }
 *         created_at: { type: string, format: date-time }
 *         created_by: { type: integer, description: Id of the administrator who created the token. }
 *         expires_at: { type: string, format: date-time, nullable: true, description: Null if the token does not expire. }
 *         last_used_at: { type: string, format: date-time, nullable: true, description: 'Time of the last request with the token, precise to the minute. Null if the token was never used.' }
 */
export const viewToken = (token: ListedToken) => ({
  id: token.id,
  name: token.name,
  role: token.role,
  scopes: token.scopes,
  created_at: token.createdAt,
  created_by: token.createdBy,
  expires_at: token.expiresAt,
  last_used_at: token.lastUsedAt,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     MadeApiToken:
 *       type: object
 *       additionalProperties: false
 *       required: [token, secret]
 *       properties:
 *         token: { $ref: '#/components/schemas/ApiToken' }
 *         secret:
 *           type: string
 *           description: >-
 *             The token's secret: send it as `Authorization: Bearer …`. Shown only once.
 *           example: ght_Zx3o…
 */
export const viewCreatedToken = ({ token, secret }: CreatedToken) => ({
  token: viewToken(token),
  secret,
});

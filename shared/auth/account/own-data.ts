import { literal } from "sequelize";

import type { Context } from "../../platform/context.ts";
import { missing } from "../../platform/errors/errors.ts";
import { countRecoveryCodes } from "../second-factor/recovery-codes.ts";

type Stores = Pick<Context, "models">;

/**
 * @openapi
 * components:
 *   schemas:
 *     OwnAccount:
 *       type: object
 *       additionalProperties: false
 *       required: [id, username, email, role, totp_enabled, has_password, staff_since, created_at,
 *         updated_at]
 *       properties:
 *         id: { type: integer }
 *         username: { type: string }
 *         email: { type: string, nullable: true }
 *         role: { $ref: '#/components/schemas/Role' }
 *         totp_enabled: { type: boolean }
 *         has_password: { type: boolean }
 *         staff_since: { type: string, format: date-time, nullable: true, description: 'When the user last changed from player to a staff role. Null for players, and for accounts that were created with a staff role.' }
 *         created_at: { type: string, format: date-time }
 *         updated_at: { type: string, format: date-time }
 */
export async function readOwnAccount(userId: number, { models }: Stores): Promise<object> {
  const user = await models.User.findByPk(userId);
  if (!user) throw missing();
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    role: user.role,
    totp_enabled: user.totpEnabled,
    has_password: user.passwordHash !== null,
    staff_since: user.staffSince,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}

/** What the latest token of a device session says. */
const ofLatestToken = (column: string) =>
  literal(`(select ${column} from mobile_sessions where family_id = "MobileFamily"."id"
    order by id desc limit 1)`);

/**
 * Sign-ins by the app, those that have ended among them. Web sessions are held by browsers alone.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnSession:
 *       type: object
 *       additionalProperties: false
 *       required: [id, device_name, created_at, last_used_at, expires_at, ended_at, ended_by]
 *       properties:
 *         id: { type: integer }
 *         device_name: { type: string, nullable: true, description: Device name that the app sent when the user signed in. }
 *         created_at: { type: string, format: date-time }
 *         last_used_at: { type: string, format: date-time, nullable: true, description: Time of the sign-in or of the last token refresh. }
 *         expires_at: { type: string, format: date-time }
 *         ended_at: { type: string, format: date-time, nullable: true, description: When the session was ended before its expiry. Null if it was not. }
 *         ended_by: { type: string, nullable: true, example: logout, description: Why the session was ended before its expiry. Null if it was not. }
 */
export const readOwnSessions = (userId: number, { models }: Stores): Promise<object[]> =>
  models.MobileFamily.findAll({
    attributes: [
      "id",
      [ofLatestToken("device_name"), "device_name"],
      ["created_at", "created_at"],
      [ofLatestToken("last_used_at"), "last_used_at"],
      ["expires_at", "expires_at"],
      ["revoked_at", "ended_at"],
      ["revoke_reason", "ended_by"],
    ],
    where: { userId },
    order: ["id"],
    raw: true,
  });

/**
 * @openapi
 * components:
 *   schemas:
 *     OwnTrustedDevice:
 *       type: object
 *       additionalProperties: false
 *       required: [id, label, created_at, last_used_at, expires_at]
 *       properties:
 *         id: { type: integer }
 *         label: { type: string }
 *         created_at: { type: string, format: date-time }
 *         last_used_at: { type: string, format: date-time }
 *         expires_at: { type: string, format: date-time }
 */
export async function readOwnTrustedDevices(userId: number, { models }: Stores): Promise<object[]> {
  const devices = await models.TrustedDevice.findAll({ where: { userId }, order: ["id"] });
  return devices.map(({ id, label, createdAt, lastUsedAt, expiresAt }) => ({
    id,
    label,
    created_at: createdAt,
    last_used_at: lastUsedAt,
    expires_at: expiresAt,
  }));
}

/**
 * @openapi
 * components:
 *   schemas:
 *     OwnIdentity:
 *       type: object
 *       additionalProperties: false
 *       required: [provider, name, issuer, subject, linked_at]
 *       properties:
 *         provider: { type: string, example: discord }
 *         name: { type: string, example: Discord }
 *         issuer: { type: string, example: 'https://discord.com' }
 *         subject:
 *           type: string
 *           description: Id of the user at the provider.
 *           example: '80351110224678912'
 *         linked_at: { type: string, format: date-time }
 */
export async function readOwnIdentities(userId: number, { models }: Stores): Promise<object[]> {
  const identities = await models.Identity.findAll({ where: { userId }, order: ["id"] });
  return identities.map(({ providerId, providerName, issuer, subject, linkedAt }) => ({
    provider: providerId,
    name: providerName,
    issuer,
    subject,
    linked_at: linkedAt,
  }));
}

/**
 * @openapi
 * components:
 *   schemas:
 *     OwnRecoveryCodes:
 *       type: object
 *       additionalProperties: false
 *       required: [remaining, total, created_at]
 *       properties:
 *         remaining: { type: integer, description: Number of recovery codes that are unused. }
 *         total: { type: integer, description: 'Number of recovery codes in the set, used and unused.' }
 *         created_at: { type: string, format: date-time, nullable: true, description: When the set of codes was created. Null if the user has no codes. }
 */
export async function readOwnRecoveryCodes(userId: number, stores: Stores): Promise<object> {
  const { remaining, total, createdAt } = await countRecoveryCodes(userId, stores);
  return { remaining, total, created_at: createdAt };
}

/**
 * @openapi
 * components:
 *   schemas:
 *     OwnPasswordReset:
 *       type: object
 *       additionalProperties: false
 *       required: [created_at, expires_at, used_at]
 *       properties:
 *         created_at: { type: string, format: date-time }
 *         expires_at: { type: string, format: date-time }
 *         used_at: { type: string, format: date-time, nullable: true, description: When the reset link was used. Null if it was not used. }
 */
export async function readOwnPasswordResets(userId: number, { models }: Stores): Promise<object[]> {
  const resets = await models.PasswordReset.findAll({ where: { userId }, order: ["createdAt"] });
  return resets.map(({ createdAt, expiresAt, usedAt }) => ({
    created_at: createdAt,
    expires_at: expiresAt,
    used_at: usedAt,
  }));
}

import { literal } from "sequelize";

import type { Context } from "../../platform/context.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { countRecoveryCodes } from "../second-factor/recovery-codes.ts";

type DatabaseContext = Pick<Context, "models">;

export async function readOwnAccount(userId: number, { models }: DatabaseContext): Promise<object> {
  const user = await models.User.findByPk(userId);
  if (!user) throw notFoundError();
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

/** SQL that reads a column of the latest token of a device session. */
const latestTokenColumn = (column: string) =>
  literal(`(select ${column} from mobile_sessions where family_id = "MobileFamily"."id"
    order by id desc limit 1)`);

/** Lists the user's device sessions, including ended ones. The database stores no web sessions. */
export const readOwnSessions = (userId: number, { models }: DatabaseContext): Promise<object[]> =>
  models.MobileFamily.findAll({
    attributes: [
      "id",
      [latestTokenColumn("device_name"), "device_name"],
      ["created_at", "created_at"],
      [latestTokenColumn("last_used_at"), "last_used_at"],
      ["expires_at", "expires_at"],
      ["revoked_at", "ended_at"],
      ["revoke_reason", "ended_by"],
    ],
    where: { userId },
    order: ["id"],
    raw: true,
  });

export async function readOwnTrustedDevices(
  userId: number,
  { models }: DatabaseContext,
): Promise<object[]> {
  const devices = await models.TrustedDevice.findAll({ where: { userId }, order: ["id"] });
  return devices.map(({ id, label, createdAt, lastUsedAt, expiresAt }) => ({
    id,
    label,
    created_at: createdAt,
    last_used_at: lastUsedAt,
    expires_at: expiresAt,
  }));
}

export async function readOwnIdentities(
  userId: number,
  { models }: DatabaseContext,
): Promise<object[]> {
  const identities = await models.Identity.findAll({ where: { userId }, order: ["id"] });
  return identities.map(({ providerId, providerName, issuer, subject, linkedAt }) => ({
    provider: providerId,
    name: providerName,
    issuer,
    subject,
    linked_at: linkedAt,
  }));
}

export async function readOwnRecoveryCodes(
  userId: number,
  stores: DatabaseContext,
): Promise<object> {
  const { remaining, total, createdAt } = await countRecoveryCodes(userId, stores);
  return { remaining, total, created_at: createdAt };
}

export async function readOwnPasswordResets(
  userId: number,
  { models }: DatabaseContext,
): Promise<object[]> {
  const resets = await models.PasswordReset.findAll({ where: { userId }, order: ["createdAt"] });
  return resets.map(({ createdAt, expiresAt, usedAt }) => ({
    created_at: createdAt,
    expires_at: expiresAt,
    used_at: usedAt,
  }));
}

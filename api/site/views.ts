import type { ActivityEntry } from "../../models/site/activity-entry.ts";
import type { AddressBan } from "../../shared/auth/throttle/bot-score.ts";
import type { UserRecord } from "../../shared/auth/users/user-records.ts";
import type { Config } from "../../shared/platform/config/config.ts";
import { limits } from "../../shared/platform/limits.ts";
import {
  publicSettingNames,
  type Settings,
  settings,
} from "../../shared/platform/settings/catalogue.ts";
import { siteName } from "../../shared/platform/site-name.ts";
import { vapidPublicKey } from "../../shared/push/relay/vapid.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     SiteLimits:
 *       type: object
 *       additionalProperties: false
 *       required: [username, password, trustedDevices]
 *       properties:
 *         username: { $ref: '#/components/schemas/LengthRange' }
 *         password: { $ref: '#/components/schemas/LengthRange' }
 *         trustedDevices: { type: integer, description: Maximum number of trusted browsers of a user. }
 *     LengthRange:
 *       type: object
 *       description: Length in characters.
 *       additionalProperties: false
 *       required: [min, max]
 *       properties:
 *         min: { type: integer }
 *         max: { type: integer }
 */
export const viewPublicSettings = (values: Settings, config: Config) => ({
  siteName,
  ...Object.fromEntries(
    publicSettingNames.map((name) => [settings[name].publicName, values[name]]),
  ),
  vapidPublicKey: vapidPublicKey(config),
  limits: {
    username: limits.username,
    password: limits.password,
    trustedDevices: config.TRUST_DEVICE_MAX,
  },
});

/**
 * @openapi
 * components:
 *   schemas:
 *     User:
 *       type: object
 *       additionalProperties: false
 *       required: [id, username, email, role, totp_enabled, disabled, has_password, created_at]
 *       properties:
 *         id: { type: integer }
 *         username: { type: string }
 *         email: { type: string, nullable: true }
 *         role: { $ref: '#/components/schemas/Role' }
 *         totp_enabled: { type: boolean }
 *         disabled: { type: boolean, description: Whether the user is disabled and cannot sign in. }
 *         has_password: { type: boolean, description: 'Whether the user has a password. False if the user signs in only at a provider, or has not set a password yet.' }
 *         created_at: { type: string, format: date-time }
 *     UserPage:
 *       type: object
 *       additionalProperties: false
 *       required: [users, total]
 *       properties:
 *         users: { type: array, items: { $ref: '#/components/schemas/User' } }
 *         total: { type: integer, description: Number of matching users on all pages. }
 *     RevokedCount:
 *       type: object
 *       additionalProperties: false
 *       required: [revoked]
 *       properties:
 *         revoked: { type: integer, description: Number of device sessions (sign-ins in the mobile app) that ended. Web sessions are not counted. }
 */
export const viewUser = (user: UserRecord) => ({
  id: user.id,
  username: user.username,
  email: user.email,
  role: user.role,
  totp_enabled: user.totpEnabled,
  disabled: user.isDisabled,
  has_password: user.hasPassword,
  created_at: user.createdAt,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     ActivityPage:
 *       type: object
 *       additionalProperties: false
 *       required: [activity, nextBefore]
 *       properties:
 *         activity: { type: array, items: { $ref: '#/components/schemas/Activity' } }
 *         nextBefore: { type: integer, nullable: true, description: 'Cursor for the next page: send it as `before`. Null on the last page.' }
 *     Activity:
 *       type: object
 *       additionalProperties: false
 *       required: [id, at, actor, action, target, detail]
 *       properties:
 *         id: { type: integer }
 *         at: { type: string, format: date-time }
 *         actor:
 *           type: object
 *           description: >-
 *             User who performed the action. Null if the service itself performed the action, or a
 *             caller who was not signed in.
 *           nullable: true
 *           additionalProperties: false
 *           required: [id, username]
 *           properties:
 *             id: { type: integer }
 *             username: { type: string, nullable: true, description: Username. Null if the user was deleted. }
 *             token: { $ref: '#/components/schemas/ActingToken' }
 *         action: { type: string, example: auth.login.failure }
 *         target:
 *           type: object
 *           description: >-
 *             Object that the action changed or concerned. Null if the action concerned no object.
 *           nullable: true
 *           additionalProperties: false
 *           required: [type, id]
 *           properties:
 *             type: { type: string, example: user }
 *             id: { type: string }
 *         detail: { type: object, additionalProperties: true, description: Details of the action. The fields depend on the action. }
 *     ActingToken:
 *       type: object
 *       description: >-
 *         API token that performed the action. `actor` is the administrator who created the token.
 *       additionalProperties: false
 *       required: [id, name]
 *       properties:
 *         id: { type: integer }
 *         name: { type: string, nullable: true, description: Name of the API token. Null if the token was deleted. }
 */
export const viewActivity = (line: ActivityEntry) => ({
  id: line.id,
  at: line.at,
  actor: line.actorId === null ? null : viewActor(line, line.actorId),
  action: line.action,
  target: line.targetType === null ? null : { type: line.targetType, id: line.targetId },
  detail: line.detail,
});

const viewActor = ({ actor, tokenId, token }: ActivityEntry, id: number) => ({
  id,
  username: actor?.username ?? null,
  ...(tokenId !== null && { token: { id: tokenId, name: token?.name ?? null } }),
});

/**
 * @openapi
 * components:
 *   schemas:
 *     Ban:
 *       type: object
 *       additionalProperties: false
 *       required: [ip, score, strikes, banned_until]
 *       properties:
 *         ip: { type: string, description: 'Banned IPv4 address or IPv6 /64 network, or a larger network that is banned as a whole (IPv4 /24, IPv6 /56 or /48).' }
 *         score: { type: number, description: Current bot score of the address or network. The score halves at a fixed interval. }
 *         strikes: { type: integer, description: Number of consecutive bans. Each ban lasts twice as long as the previous one. }
 *         banned_until: { type: string, format: date-time }
 *     LiftedBan:
 *       type: object
 *       additionalProperties: false
 *       required: [ip, removed]
 *       properties:
 *         ip: { type: string }
 *         removed: { type: boolean, description: Whether a ban was lifted. }
 */
export const viewBan = ({ ip, score, strikes, bannedUntil }: AddressBan) => ({
  ip,
  score,
  strikes,
  banned_until: bannedUntil,
});

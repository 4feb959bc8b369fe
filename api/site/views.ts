import type { Ban } from "../../shared/auth/bot-score.ts";
import type { UserRecord } from "../../shared/auth/user-records.ts";
import type { Config } from "../../shared/config/config.ts";
import { limits } from "../../shared/limits.ts";
import type { LoggedActivity } from "../../shared/site/activity-log.ts";
import type { Settings } from "../../shared/site/settings.ts";
import { siteName } from "../../shared/site/site-name.ts";

/**
 * Records of the site.
 *
 * @openapi
 * components:
 *   schemas:
 *     PublicStatus:
 *       type: object
 *       additionalProperties: false
 *       required: [site_mode, status_message, changed_at, version, capabilities, shard, time]
 *       properties:
 *         site_mode: { type: string, enum: [live, maintenance, closed] }
 *         status_message: { type: string, nullable: true }
 *         changed_at: { type: string, format: date-time, nullable: true }
 *         version: { type: string }
 *         capabilities: { type: array, items: { type: string } }
 *         shard:
 *           type: object
 *           additionalProperties: false
 *           required: [enabled, status]
 *           properties:
 *             enabled: { type: boolean }
 *             status: { type: string, enum: [connected, reconnecting, disconnected, error] }
 *         time: { type: string, format: date-time }
 */

/**
 * @openapi
 * components:
 *   schemas:
 *     PublicSettings:
 *       type: object
 *       additionalProperties: false
 *       required: [siteName, registration, gameAccountSignup, mobileAppLinks, limits]
 *       properties:
 *         siteName: { type: string }
 *         registration: { type: boolean, description: Whether anyone may create an account. }
 *         gameAccountSignup: { type: boolean }
 *         mobileAppLinks: { type: boolean }
 *         limits:
 *           type: object
 *           additionalProperties: false
 *           required: [username, password, trustedDevices]
 *           properties:
 *             username: { $ref: '#/components/schemas/LengthRange' }
 *             password: { $ref: '#/components/schemas/LengthRange' }
 *             trustedDevices: { type: integer }
 *     LengthRange:
 *       type: object
 *       additionalProperties: false
 *       required: [min, max]
 *       properties:
 *         min: { type: integer }
 *         max: { type: integer }
 *     Settings:
 *       type: object
 *       additionalProperties: { type: boolean }
 *     ChangedSiteMode:
 *       type: object
 *       additionalProperties: false
 *       required: [site_mode, changed_at, changed_by]
 *       properties:
 *         site_mode: { type: string, enum: [live, maintenance, closed] }
 *         changed_at: { type: string, format: date-time }
 *         changed_by: { type: integer, description: The administrator's user id. }
 */
export const viewPublicSettings = (settings: Settings, config: Config) => ({
  siteName,
  registration: settings.registration_enabled,
  gameAccountSignup: settings.game_account_signup,
  mobileAppLinks: settings.mobile_app_links_enabled,
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
 *         role: { type: string, enum: [admin, editor, moderator, player] }
 *         totp_enabled: { type: boolean }
 *         disabled: { type: boolean }
 *         has_password: { type: boolean }
 *         created_at: { type: string, format: date-time }
 *     UserPage:
 *       type: object
 *       additionalProperties: false
 *       required: [users, total]
 *       properties:
 *         users: { type: array, items: { $ref: '#/components/schemas/User' } }
 *         total: { type: integer, description: Of all pages. }
 *     RevokedCount:
 *       type: object
 *       additionalProperties: false
 *       required: [revoked]
 *       properties:
 *         revoked: { type: integer, description: Device sessions that ended. }
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
 *         nextBefore: { type: integer, nullable: true }
 *     Activity:
 *       type: object
 *       additionalProperties: false
 *       required: [id, at, actor, action, target, detail]
 *       properties:
 *         id: { type: integer }
 *         at: { type: string, format: date-time }
 *         actor:
 *           type: object
 *           nullable: true
 *           additionalProperties: false
 *           required: [id, username]
 *           properties:
 *             id: { type: integer }
 *             username: { type: string, nullable: true, description: Null once it is deleted. }
 *         action: { type: string, example: auth.login.failure }
 *         target:
 *           type: object
 *           nullable: true
 *           additionalProperties: false
 *           required: [type, id]
 *           properties:
 *             type: { type: string, example: user }
 *             id: { type: string }
 *         detail: { type: object, additionalProperties: true }
 */
export const viewActivity = (line: LoggedActivity) => ({
  id: line.id,
  at: line.at,
  actor: line.actorId === null ? null : { id: line.actorId, username: line.actorName },
  action: line.action,
  target: line.targetType === null ? null : { type: line.targetType, id: line.targetId },
  detail: line.detail,
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
 *         ip: { type: string, description: 'An IPv4 address or an IPv6 /64.' }
 *         score: { type: number }
 *         strikes: { type: integer, description: Bans in a row. }
 *         banned_until: { type: string, format: date-time }
 *     LiftedBan:
 *       type: object
 *       additionalProperties: false
 *       required: [ip, removed]
 *       properties:
 *         ip: { type: string }
 *         removed: { type: boolean, description: Whether it was banned. }
 */
export const viewBan = ({ ip, score, strikes, bannedUntil }: Ban) => ({
  ip,
  score,
  strikes,
  banned_until: bannedUntil,
});

import type { RecoveryCodeCount } from "../../shared/auth/second-factor/recovery-codes.ts";
import type { ListedDevice } from "../../shared/auth/second-factor/trusted-devices.ts";
import type { ListedDeviceSession } from "../../shared/auth/sessions/device-sessions.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     DeviceSession:
 *       type: object
 *       additionalProperties: false
 *       required: [id, device_name, created_at, last_used_at, current]
 *       properties:
 *         id: { type: integer, description: Id of the device session. The id stays the same when the app refreshes its tokens. }
 *         device_name: { type: string, nullable: true, description: Device name that the app sent when the user signed in. }
 *         created_at: { type: string, format: date-time }
 *         last_used_at: { type: string, format: date-time, description: Time of the sign-in or of the last token refresh. }
 *         current: { type: boolean, description: Whether the session is the one that sent this request. }
 *     RevokedSessions:
 *       description: >-
 *         A bearer caller also receives a new token pair in the response; a browser receives a new
 *         session cookie.
 *       oneOf:
 *         - $ref: '#/components/schemas/RevokedCount'
 *         - $ref: '#/components/schemas/RevokedCountWithTokens'
 *     RevokedCountWithTokens:
 *       allOf:
 *         - type: object
 *           required: [revoked]
 *           properties:
 *             revoked: { type: integer, description: Number of device sessions that ended. The caller's own session does not count. }
 *         - $ref: '#/components/schemas/MobileTokenResponse'
 *     Deleted:
 *       type: object
 *       additionalProperties: false
 *       required: [deleted]
 *       properties:
 *         deleted: { type: boolean }
 *     DeletedCount:
 *       type: object
 *       additionalProperties: false
 *       required: [deleted]
 *       properties:
 *         deleted: { type: integer, description: Number of browsers that are no longer trusted. }
 */
export const viewDeviceSession = (session: ListedDeviceSession, { familyId }: Caller) => ({
  id: session.id,
  device_name: session.deviceName,
  created_at: session.createdAt,
  last_used_at: session.lastUsedAt,
  current: session.id === familyId,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     TrustedDevice:
 *       type: object
 *       additionalProperties: false
 *       required: [id, label, created_at, last_used_at, expires_at, current]
 *       properties:
 *         id: { type: integer }
 *         label: { type: string, example: Firefox on Windows, description: Browser and operating system from the `User-Agent` header. }
 *         created_at: { type: string, format: date-time }
 *         last_used_at: { type: string, format: date-time }
 *         expires_at: { type: string, format: date-time, description: Time at which the trust expires. Using the browser does not extend the trust. }
 *         current: { type: boolean, description: Whether this request comes from the trusted browser. }
 */
export const viewTrustedDevice = ({ device, isCurrent }: ListedDevice) => ({
  id: device.id,
  label: device.label,
  created_at: device.createdAt,
  last_used_at: device.lastUsedAt,
  expires_at: device.expiresAt,
  current: isCurrent,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     RecoveryCodeCount:
 *       type: object
 *       additionalProperties: false
 *       required: [remaining, total, created_at]
 *       properties:
 *         remaining: { type: integer, description: Number of recovery codes that are unused. }
 *         total: { type: integer, description: 'Number of recovery codes in the set, used and unused.' }
 *         created_at: { type: string, format: date-time, nullable: true, description: When the set of codes was created. Null if the user has no codes. }
 *     RecoveryCodes:
 *       type: object
 *       additionalProperties: false
 *       required: [codes]
 *       properties:
 *         codes: { type: array, items: { type: string, example: 7K-2M4QX-9TRVA } }
 */
export const viewRecoveryCodes = ({ remaining, total, createdAt }: RecoveryCodeCount) => ({
  remaining,
  total,
  created_at: createdAt,
});

import type { Identity } from "../../models/auth/identity.ts";
import type { OpenInvite } from "../../shared/auth/accept-invite.ts";
import type { Caller } from "../../shared/auth/caller.ts";
import type { Challenge } from "../../shared/auth/challenges.ts";
import { maskEmail } from "../../shared/auth/emails.ts";
import { inviteLink } from "../../shared/auth/invite-mail.ts";
import type { Invite, MadeInvite } from "../../shared/auth/invites.ts";
import type { MobileSignedIn } from "../../shared/auth/mobile-tokens.ts";
import type { Enrolment } from "../../shared/auth/totp-enrolment.ts";
import type { UserRow } from "../../shared/auth/users.ts";
import type { Config } from "../../shared/config/config.ts";
import { formatDuration } from "../../shared/config/values.ts";
import { qrDataUrl } from "./qr.ts";

const idOf = (user: UserRow | Caller): number => ("userId" in user ? user.userId : user.id);

/**
 * @openapi
 * components:
 *   schemas:
 *     AccountStatus:
 *       type: object
 *       additionalProperties: false
 *       required: [id, username, role, totp_enabled]
 *       properties:
 *         id: { type: integer }
 *         username: { type: string }
 *         role: { type: string, enum: [admin, editor, moderator, player] }
 *         totp_enabled: { type: boolean }
 */
export const viewAccount = (user: UserRow | Caller) => ({
  id: idOf(user),
  username: user.username,
  role: user.role,
  totp_enabled: user.totpEnabled,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     SafeUser:
 *       type: object
 *       additionalProperties: false
 *       required: [id, username, role, totp_enabled, email]
 *       properties:
 *         id: { type: integer }
 *         username: { type: string }
 *         role: { type: string, enum: [admin, editor, moderator, player] }
 *         totp_enabled: { type: boolean }
 *         email: { type: string, nullable: true }
 */
export const viewSafeUser = (user: UserRow | Caller) => ({
  ...viewAccount(user),
  email: user.email,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     TotpSetup:
 *       type: object
 *       additionalProperties: false
 *       required: [otpauthUrl, secret, qr]
 *       properties:
 *         otpauthUrl: { type: string, description: What the QR code says. }
 *         secret: { type: string, description: The same secret to type in. }
 *         qr: { type: string, description: The QR code as an SVG data URL. }
 *     TotpState:
 *       type: object
 *       additionalProperties: false
 *       required: [totp_enabled]
 *       properties:
 *         totp_enabled: { type: boolean }
 *         recoveryCodes: { type: array, items: { type: string } }
 *         accessToken: { type: string, description: To a bearer caller after disabling. }
 *         refreshToken: { type: string }
 *         expiresIn: { type: string }
 *         tokenType: { type: string, enum: [Bearer] }
 *         user: { $ref: '#/components/schemas/SafeUser' }
 */
export const viewEnrolment = ({ secret, otpauthUrl }: Enrolment) => ({
  otpauthUrl,
  secret,
  qr: qrDataUrl(otpauthUrl),
});

/**
 * @openapi
 * components:
 *   schemas:
 *     LoginResult:
 *       oneOf:
 *         - $ref: '#/components/schemas/SignedIn'
 *         - $ref: '#/components/schemas/Challenge'
 *     SignedIn:
 *       type: object
 *       additionalProperties: false
 *       required: [user]
 *       properties:
 *         user: { $ref: '#/components/schemas/SafeUser' }
 *     Challenge:
 *       type: object
 *       additionalProperties: false
 *       required: [totpRequired, challenge, expiresIn]
 *       properties:
 *         totpRequired: { type: boolean, enum: [true] }
 *         challenge: { type: string, description: 'For login/totp; it is no session.' }
 *         expiresIn: { type: string, example: 5m }
 */
export const viewChallenge = ({ challenge, maxAgeMs }: Challenge) => ({
  totpRequired: true,
  challenge,
  expiresIn: formatDuration(maxAgeMs),
});

/**
 * @openapi
 * components:
 *   schemas:
 *     MobileTokenResponse:
 *       type: object
 *       additionalProperties: false
 *       required: [accessToken, refreshToken, expiresIn, tokenType, user]
 *       properties:
 *         accessToken: { type: string }
 *         refreshToken: { type: string, description: Good for one refresh. }
 *         expiresIn: { type: string, example: 15m }
 *         tokenType: { type: string, enum: [Bearer] }
 *         user: { $ref: '#/components/schemas/SafeUser' }
 *     MobileLoginRefusal:
 *       type: object
 *       additionalProperties: false
 *       required: [error]
 *       properties:
 *         error: { type: string }
 *         totpRequired: { type: boolean, enum: [true] }
 *     Reissued:
 *       type: object
 *       additionalProperties: false
 *       required: [ok]
 *       properties:
 *         ok: { type: boolean, enum: [true] }
 *         accessToken: { type: string, description: To a bearer caller. }
 *         refreshToken: { type: string }
 *         expiresIn: { type: string }
 *         tokenType: { type: string, enum: [Bearer] }
 *         user: { $ref: '#/components/schemas/SafeUser' }
 */
export const viewTokens = ({ user, pair }: MobileSignedIn) => ({
  accessToken: pair.accessToken,
  refreshToken: pair.refreshToken,
  expiresIn: formatDuration(pair.lifeMs),
  tokenType: "Bearer",
  user: viewSafeUser(user),
});

/**
 * @openapi
 * components:
 *   schemas:
 *     LinkedIdentity:
 *       type: object
 *       additionalProperties: false
 *       required: [provider, name, linked_at]
 *       properties:
 *         provider: { type: string, example: discord }
 *         name: { type: string, example: Discord }
 *         linked_at: { type: string, format: date-time }
 *     Unlinked:
 *       type: object
 *       additionalProperties: false
 *       required: [unlinked]
 *       properties:
 *         unlinked: { type: boolean }
 */
export const viewIdentity = (identity: Identity) => ({
  provider: identity.providerId,
  name: identity.providerName,
  linked_at: identity.linkedAt,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     ResetLink:
 *       type: object
 *       additionalProperties: false
 *       required: [valid, expiresAt]
 *       properties:
 *         valid: { type: boolean, enum: [true] }
 *         expiresAt: { type: string, format: date-time }
 *     OpenInvite:
 *       type: object
 *       additionalProperties: false
 *       required: [email, role, expiresAt]
 *       properties:
 *         email: { type: string, nullable: true, description: Masked., example: m…@example.org }
 *         role: { type: string, enum: [admin, editor, moderator, player] }
 *         expiresAt: { type: string, format: date-time }
 */
export const viewOpenInvite = ({ email, role, expiresAt }: OpenInvite) => ({
  email: email === null ? null : maskEmail(email),
  role,
  expiresAt,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     Invite:
 *       type: object
 *       additionalProperties: false
 *       required: [id, email, role, createdAt, createdBy, expiresAt, acceptedAt, revokedAt]
 *       properties:
 *         id: { type: integer }
 *         email: { type: string, nullable: true }
 *         role: { type: string, enum: [admin, editor, moderator, player] }
 *         createdAt: { type: string, format: date-time }
 *         createdBy: { type: integer, nullable: true, description: The administrator's user id. }
 *         expiresAt: { type: string, format: date-time }
 *         acceptedAt: { type: string, format: date-time, nullable: true }
 *         revokedAt: { type: string, format: date-time, nullable: true }
 */
export const viewInvite = (invite: Invite) => ({
  id: invite.id,
  email: invite.email,
  role: invite.role,
  createdAt: invite.createdAt,
  createdBy: invite.createdBy,
  expiresAt: invite.expiresAt,
  acceptedAt: invite.acceptedAt,
  revokedAt: invite.revokedAt,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     MadeInvite:
 *       type: object
 *       additionalProperties: false
 *       required: [id, email, role, expiresAt]
 *       properties:
 *         id: { type: integer }
 *         email: { type: string, nullable: true }
 *         role: { type: string, enum: [admin, editor, moderator, player] }
 *         expiresAt: { type: string, format: date-time }
 *         acceptUrl: { type: string, description: 'While mail is off, and never again.' }
 */
export const viewMadeInvite = ({ invite, token }: MadeInvite, config: Config) => ({
  id: invite.id,
  email: invite.email,
  role: invite.role,
  expiresAt: invite.expiresAt,
  ...(token !== null && { acceptUrl: inviteLink(token, config) }),
});

import type { Identity } from "../../models/auth/identity.ts";
import { buildInviteLink } from "../../shared/auth/account/account-mails.ts";
import type {
  OpenInvite,
  ListedInvite,
  CreatedInvite,
} from "../../shared/auth/administration/invites.ts";
import { maskEmail } from "../../shared/auth/rules/emails.ts";
import type { Challenge } from "../../shared/auth/second-factor/challenges.ts";
import type { Enrollment } from "../../shared/auth/second-factor/totp-enrollment.ts";
import type { MobileSignIn } from "../../shared/auth/sessions/mobile-tokens.ts";
import type { UserRow } from "../../shared/auth/users/users.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import type { Config } from "../../shared/platform/config/config.ts";
import { formatDuration } from "../../shared/platform/config/values.ts";
import { renderQrDataUrl } from "./qr.ts";

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
 *         role: { $ref: '#/components/schemas/Role' }
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
 *         role: { $ref: '#/components/schemas/Role' }
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
 *         otpauthUrl: { type: string, description: '`otpauth:` URL that the QR code contains.' }
 *         secret: { type: string, description: 'The TOTP secret in base32, for users who type it into the authenticator app.' }
 *         qr: { type: string, description: 'QR code of the `otpauth:` URL, as a data URL with an SVG image.' }
 *     TotpEnabled:
 *       type: object
 *       additionalProperties: false
 *       required: [totp_enabled, recoveryCodes]
 *       properties:
 *         totp_enabled: { type: boolean, enum: [true] }
 *         recoveryCodes: { type: array, description: Single-use recovery codes. Shown only once., items: { type: string } }
 *     TotpDisabled:
 *       description: >-
 *         A bearer caller also receives a new token pair in the response; a browser receives a new
 *         session cookie.
 *       oneOf:
 *         - $ref: '#/components/schemas/TotpState'
 *         - $ref: '#/components/schemas/TotpOffWithTokens'
 *     TotpState:
 *       type: object
 *       additionalProperties: false
 *       required: [totp_enabled]
 *       properties:
 *         totp_enabled: { type: boolean, enum: [false] }
 *     TotpOffWithTokens:
 *       allOf:
 *         - type: object
 *           required: [totp_enabled]
 *           properties:
 *             totp_enabled: { type: boolean, enum: [false] }
 *         - $ref: '#/components/schemas/MobileTokenResponse'
 */
export const viewEnrollment = ({ secret, otpauthUrl }: Enrollment) => ({
  otpauthUrl,
  secret,
  qr: renderQrDataUrl(otpauthUrl),
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
 *         challenge: { type: string, description: Challenge to send to `POST /auth/login/totp` with a code. The user is not signed in yet. }
 *         expiresIn: { type: string, example: 5m, description: Lifetime of the challenge. }
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
 *       required: [accessToken, refreshToken, expiresIn, tokenType, user]
 *       properties:
 *         accessToken: { type: string, description: 'Send the access token as `Authorization: Bearer …`.' }
 *         refreshToken: { type: string, description: Token for the next `POST /auth/mobile/refresh`. Valid for one use. }
 *         expiresIn: { type: string, description: Lifetime of the access token., example: 15m }
 *         tokenType: { type: string, enum: [Bearer] }
 *         user: { $ref: '#/components/schemas/SafeUser' }
 *     MobileLoginRefusal:
 *       oneOf:
 *         - $ref: '#/components/schemas/SignInRefused'
 *         - $ref: '#/components/schemas/CodeRequired'
 *     SignInRefused:
 *       type: object
 *       additionalProperties: false
 *       required: [error]
 *       properties:
 *         error: { type: string, example: Invalid credentials }
 *     CodeRequired:
 *       type: object
 *       additionalProperties: false
 *       required: [error, totpRequired]
 *       properties:
 *         error: { type: string, example: Code required }
 *         totpRequired: { type: boolean, enum: [true] }
 *     Reissued:
 *       description: >-
 *         A bearer caller also receives a new token pair in the response; a browser receives a new
 *         session cookie.
 *       oneOf:
 *         - $ref: '#/components/schemas/Ok'
 *         - $ref: '#/components/schemas/OkWithTokens'
 *     OkWithTokens:
 *       allOf:
 *         - type: object
 *           required: [ok]
 *           properties:
 *             ok: { type: boolean, enum: [true] }
 *         - $ref: '#/components/schemas/MobileTokenResponse'
 */
export const viewTokens = ({ user, pair }: MobileSignIn) => ({
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
 *         provider: { type: string, example: discord, description: Id of the provider. }
 *         name: { type: string, example: Discord, description: Name that the provider had when the account was linked. }
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
 *         email: { type: string, nullable: true, description: E-mail address of the invitation in masked form. Null if the invitation has no e-mail address., example: m…@example.org }
 *         role: { $ref: '#/components/schemas/Role' }
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
 *         role: { $ref: '#/components/schemas/Role' }
 *         createdAt: { type: string, format: date-time }
 *         createdBy: { type: integer, nullable: true, description: Id of the administrator who sent the invitation. Null if that account was deleted. }
 *         expiresAt: { type: string, format: date-time }
 *         acceptedAt: { type: string, format: date-time, nullable: true }
 *         revokedAt: { type: string, format: date-time, nullable: true }
 */
export const viewInvite = (invite: ListedInvite) => ({
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
 *         role: { $ref: '#/components/schemas/Role' }
 *         expiresAt: { type: string, format: date-time }
 *         acceptUrl: { type: string, description: 'Link for accepting the invitation. Present only while mail is off, and shown only once.' }
 */
export const viewCreatedInvite = ({ invite, token }: CreatedInvite, config: Config) => ({
  id: invite.id,
  email: invite.email,
  role: invite.role,
  expiresAt: invite.expiresAt,
  ...(token !== null && { acceptUrl: buildInviteLink(token, config) }),
});

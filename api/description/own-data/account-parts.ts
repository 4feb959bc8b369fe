/** The components for the parts of the data export about a user's account and sign-ins. */
export const accountPartComponents = {
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
  account: "OwnAccount",
  /**
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
   *         ended_at: { type: string, format: date-time, nullable: true, description: When the session was ended before its expiry. Null if the session was not ended early. }
   *         ended_by: { type: string, nullable: true, example: logout, description: Why the session was ended before its expiry. Null if the session was not ended early. }
   */
  sessions: "OwnSession",
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
  trusted_devices: "OwnTrustedDevice",
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
  identities: "OwnIdentity",
  push_devices: "PushDevice",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnSubscription:
   *       type: object
   *       additionalProperties: false
   *       required: [stream]
   *       properties:
   *         stream: { type: string, example: champ.start }
   */
  subscriptions: "OwnSubscription",
  market_searches: "SavedSearch",
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
  recovery_codes: "OwnRecoveryCodes",
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
   *         used_at: { type: string, format: date-time, nullable: true, description: When the reset link was used. Null if the link was not used. }
   */
  password_resets: "OwnPasswordReset",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnInvite:
   *       type: object
   *       additionalProperties: false
   *       required: [id, sent_by_you, email, role, created_at, expires_at, accepted_at, revoked_at]
   *       properties:
   *         id: { type: integer }
   *         sent_by_you: { type: boolean, description: True for an invitation that the user sent. False for the invitation with which the user's account was created. }
   *         email: { type: string, nullable: true, description: E-mail address to which the invitation was sent. Null for invitations that the user sent. }
   *         role: { $ref: '#/components/schemas/Role' }
   *         created_at: { type: string, format: date-time }
   *         expires_at: { type: string, format: date-time }
   *         accepted_at: { type: string, format: date-time, nullable: true }
   *         revoked_at: { type: string, format: date-time, nullable: true }
   */
  invites: "OwnInvite",
  /**
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
  api_tokens: "OwnApiToken",
} as const;

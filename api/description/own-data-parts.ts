import type { ownParts } from "../../shared/own-data/catalogue.ts";

/** CATALOGUE of the components that describe the parts of a user's own data, or their rows. */
export const partShapes: Readonly<Record<keyof typeof ownParts, string>> = {
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
   *         ended_at: { type: string, format: date-time, nullable: true, description: When the session was ended before its expiry. Null if it was not. }
   *         ended_by: { type: string, nullable: true, example: logout, description: Why the session was ended before its expiry. Null if it was not. }
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
   *         used_at: { type: string, format: date-time, nullable: true, description: When the reset link was used. Null if it was not used. }
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
  links: "ShardLink",
  steam_links: "OwnSteamLink",
  survival_grants: "OwnSurvivalGrant",
  survival_sightings: "OwnSurvivalSighting",
  survival_presence: "OwnSurvivalPresence",
  survival_clans: "OwnSurvivalClan",
  survival_tallies: "OwnSurvivalTally",
  survival_scores: "OwnSurvivalScore",
  survival_npc_kills: "OwnSurvivalNpcKills",
  survival_participations: "OwnSurvivalParticipation",
  survival_kits: "OwnKit",
  survival_chat: "OwnSurvivalChat",
  houses: "ShardHouse",
  offices: "Standing",
  characters_online: "OwnOnlineCharacter",
  bans: "OwnBan",
  sales: "VendorSale",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnParticipation:
   *       type: object
   *       additionalProperties: false
   *       required: [run_id, at, rewards]
   *       properties:
   *         run_id: { type: integer }
   *         at: { type: string, format: date-time, description: When the service recorded the participation. }
   *         rewards:
   *           type: array
   *           items:
   *             type: object
   *             additionalProperties: false
   *             required: [kit, count]
   *             properties:
   *               kit: { type: string, description: Name of the kit on the survival server., example: veteran }
   *               count:
   *                 type: integer
   *                 description: How many times in total the user may take the kit.
   */
  event_participations: "OwnParticipation",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnPost:
   *       type: object
   *       additionalProperties: false
   *       required: [id, slug, title, status, created_at, updated_at]
   *       properties:
   *         id: { type: integer }
   *         slug: { type: string, example: the-fair-begins }
   *         title: { type: string, example: The fair begins }
   *         status: { type: string, enum: [draft, published] }
   *         created_at: { type: string, format: date-time }
   *         updated_at: { type: string, format: date-time }
   */
  posts: "OwnPost",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnWikiRevision:
   *       type: object
   *       additionalProperties: false
   *       required: [page_id, revision, title, note, created_at]
   *       properties:
   *         page_id: { type: integer }
   *         revision: { type: integer }
   *         title: { type: string, example: Taming }
   *         note:
   *           type: string
   *           nullable: true
   *           description: Note about the change. Null if the author wrote none.
   *           example: A typo
   *         created_at: { type: string, format: date-time }
   */
  wiki_revisions: "OwnWikiRevision",
  appeals: "OwnAppeal",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnActivity:
   *       type: object
   *       additionalProperties: false
   *       required: [id, at, action, by_you, address, detail]
   *       properties:
   *         id: { type: integer }
   *         at: { type: string, format: date-time }
   *         action: { type: string, example: auth.login.success }
   *         by_you: { type: boolean, description: Whether the user performed the action. False for an action of another user or of the service on the user's account. }
   *         address: { type: string, nullable: true, description: IP address from which the user sent the request. Null if the user did not send it. }
   *         detail:
   *           type: object
   *           nullable: true
   *           additionalProperties: true
   *           description: >-
   *             Details of an action on the user's own account. Null for all other actions.
   */
  activity: "OwnActivity",
};

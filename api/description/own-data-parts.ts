import type { ownParts } from "../../shared/own-data/catalogue.ts";

/** CATALOGUE of the components for the parts of a user's data export, or for their rows. */
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
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnSteamLink:
   *       type: object
   *       additionalProperties: false
   *       required: [steamId, name, linkedAt]
   *       properties:
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string }
   *         linkedAt: { type: string, format: date-time }
   */
  steam_links: "OwnSteamLink",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnSurvivalGrant:
   *       type: object
   *       additionalProperties: false
   *       required: [kind, steamId, value, source, createdAt, expiresAt, revokedAt]
   *       properties:
   *         kind: { type: string, enum: [permission, membership] }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         value:
   *           type: string
   *           example: vip
   *           description: 'A permission, or the name of a group.'
   *         source: { type: string, enum: [manual, event, store, system] }
   *         createdAt: { type: string, format: date-time }
   *         expiresAt: { type: string, format: date-time, nullable: true }
   *         revokedAt: { type: string, format: date-time, nullable: true }
   */
  survival_grants: "OwnSurvivalGrant",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnSurvivalSighting:
   *       type: object
   *       additionalProperties: false
   *       required: [serverId, steamId, name, firstSeenAt, lastSeenAt]
   *       properties:
   *         serverId: { type: integer }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string, description: Name that the player used last on the server. }
   *         firstSeenAt: { type: string, format: date-time }
   *         lastSeenAt: { type: string, format: date-time }
   */
  survival_sightings: "OwnSurvivalSighting",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnSurvivalPresence:
   *       type: object
   *       additionalProperties: false
   *       required: [serverId, steamId, name, connectedAt]
   *       properties:
   *         serverId: { type: integer }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string }
   *         connectedAt: { type: string, format: date-time }
   */
  survival_presence: "OwnSurvivalPresence",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnSurvivalClan:
   *       type: object
   *       additionalProperties: false
   *       required: [serverId, clan, steamId, name, role, joinedAt, lastSeenAt, disbandedAt]
   *       properties:
   *         serverId: { type: integer }
   *         clan: { type: string, example: Night Owls }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string, description: Name of the player. }
   *         role: { type: string, nullable: true }
   *         joinedAt: { type: string, format: date-time, nullable: true }
   *         lastSeenAt: { type: string, format: date-time, nullable: true }
   *         disbandedAt: { type: string, format: date-time, nullable: true }
   */
  survival_clans: "OwnSurvivalClan",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnSurvivalTally:
   *       type: object
   *       additionalProperties: false
   *       required: [wipeId, steamId, name, isStaff, updatedAt]
   *       properties:
   *         wipeId: { type: integer, description: Id of the world. }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string }
   *         isStaff: { type: boolean, description: Whether the game reported the player as staff. }
   *         updatedAt: { type: string, format: date-time }
   */
  survival_tallies: "OwnSurvivalTally",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnSurvivalScore:
   *       type: object
   *       additionalProperties: false
   *       required: [wipeId, steamId, stat, value, reachedAt]
   *       properties:
   *         wipeId: { type: integer, description: Id of the world. }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         stat: { type: string, example: playersKilled }
   *         value: { type: integer, description: 'Value of the stat: a count, meters or seconds, depending on `stat`.' }
   *         reachedAt:
   *           type: string
   *           format: date-time
   *           description: When the player reached this value.
   */
  survival_scores: "OwnSurvivalScore",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnSurvivalNpcKills:
   *       type: object
   *       additionalProperties: false
   *       required: [wipeId, steamId, profileKey, kills, lastAt]
   *       properties:
   *         wipeId: { type: integer, description: Id of the world. }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         profileKey: { type: string, example: warlord, description: Key of the NPC profile. }
   *         kills: { type: integer }
   *         lastAt: { type: string, format: date-time }
   */
  survival_npc_kills: "OwnSurvivalNpcKills",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnSurvivalParticipation:
   *       type: object
   *       additionalProperties: false
   *       required: [serverId, method, steamId, name, firstAt, lastAt, score]
   *       properties:
   *         serverId: { type: integer }
   *         method:
   *           type: string
   *           enum: [zone, command, damage, kill]
   *           description: Method by which participation in the event was counted.
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string }
   *         firstAt:
   *           type: integer
   *           description: Time of the first participation, in epoch milliseconds.
   *         lastAt: { type: integer, description: 'Time of the last participation, in epoch milliseconds.' }
   *         score:
   *           type: number
   *           description: Amount of the participation. The unit depends on `method`.
   */
  survival_participations: "OwnSurvivalParticipation",
  survival_kits: "OwnKit",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnSurvivalChat:
   *       type: object
   *       additionalProperties: false
   *       required: [id, serverId, steamId, t, message]
   *       properties:
   *         id: { type: integer }
   *         serverId: { type: integer }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         t: { type: integer, description: 'Time of the message by the game server''s clock, in epoch milliseconds.' }
   *         message: { type: string }
   */
  survival_chat: "OwnSurvivalChat",
  houses: "ShardHouse",
  offices: "Standing",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnOnlineCharacter:
   *       type: object
   *       additionalProperties: false
   *       required: [serial, name, map, x, y, z, region]
   *       properties:
   *         serial: { type: string, example: '0x0000ABCD' }
   *         name: { type: string }
   *         map: { type: string, nullable: true }
   *         x: { type: integer, nullable: true }
   *         y: { type: integer, nullable: true }
   *         z: { type: integer, nullable: true }
   *         region: { type: string, nullable: true }
   */
  characters_online: "OwnOnlineCharacter",
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnBan:
   *       type: object
   *       additionalProperties: false
   *       required: [id, account, reason, issuedAt, expiresAt, endedAt]
   *       properties:
   *         id: { type: integer }
   *         account: { type: string }
   *         reason: { type: string, example: Unattended macroing }
   *         issuedAt: { type: string, format: date-time }
   *         expiresAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: End of the ban. Null for a permanent ban.
   *         endedAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: >-
   *             When the ban was lifted, or replaced by another ban. Null if neither has happened.
   */
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

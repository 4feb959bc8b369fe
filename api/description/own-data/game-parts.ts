/** The components for the parts of the data export about game accounts, houses and survival players. */
export const gamePartComponents = {
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
   *     OwnSurvivalReport:
   *       type: object
   *       additionalProperties: false
   *       required: [id, serverId, steamId, type, subject, message, reportedAt]
   *       properties:
   *         id: { type: integer }
   *         serverId: { type: integer }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         type: { type: string, nullable: true, example: cheat }
   *         subject: { type: string, example: flying }
   *         message: { type: string, example: He flies over the dome and shoots. }
   *         reportedAt: { type: string, format: date-time }
   */
  survival_reports: "OwnSurvivalReport",
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
   *             When the ban was lifted, or replaced by another ban. Null if the ban was neither
   *             lifted nor replaced.
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
} as const;

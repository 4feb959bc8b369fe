import type { OwnPermissions } from "../../shared/survival/permissions/reports/own-permissions.ts";
import type { GrantRecord } from "../../shared/survival/permissions/reports/read-grants.ts";
import type { GroupRecord } from "../../shared/survival/permissions/reports/read-groups.ts";
import type { PermissionsOverview } from "../../shared/survival/permissions/reports/read-sync.ts";
import {
  grantRevision,
  groupRevision,
} from "../../shared/survival/permissions/scopes/revisions.ts";
import { scopeOf } from "../../shared/survival/permissions/store/read-permissions.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     PermissionScope:
 *       type: object
 *       additionalProperties: false
 *       required: [all, serverIds]
 *       properties:
 *         all: { type: boolean, example: false, description: For every server. }
 *         serverIds: { type: array, items: { type: integer }, example: [3] }
 *     PermissionGroup:
 *       type: object
 *       additionalProperties: false
 *       required: [id, name, title, rank, parent, permissions, scope, managed, protected,
 *         memberCount, revision, updatedAt, updatedBy]
 *       properties:
 *         id: { type: integer, example: 4 }
 *         name: { type: string, example: vip }
 *         title: { type: string, example: VIP }
 *         rank: { type: integer, example: 3 }
 *         parent:
 *           type: string
 *           nullable: true
 *           description: The group whose permissions it has as well.
 *           example: member
 *         permissions: { type: array, items: { type: string }, example: [kits.vip] }
 *         scope: { $ref: '#/components/schemas/PermissionScope' }
 *         managed:
 *           type: boolean
 *           description: False for the groups that the game makes by itself.
 *         protected: { type: boolean, description: It can be neither renamed nor deleted. }
 *         memberCount: { type: integer, example: 12 }
 *         revision: { $ref: '#/components/schemas/Revision' }
 *         updatedAt: { type: string, format: date-time }
 *         updatedBy: { type: string, nullable: true, example: keeper }
 */
export const viewGroup = ({ group, memberCount, updatedBy }: GroupRecord) => ({
  id: group.id,
  name: group.name,
  title: group.title,
  rank: group.rank,
  parent: group.parent,
  permissions: group.permissions,
  scope: scopeOf(group),
  managed: group.managed,
  protected: group.protected,
  memberCount,
  revision: groupRevision(group),
  updatedAt: group.updatedAt,
  updatedBy,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     PermissionGrant:
 *       type: object
 *       additionalProperties: false
 *       required: [id, kind, steamId, userId, value, scope, source, reason, expiresAt, state,
 *         revision, createdAt, createdBy, revokedAt, revokedBy]
 *       properties:
 *         id: { type: integer, example: 71 }
 *         kind: { type: string, enum: [permission, membership] }
 *         steamId: { $ref: '#/components/schemas/SteamId' }
 *         userId:
 *           type: integer
 *           nullable: true
 *           description: Whose link it was made for; it ends with that.
 *           example: 12
 *         value:
 *           type: string
 *           description: A permission, or the name of a group.
 *           example: vip
 *         scope: { $ref: '#/components/schemas/PermissionScope' }
 *         source: { type: string, enum: [manual, event, store, system] }
 *         reason: { type: string, nullable: true, example: Won the spring event }
 *         expiresAt: { type: string, format: date-time, nullable: true }
 *         state:
 *           type: string
 *           enum: [active, expiring, expired, revoked]
 *           description: >
 *             `expiring`: its time is over, and a server still has it that could not be told yet.
 *         revision: { $ref: '#/components/schemas/Revision' }
 *         createdAt: { type: string, format: date-time }
 *         createdBy: { type: string, nullable: true, example: keeper }
 *         revokedAt: { type: string, format: date-time, nullable: true }
 *         revokedBy: { type: string, nullable: true, example: keeper }
 */
export const viewGrant = (grant: GrantRecord) => ({
  id: grant.id,
  kind: grant.kind,
  steamId: grant.steamId,
  userId: grant.userId,
  value: grant.value,
  scope: scopeOf(grant),
  source: grant.source,
  reason: grant.reason,
  expiresAt: grant.expiresAt,
  state: grant.state,
  revision: grantRevision(grant),
  createdAt: grant.createdAt,
  createdBy: grant.createdBy,
  revokedAt: grant.revokedAt,
  revokedBy: grant.revokedBy,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     PermissionsOverview:
 *       type: object
 *       additionalProperties: false
 *       required: [groups, servers, counts]
 *       properties:
 *         groups: { type: array, items: { $ref: '#/components/schemas/PermissionGroup' } }
 *         servers: { type: array, items: { $ref: '#/components/schemas/PermissionSync' } }
 *         counts:
 *           type: object
 *           additionalProperties: false
 *           required: [groups, grants, players]
 *           properties:
 *             groups: { type: integer, example: 5 }
 *             grants: { type: integer, description: Those in force., example: 61 }
 *             players: { type: integer, description: Who have one., example: 48 }
 *     PermissionSync:
 *       type: object
 *       additionalProperties: false
 *       required: [serverId, state, dirtyReason, error, lastPushAt, lastOkAt, inventoryAt, pendingOps,
 *         unknownPermissions, drift]
 *       properties:
 *         serverId: { type: integer, example: 3 }
 *         state: { $ref: '#/components/schemas/PermissionSyncState' }
 *         dirtyReason: { type: string, nullable: true, example: plugin.loaded }
 *         error:
 *           type: string
 *           nullable: true
 *           description: What the last push failed of; it is tried again.
 *           example: SHARD_DOWN
 *         lastPushAt: { type: string, format: date-time, nullable: true }
 *         lastOkAt: { type: string, format: date-time, nullable: true }
 *         inventoryAt: { type: string, format: date-time, nullable: true }
 *         pendingOps:
 *           type: integer
 *           description: How many steps a push would take now.
 *           example: 2
 *         unknownPermissions:
 *           type: array
 *           description: What waits for a plugin, or a group, that the server lacks.
 *           items: { type: string }
 *           example: [raffle.draw]
 *         drift: { $ref: '#/components/schemas/PermissionDrift' }
 *     PermissionSyncState:
 *       type: string
 *       enum: [clean, dirty, pushing, failed, offline]
 *       example: clean
 *     PermissionDrift:
 *       type: object
 *       description: How what the server has differs from what it was pushed; here at most 50 of each.
 *       additionalProperties: false
 *       required: [extra, missing]
 *       properties:
 *         extra:
 *           type: array
 *           description: There, and not from here; a push leaves it alone.
 *           items: { $ref: '#/components/schemas/PermissionEntry' }
 *         missing:
 *           type: array
 *           description: Pushed, and gone since; the next push brings it again.
 *           items: { $ref: '#/components/schemas/PermissionEntry' }
 *     PermissionEntry:
 *       type: object
 *       additionalProperties: false
 *       required: [subjectKind, subject, kind, value]
 *       properties:
 *         subjectKind: { type: string, enum: [user, group] }
 *         subject: { type: string, description: A Steam id or the name of a group., example: vip }
 *         kind: { type: string, enum: [permission, membership, group] }
 *         value: { type: string, description: Empty for the group itself., example: kits.vip }
 */
export const viewOverview = ({ groups, servers, counts }: PermissionsOverview) => ({
  groups: groups.map(viewGroup),
  servers,
  counts,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     OwnPermissions:
 *       type: object
 *       additionalProperties: false
 *       required: [steamIds, entries]
 *       properties:
 *         steamIds: { type: array, items: { $ref: '#/components/schemas/SteamId' } }
 *         entries:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [id, kind, steamId, value, title, via, state, servers, live, expiresAt]
 *             properties:
 *               id: { type: integer, example: 71 }
 *               kind: { type: string, enum: [permission, membership] }
 *               steamId: { $ref: '#/components/schemas/SteamId' }
 *               value: { type: string, example: vip }
 *               title:
 *                 type: string
 *                 nullable: true
 *                 description: Of the group that it puts one into.
 *                 example: VIP
 *               via: { type: string, enum: [manual, event, store, system] }
 *               state: { type: string, enum: [active, expiring, expired, revoked] }
 *               servers:
 *                 type: array
 *                 items:
 *                   type: object
 *                   additionalProperties: false
 *                   required: [id, name, live]
 *                   properties:
 *                     id: { type: integer, example: 3 }
 *                     name: { type: string, example: Main }
 *                     live: { type: boolean, description: The server said that it has it. }
 *               live: { type: boolean, description: Every one of the servers has it. }
 *               expiresAt: { type: string, format: date-time, nullable: true }
 */
export const viewOwnPermissions = ({ steamIds, entries }: OwnPermissions) => ({
  steamIds,
  entries: entries.map(({ grant, title, servers }) => ({
    id: grant.id,
    kind: grant.kind,
    steamId: grant.steamId,
    value: grant.value,
    title,
    via: grant.source,
    state: grant.state,
    servers,
    live: servers.length > 0 && servers.every(({ live }) => live),
    expiresAt: grant.expiresAt,
  })),
});

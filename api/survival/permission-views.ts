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
 *       description: The servers on which a group or a grant is valid.
 *       additionalProperties: false
 *       required: [all, serverIds]
 *       properties:
 *         all:
 *           type: boolean
 *           example: false
 *           description: True for all servers, including servers that are added later.
 *         serverIds:
 *           type: array
 *           items: { type: integer }
 *           example: [3]
 *           description: The servers. Empty if `all` is true.
 *     PermissionGroup:
 *       type: object
 *       additionalProperties: false
 *       required: [id, name, title, rank, parent, permissions, scope, managed, protected,
 *         memberCount, revision, updatedAt, updatedBy]
 *       properties:
 *         id: { type: integer, example: 4 }
 *         name: { type: string, example: vip }
 *         title: { type: string, example: VIP, description: Name that the game shows. }
 *         rank: { type: integer, example: 3 }
 *         parent:
 *           type: string
 *           nullable: true
 *           description: Name of the group whose permissions this group inherits.
 *           example: member
 *         permissions:
 *           type: array
 *           items: { type: string }
 *           example: [kits.vip]
 *           description: The group's own permissions, without inherited ones.
 *         scope: { $ref: '#/components/schemas/PermissionScope' }
 *         managed:
 *           type: boolean
 *           description: False for groups that the game itself creates.
 *         protected:
 *           type: boolean
 *           description: True if the group can be neither renamed nor deleted.
 *         memberCount:
 *           type: integer
 *           example: 12
 *           description: Number of memberships in force.
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
 *           description: >
 *             Id of the user to whom the grant was given. The grant is revoked when the user
 *             unlinks any Steam account. Null if the grant was given to the Steam account only.
 *           example: 12
 *         value:
 *           type: string
 *           description: A permission, or the name of a group.
 *           example: vip
 *         scope: { $ref: '#/components/schemas/PermissionScope' }
 *         source:
 *           type: string
 *           enum: [manual, event, store, system]
 *           description: 'Origin of the grant. `manual`: an administrator.'
 *         reason: { type: string, nullable: true, example: Won the spring event }
 *         expiresAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the grant expires. Null for no expiry.
 *         state:
 *           type: string
 *           enum: [active, expiring, expired, revoked]
 *           description: >
 *             `active`: in force. `expiring`: expired, but a server still has the grant. `expired`:
 *             expired, and no server has the grant. `revoked`: revoked by staff, or because the
 *             user unlinked a Steam account.
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
 *             grants: { type: integer, description: Grants in force., example: 61 }
 *             players: { type: integer, description: Players with a grant in force., example: 48 }
 *     PermissionSync:
 *       type: object
 *       description: The sync of permissions to one server.
 *       additionalProperties: false
 *       required: [serverId, state, dirtyReason, error, lastPushAt, lastOkAt, inventoryAt, pendingOps,
 *         unknownPermissions, drift]
 *       properties:
 *         serverId: { type: integer, example: 3 }
 *         state: { $ref: '#/components/schemas/PermissionSyncState' }
 *         dirtyReason:
 *           type: string
 *           nullable: true
 *           example: plugin.loaded
 *           description: Reason for the pending sync. Null if the state is `clean`.
 *         error:
 *           type: string
 *           nullable: true
 *           description: Why the last sync failed. Null otherwise.
 *           example: SHARD_DOWN
 *         lastPushAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the last sync began.
 *         lastOkAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When a sync last succeeded.
 *         inventoryAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the server last reported its inventory.
 *         pendingOps:
 *           type: integer
 *           description: Number of steps that a sync would take now.
 *           example: 2
 *         unknownPermissions:
 *           type: array
 *           description: >
 *             Permissions and groups that the server does not know yet. They are synced as soon as
 *             the server knows them, for example when a plugin is loaded.
 *           items: { type: string }
 *           example: [raffle.draw]
 *         drift: { $ref: '#/components/schemas/PermissionDrift' }
 *     PermissionSyncState:
 *       type: string
 *       enum: [clean, dirty, pushing, failed, offline]
 *       example: clean
 *       description: >
 *         `clean`: the server has all permissions. `dirty`: a sync is due. `pushing`: changes were
 *         sent, the result is pending. `failed`: the last sync failed, or the bridge plugin of the
 *         server does not support it. `offline`: the server cannot be reached, or was never synced.
 *     PermissionDrift:
 *       type: object
 *       description: How the server's permissions differ from what the site has synced.
 *       additionalProperties: false
 *       required: [extra, missing]
 *       properties:
 *         extra:
 *           type: array
 *           description: Entries that the site did not create. A sync does not change them.
 *           items: { $ref: '#/components/schemas/PermissionEntry' }
 *         missing:
 *           type: array
 *           description: >
 *             Entries that were synced but are no longer on the server. The next sync restores
 *             them.
 *           items: { $ref: '#/components/schemas/PermissionEntry' }
 *     PermissionEntry:
 *       type: object
 *       additionalProperties: false
 *       required: [subjectKind, subject, kind, value]
 *       properties:
 *         subjectKind: { type: string, enum: [user, group] }
 *         subject:
 *           type: string
 *           description: 'A Steam id, or the name of a group.'
 *           example: vip
 *         kind: { type: string, enum: [permission, membership, group] }
 *         value:
 *           type: string
 *           description: >
 *             The permission, or the group of a membership. Empty if `kind` is `group`.
 *           example: kits.vip
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
 *         steamIds:
 *           type: array
 *           items: { $ref: '#/components/schemas/SteamId' }
 *           description: The Steam accounts that the caller has linked.
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
 *               value:
 *                 type: string
 *                 example: vip
 *                 description: The permission, or the name of the group.
 *               title:
 *                 type: string
 *                 nullable: true
 *                 description: Title of the group. Null for a permission.
 *                 example: VIP
 *               via:
 *                 type: string
 *                 enum: [manual, event, store, system]
 *                 description: 'Origin of the entry. `manual`: granted by an administrator.'
 *               state:
 *                 type: string
 *                 enum: [active, expiring, expired, revoked]
 *                 description: >
 *                   `expiring` and `revoked`: the grant has ended, but a server still has it.
 *               servers:
 *                 type: array
 *                 description: Listed servers on which the permission or membership is valid.
 *                 items:
 *                   type: object
 *                   additionalProperties: false
 *                   required: [id, name, live]
 *                   properties:
 *                     id: { type: integer, example: 3 }
 *                     name: { type: string, example: Main }
 *                     live:
 *                       type: boolean
 *                       description: Whether the server has confirmed the permission or membership.
 *               live:
 *                 type: boolean
 *                 description: >
 *                   Whether all servers in `servers` have confirmed the permission or membership.
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

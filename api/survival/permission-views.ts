import type { GrantRecord } from "../../shared/survival/permissions/grants/read-grants.ts";
import type { GroupRecord } from "../../shared/survival/permissions/grants/read-groups.ts";
import type { OwnPermissions } from "../../shared/survival/permissions/reports/player-permissions.ts";
import type { PermissionsOverview } from "../../shared/survival/permissions/reports/sync.ts";
import { grantRevision, groupRevision } from "../../shared/survival/permissions/revisions.ts";
import { toServerScope } from "../../shared/survival/permissions/sync/read-permissions.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     PermissionScope:
 *       type: object
 *       description: Servers on which a permission group or a grant is valid.
 *       additionalProperties: false
 *       required: [all, serverIds]
 *       properties:
 *         all:
 *           type: boolean
 *           example: false
 *           description: >-
 *             Whether the group or grant is valid on all servers, including servers that are added
 *             later.
 *         serverIds:
 *           type: array
 *           items: { type: integer }
 *           example: [3]
 *           description: Ids of the servers. Empty if `all` is true.
 *     PermissionGroup:
 *       type: object
 *       additionalProperties: false
 *       required: [id, name, title, rank, parent, permissions, scope, managed, protected,
 *         memberCount, revision, updatedAt, updatedBy]
 *       properties:
 *         id: { type: integer, example: 4 }
 *         name: { type: string, example: vip }
 *         title: { type: string, example: VIP, description: 'Title of the group, which the game shows.' }
 *         rank: { type: integer, example: 3 }
 *         parent:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Name of the parent group, whose permissions this group inherits. Null for none.
 *           example: member
 *         permissions:
 *           type: array
 *           items: { type: string }
 *           example: [kits.vip]
 *           description: Permissions of the group itself. Inherited permissions are not included.
 *         scope: { $ref: '#/components/schemas/PermissionScope' }
 *         managed:
 *           type: boolean
 *           description: >-
 *             Whether the site manages the group. False for groups that the game itself creates.
 *         protected:
 *           type: boolean
 *           description: 'Whether the group is protected: it can be neither renamed nor deleted.'
 *         memberCount:
 *           type: integer
 *           example: 12
 *           description: Number of memberships in the group that are in force.
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
  scope: toServerScope(group),
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
 *           description: >-
 *             Id of the user for whom the grant was made. Such a grant is revoked when the user
 *             unlinks any Steam account. Null if the grant was made for the Steam account only.
 *           example: 12
 *         value:
 *           type: string
 *           description: The permission or, for a membership, the name of the group.
 *           example: vip
 *         scope: { $ref: '#/components/schemas/PermissionScope' }
 *         source:
 *           type: string
 *           enum: [manual, event, store, system]
 *           description: 'Origin of the grant. `manual`: an administrator made the grant.'
 *         reason: { type: string, nullable: true, example: Won the spring event }
 *         expiresAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the grant expires. Null for no expiry.
 *         state:
 *           type: string
 *           enum: [active, expiring, expired, revoked]
 *           description: >-
 *             State of the grant. `active`: the grant is in force. `expiring`: the grant has
 *             expired, but a server still has it. `expired`: the grant has expired, and no server
 *             has it any more. `revoked`: staff revoked the grant, or the grant was revoked because
 *             the user unlinked a Steam account.
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
  scope: toServerScope(grant),
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
 *             grants: { type: integer, description: Number of grants that are in force., example: 61 }
 *             players: { type: integer, description: Number of players who have a grant that is in force., example: 48 }
 *     PermissionSync:
 *       type: object
 *       description: State of the sync of permissions to one server.
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
 *           description: Why a sync is due. Null if the state is `clean`.
 *         error:
 *           type: string
 *           nullable: true
 *           description: Why the last sync failed. Null if the last sync did not fail.
 *           example: SHARD_DOWN
 *         lastPushAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the last sync to the server began.
 *         lastOkAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When a sync last succeeded. Null if no sync has succeeded.
 *         inventoryAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             When the server last reported its inventory of permissions. Null before the first
 *             report.
 *         pendingOps:
 *           type: integer
 *           description: Number of steps that a sync would take now.
 *           example: 2
 *         unknownPermissions:
 *           type: array
 *           description: >-
 *             Permissions and groups that the site wants to grant but that the server does not know
 *             yet. The site sends them as soon as the server knows them, for example when it loads
 *             a plugin.
 *           items: { type: string }
 *           example: [raffle.draw]
 *         drift: { $ref: '#/components/schemas/PermissionDrift' }
 *     PermissionSyncState:
 *       type: string
 *       enum: [clean, dirty, pushing, failed, offline]
 *       example: clean
 *       description: >-
 *         State of the sync. `clean`: the server has all permissions. `dirty`: a sync is due.
 *         `pushing`: changes were sent, and the server has not reported the result yet. `failed`:
 *         the last sync failed, or the server's bridge plugin does not support syncs. `offline`:
 *         the server cannot be reached, or no sync has ever taken place.
 *     PermissionDrift:
 *       type: object
 *       description: >-
 *         Differences between the permissions that the server has and those that the site has sent.
 *       additionalProperties: false
 *       required: [extra, missing]
 *       properties:
 *         extra:
 *           type: array
 *           description: >-
 *             Entries on the server that the site did not create. A sync does not change these
 *             entries.
 *           items: { $ref: '#/components/schemas/PermissionEntry' }
 *         missing:
 *           type: array
 *           description: >-
 *             Entries that the site has sent but that are no longer on the server. The next sync
 *             restores these entries.
 *           items: { $ref: '#/components/schemas/PermissionEntry' }
 *     PermissionEntry:
 *       type: object
 *       additionalProperties: false
 *       required: [subjectKind, subject, kind, value]
 *       properties:
 *         subjectKind: { type: string, enum: [user, group] }
 *         subject:
 *           type: string
 *           description: >-
 *             Player or group that the step changes: a SteamID64, or the name of a group.
 *           example: vip
 *         kind: { type: string, enum: [permission, membership, group] }
 *         value:
 *           type: string
 *           description: >-
 *             The permission or, for a membership, the name of the group. Empty if `kind` is
 *             `group`.
 *           example: kits.vip
 */
export const viewPermissionsOverview = ({ groups, servers, counts }: PermissionsOverview) => ({
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
 *           description: SteamID64s of the accounts that the caller has linked.
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
 *                 description: >-
 *                   The permission that was granted or, for a membership, the name of the group.
 *               title:
 *                 type: string
 *                 nullable: true
 *                 description: Title of the group. Null if the entry is a permission.
 *                 example: VIP
 *               via:
 *                 type: string
 *                 enum: [manual, event, store, system]
 *                 description: >-
 *                   Origin of the permission or membership. `manual`: an administrator granted the
 *                   permission or membership.
 *               state:
 *                 type: string
 *                 enum: [active, expiring, expired, revoked]
 *                 description: >-
 *                   State of the grant. `expiring` and `revoked`: the grant has ended, but a server
 *                   still has it.
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

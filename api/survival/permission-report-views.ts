import type { PlayerPermissionsExplanation } from "../../shared/survival/permissions/reports/player-permissions.ts";
import { viewGrant } from "./permission-views.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     PermissionsExplained:
 *       type: object
 *       additionalProperties: false
 *       required: [direct, groups, effective]
 *       properties:
 *         direct:
 *           type: array
 *           items: { $ref: '#/components/schemas/PermissionGrant' }
 *           description: >-
 *             Permissions that were granted to the player directly. Grants that have ended are
 *             included as long as a server still has them.
 *         groups:
 *           type: array
 *           items: { $ref: '#/components/schemas/PermissionGrant' }
 *           description: >-
 *             Group memberships of the player. Memberships that have ended are included as long as
 *             a server still has them.
 *         effective:
 *           type: array
 *           description: All permissions that the player has on at least one server.
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [node, via, servers]
 *             properties:
 *               node: { type: string, example: kits.vip, description: 'The permission, such as `kits.vip`.' }
 *               via:
 *                 type: array
 *                 description: >-
 *                   Where the permission comes from. `direct`: a grant to the player.
 *                   `group:vip>member`: the player's membership in the group `vip`, which inherits
 *                   the permission from the group `member`.
 *                 items: { type: string }
 *                 example: [group:vip>member]
 *               servers:
 *                 type: array
 *                 items:
 *                   type: object
 *                   additionalProperties: false
 *                   required: [id, live]
 *                   properties:
 *                     id: { type: integer, example: 3 }
 *                     live:
 *                       type: boolean
 *                       description: Whether the server has confirmed the permission.
 *     PermissionGrantPage:
 *       type: object
 *       additionalProperties: false
 *       required: [grants, total]
 *       properties:
 *         grants: { type: array, items: { $ref: '#/components/schemas/PermissionGrant' } }
 *         total: { type: integer, example: 61, description: Number of grants on all pages. }
 *     PermissionGroupDeleted:
 *       type: object
 *       additionalProperties: false
 *       required: [id, detached]
 *       properties:
 *         id: { type: integer, example: 4 }
 *         detached:
 *           type: integer
 *           description: Number of child groups that no longer have a parent.
 *           example: 1
 *     PermissionCatalog:
 *       type: object
 *       additionalProperties: false
 *       required: [permissions]
 *       properties:
 *         permissions:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [name, plugin, servers]
 *             properties:
 *               name: { type: string, example: kits.vip }
 *               plugin: { type: string, nullable: true, example: Kits }
 *               servers:
 *                 type: array
 *                 items: { type: integer }
 *                 example: [3]
 *                 description: Ids of the servers that reported the permission.
 *     PermissionsSynced:
 *       type: object
 *       additionalProperties: false
 *       required: [results]
 *       properties:
 *         results:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [serverId, state, ops]
 *             properties:
 *               serverId: { type: integer, example: 3 }
 *               state: { $ref: '#/components/schemas/PermissionSyncState' }
 *               ops: { type: integer, description: Number of steps that the sync takes., example: 2 }
 *               diff:
 *                 type: array
 *                 description: The steps of the sync. Present only with `dryRun`.
 *                 items:
 *                   type: object
 *                   additionalProperties: false
 *                   required: [op, subjectKind, subject, kind, value]
 *                   properties:
 *                     op:
 *                       type: string
 *                       enum: [grant, revoke, join, leave, group, remove]
 *                       description: >-
 *                         What the step does. `grant` and `revoke`: gives or takes a permission.
 *                         `join` and `leave`: begins or ends a membership. `group`: creates or
 *                         updates a group. `remove`: deletes a group.
 *                     subjectKind: { type: string, enum: [user, group] }
 *                     subject:
 *                       type: string
 *                       example: vip
 *                       description: >-
 *                         Player or group that the step changes: a SteamID64, or the name of a
 *                         group.
 *                     kind: { type: string, enum: [permission, membership, group] }
 *                     value:
 *                       type: string
 *                       example: kits.vip
 *                       description: >-
 *                         The permission or, for a membership, the name of the group. Empty if
 *                         `kind` is `group`.
 *     PermissionInventory:
 *       type: object
 *       additionalProperties: false
 *       required: [inventory, drift, inventoryAt]
 *       properties:
 *         inventory:
 *           type: object
 *           nullable: true
 *           description: Inventory that the server last reported. Null before the first report.
 *           additionalProperties: false
 *           required: [groups, permissions, users]
 *           properties:
 *             groups: { type: array, items: { $ref: '#/components/schemas/ToldGroup' } }
 *             permissions: { type: array, items: { $ref: '#/components/schemas/ToldPermission' } }
 *             users: { type: array, items: { $ref: '#/components/schemas/ToldUser' } }
 *         drift: { $ref: '#/components/schemas/PermissionDrift' }
 *         inventoryAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the server reported this inventory. Null before the first report.
 */
export const viewPlayerPermissions = ({
  direct,
  groups,
  effective,
}: PlayerPermissionsExplanation) => ({
  direct: direct.map(viewGrant),
  groups: groups.map(viewGrant),
  effective,
});

import type { Explained } from "../../shared/survival/permissions/reports/explain.ts";
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
 *         direct: { type: array, items: { $ref: '#/components/schemas/PermissionGrant' } }
 *         groups: { type: array, items: { $ref: '#/components/schemas/PermissionGrant' } }
 *         effective:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [node, via, servers]
 *             properties:
 *               node: { type: string, example: kits.vip }
 *               via:
 *                 type: array
 *                 description: "`direct`, or the groups on the way up to where it is written."
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
 *                     live: { type: boolean, description: It is there by what was pushed. }
 *     PermissionGrantPage:
 *       type: object
 *       additionalProperties: false
 *       required: [grants, total]
 *       properties:
 *         grants: { type: array, items: { $ref: '#/components/schemas/PermissionGrant' } }
 *         total: { type: integer, example: 61 }
 *     PermissionGroupDeleted:
 *       type: object
 *       additionalProperties: false
 *       required: [id, detached]
 *       properties:
 *         id: { type: integer, example: 4 }
 *         detached: { type: integer, description: How many groups stood below it., example: 1 }
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
 *               servers: { type: array, items: { type: integer }, example: [3] }
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
 *               ops: { type: integer, description: Steps of the push., example: 2 }
 *               diff:
 *                 type: array
 *                 description: The steps; of a dry run alone.
 *                 items:
 *                   type: object
 *                   additionalProperties: false
 *                   required: [op, subjectKind, subject, kind, value]
 *                   properties:
 *                     op: { type: string, enum: [grant, revoke, join, leave, group, remove] }
 *                     subjectKind: { type: string, enum: [user, group] }
 *                     subject: { type: string, example: vip }
 *                     kind: { type: string, enum: [permission, membership, group] }
 *                     value: { type: string, example: kits.vip }
 *     PermissionInventory:
 *       type: object
 *       additionalProperties: false
 *       required: [inventory, drift, inventoryAt]
 *       properties:
 *         inventory:
 *           type: object
 *           nullable: true
 *           additionalProperties: false
 *           required: [groups, permissions, users]
 *           properties:
 *             groups: { type: array, items: { $ref: '#/components/schemas/ToldGroup' } }
 *             permissions: { type: array, items: { $ref: '#/components/schemas/ToldPermission' } }
 *             users: { type: array, items: { $ref: '#/components/schemas/ToldUser' } }
 *         drift: { $ref: '#/components/schemas/PermissionDrift' }
 *         inventoryAt: { type: string, format: date-time, nullable: true }
 */
export const viewExplained = ({ direct, groups, effective }: Explained) => ({
  direct: direct.map(viewGrant),
  groups: groups.map(viewGrant),
  effective,
});

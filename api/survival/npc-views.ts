import type { SurvivalNpcRevision } from "../../models/survival/survival-npc-revision.ts";
import { placementRevision } from "../../shared/survival/npcs/placements/placement-fields.ts";
import type { PlacementRecord } from "../../shared/survival/npcs/placements/read-placements.ts";
import { type NpcServer, reachOf } from "../../shared/survival/npcs/push/push-states.ts";
import type { ProfileRecord } from "../../shared/survival/npcs/read-profiles.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     NpcProfile:
 *       type: object
 *       description: The fields of `NpcDocument`, and how it stands.
 *       required: [id, key, displayName, names, faction, health, kit, kits, wearItems, beltItems, behaviour,
 *         death, boss, healthSteps, ranked, revision, state, updatedAt, updatedBy, push]
 *       properties:
 *         id: { type: integer }
 *         key: { type: string, example: forest-boss }
 *         displayName: { type: string, example: Forest boss }
 *         names: { type: array, items: { type: string } }
 *         faction: { type: string, nullable: true, example: bandits }
 *         health: { type: number, example: 1500 }
 *         kit: { type: string, nullable: true, example: boss-kit }
 *         kits: { type: array, items: { type: string } }
 *         wearItems:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [shortName, skinId]
 *             properties:
 *               shortName: { type: string, example: hazmatsuit }
 *               skinId: { type: string, example: '0' }
 *         beltItems:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [shortName, amount, skinId, mods, ammo]
 *             properties:
 *               shortName: { type: string, example: rifle.ak }
 *               amount: { type: integer, example: 1 }
 *               skinId: { type: string, example: '0' }
 *               mods: { type: array, items: { type: string } }
 *               ammo: { type: string, nullable: true, example: ammo.rifle }
 *         behaviour: { type: object, additionalProperties: { type: boolean } }
 *         death: { $ref: '#/components/schemas/NpcDeath' }
 *         boss: { type: boolean }
 *         healthSteps: { type: array, items: { type: integer }, example: [75, 50, 25, 10] }
 *         ranked: { type: boolean }
 *         revision: { type: integer, example: 4 }
 *         state: { type: string, enum: [current] }
 *         updatedAt: { type: string, format: date-time }
 *         updatedBy: { type: string, nullable: true, example: robin }
 *         push: { type: array, items: { $ref: '#/components/schemas/NpcProfileReach' } }
 *     NpcReach: { type: string, enum: [pushed, pending, failed, offline, unsupported] }
 *     NpcProfileReach:
 *       type: object
 *       additionalProperties: false
 *       required: [serverId, state, revision, at, error]
 *       properties:
 *         serverId: { type: integer, example: 3 }
 *         state: { $ref: '#/components/schemas/NpcReach' }
 *         revision: { type: integer, nullable: true, description: The one that stands there., example: 4 }
 *         at: { type: string, format: date-time, nullable: true, description: When it was tried last. }
 *         error: { type: string, nullable: true, example: the key is malformed }
 */
export const viewNpcProfile = ({ profile, servers, pushes }: ProfileRecord) => ({
  id: profile.id,
  key: profile.key,
  ...profile.document,
  revision: profile.revision,
  state: "current",
  updatedAt: profile.updatedAt,
  updatedBy: profile.changedBy?.username ?? null,
  push: reachOf(profile, servers, pushes),
});

/**
 * @openapi
 * components:
 *   schemas:
 *     NpcRevision:
 *       type: object
 *       additionalProperties: false
 *       required: [revision, state, origin, serverId, document, updatedAt, updatedBy, replacedAt]
 *       properties:
 *         revision: { type: integer, example: 3 }
 *         state: { type: string, enum: [replaced] }
 *         origin:
 *           type: string
 *           enum: [site, server]
 *           description: Of `server` it stood on a game server, and a push of the site took its place.
 *         serverId: { type: integer, nullable: true, example: 3 }
 *         document: { type: object, description: 'As it was, with what the site does not know.' }
 *         updatedAt: { type: string, format: date-time, nullable: true }
 *         updatedBy: { type: string, nullable: true, example: robin }
 *         replacedAt: { type: string, format: date-time }
 */
export const viewNpcRevision = (revision: SurvivalNpcRevision) => ({
  revision: revision.revision,
  state: "replaced",
  origin: revision.origin,
  serverId: revision.serverId,
  document: revision.document,
  updatedAt: revision.updatedAt,
  updatedBy: revision.changedBy?.username ?? null,
  replacedAt: revision.replacedAt,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     NpcServer:
 *       type: object
 *       additionalProperties: false
 *       required: [id, npcApi, supported, dirty, state]
 *       properties:
 *         id: { type: integer, example: 3 }
 *         npcApi: { type: integer, nullable: true, example: 4 }
 *         supported: { type: boolean, description: Whether its NPC plugin is there and new enough. }
 *         dirty: { type: boolean, description: Whether it lacks something that the site decided. }
 *         state: { $ref: '#/components/schemas/NpcReach' }
 */
export const viewNpcServer = ({ serverId, npcApi, supported, dirty, state }: NpcServer) => ({
  id: serverId,
  npcApi,
  supported,
  dirty,
  state,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     NpcPlacement:
 *       type: object
 *       additionalProperties: false
 *       required: [id, serverId, profileKey, name, anchor, monument, x, y, z, rotation, count, radius,
 *         respawnSec, enabled, onWipe, live, revision, createdAt, updatedAt, updatedBy]
 *       properties:
 *         id: { type: integer }
 *         serverId: { type: integer, example: 3 }
 *         profileKey: { type: string, example: forest-boss }
 *         name: { type: string, example: Dome boss }
 *         anchor: { type: string, enum: [world, monument] }
 *         monument: { type: string, nullable: true, example: dome_monument_name }
 *         x: { type: number, example: 120.5 }
 *         y: { type: number, example: 34 }
 *         z: { type: number, example: -410 }
 *         rotation: { type: number, example: 90 }
 *         count: { type: integer, example: 3 }
 *         radius: { type: number, example: 12 }
 *         respawnSec: { type: integer, nullable: true, example: 300 }
 *         enabled: { type: boolean, description: False also where the world went that it was made for. }
 *         onWipe: { type: string, enum: [keep, drop] }
 *         live: { $ref: '#/components/schemas/NpcPlacementLife' }
 *         revision: { $ref: '#/components/schemas/Revision' }
 *         createdAt: { type: string, format: date-time }
 *         updatedAt: { type: string, format: date-time }
 *         updatedBy: { type: string, nullable: true, example: robin }
 *     NpcPlacementLife:
 *       type: object
 *       additionalProperties: false
 *       required: [spawned, alive, expected, lastSpawnAt, lastDeathAt, problem]
 *       properties:
 *         spawned: { type: boolean }
 *         alive: { type: integer, nullable: true, description: Null while the game tells nothing., example: 2 }
 *         expected: { type: integer, nullable: true, example: 3 }
 *         lastSpawnAt: { type: string, format: date-time, nullable: true }
 *         lastDeathAt: { type: string, format: date-time, nullable: true }
 *         problem:
 *           type: string
 *           nullable: true
 *           description: 'Why none stand there: `map changed`, `profile deleted`, or the game says why.'
 *           example: map changed
 */
export const viewPlacement = ({ placement, enabled, life, problem }: PlacementRecord) => ({
  id: placement.id,
  serverId: placement.serverId,
  profileKey: placement.profileKey,
  name: placement.name,
  anchor: placement.anchor,
  monument: placement.monument,
  x: placement.x,
  y: placement.y,
  z: placement.z,
  rotation: placement.rotation,
  count: placement.count,
  radius: placement.radius,
  respawnSec: placement.respawnSec,
  enabled,
  onWipe: placement.onWipe,
  live: {
    spawned: life?.spawned ?? false,
    alive: life?.alive ?? null,
    expected: life?.expected ?? null,
    lastSpawnAt: dateOf(life?.lastSpawnAt),
    lastDeathAt: dateOf(life?.lastDeathAt),
    problem,
  },
  revision: placementRevision(placement),
  createdAt: placement.createdAt,
  updatedAt: placement.updatedAt,
  updatedBy: placement.changedBy?.username ?? null,
});

const dateOf = (ms: number | null | undefined): Date | null =>
  ms === null || ms === undefined ? null : new Date(ms);

import type { SurvivalNpcRevision } from "../../models/survival/npcs/survival-npc-revision.ts";
import { placementRevision } from "../../shared/survival/npcs/placement-fields.ts";
import type { PlacementRecord } from "../../shared/survival/npcs/read-placements.ts";
import type { ProfileRecord } from "../../shared/survival/npcs/read-profiles.ts";
import {
  type NpcServer,
  computeSyncProgress,
} from "../../shared/survival/npcs/sync/sync-states.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     NpcProfile:
 *       type: object
 *       description: >-
 *         An NPC profile with its sync state. The object also contains all other fields that can be
 *         set when a profile is created, such as `damageScale`.
 *       required: [id, key, displayName, names, faction, health, kit, kits, wearItems, beltItems, behaviour,
 *         death, boss, healthSteps, ranked, revision, state, updatedAt, updatedBy, push]
 *       properties:
 *         id: { type: integer }
 *         key:
 *           type: string
 *           example: forest-boss
 *           description: Key that identifies the profile on the game servers.
 *         displayName: { type: string, example: Forest boss }
 *         names:
 *           type: array
 *           items: { type: string }
 *           description: Names of NPCs. Each NPC receives one of these names at random.
 *         faction: { type: string, nullable: true, example: bandits }
 *         health: { type: number, example: 1500 }
 *         kit: { type: string, nullable: true, example: boss-kit }
 *         kits:
 *           type: array
 *           items: { type: string }
 *           description: Names of kits. Each NPC receives one of these kits at random.
 *         wearItems:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [shortName, skinId]
 *             properties:
 *               shortName: { type: string, example: hazmatsuit }
 *               skinId: { type: string, example: '0', description: Id of the item's skin. `0` for no skin. }
 *         beltItems:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [shortName, amount, skinId, mods, ammo]
 *             properties:
 *               shortName: { type: string, example: rifle.ak }
 *               amount: { type: integer, example: 1 }
 *               skinId: { type: string, example: '0', description: Id of the item's skin. `0` for no skin. }
 *               mods: { type: array, items: { type: string } }
 *               ammo: { type: string, nullable: true, example: ammo.rifle }
 *         behaviour: { type: object, additionalProperties: { type: boolean } }
 *         death: { $ref: '#/components/schemas/NpcDeath' }
 *         boss:
 *           type: boolean
 *           description: >-
 *             Whether the NPC is a boss: players see it on the map and receive push messages about
 *             its death.
 *         healthSteps:
 *           type: array
 *           items: { type: integer }
 *           example: [75, 50, 25, 10]
 *           description: >-
 *             Thresholds in percent of full health. When the health of the NPC falls below a
 *             threshold, the event trigger `survival.npc.health` fires.
 *         ranked: { type: boolean, description: Whether kills of these NPCs count in the public ranking. }
 *         revision:
 *           type: integer
 *           example: 4
 *           description: >-
 *             Number of the current revision. Send this number as `revision` with each change.
 *         state: { type: string, enum: [current] }
 *         updatedAt: { type: string, format: date-time }
 *         updatedBy: { type: string, nullable: true, example: robin }
 *         push:
 *           type: array
 *           items: { $ref: '#/components/schemas/NpcProfileReach' }
 *           description: State of the sync of this profile, for each enabled server.
 *     NpcReach:
 *       type: string
 *       enum: [pushed, pending, failed, offline, unsupported]
 *       description: >-
 *         State of a sync to a server. `pushed`: the server has all data. `pending`: a sync is due.
 *         `failed`: the last sync failed and will be retried. `offline`: the server cannot be
 *         reached or is disabled. `unsupported`: the server's NPC plugin is missing or its
 *         interface is older than version 4.
 *     NpcProfileReach:
 *       type: object
 *       additionalProperties: false
 *       required: [serverId, state, revision, at, error]
 *       properties:
 *         serverId: { type: integer, example: 3 }
 *         state: { $ref: '#/components/schemas/NpcReach' }
 *         revision:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Number of the revision that was last sent successfully. Null if the last sync failed,
 *             or if the profile was never sent.
 *           example: 4
 *         at:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             When the profile was last sent to the server. Null if the profile was never sent.
 *         error:
 *           type: string
 *           nullable: true
 *           example: the key is malformed
 *           description: Why the last sync failed. Null unless the state is `failed`.
 */
export const viewNpcProfile = ({ profile, servers, pushes }: ProfileRecord) => ({
  id: profile.id,
  key: profile.key,
  ...profile.document,
  revision: profile.revision,
  state: "current",
  updatedAt: profile.updatedAt,
  updatedBy: profile.changedBy?.username ?? null,
  push: computeSyncProgress(profile, servers, pushes),
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
 *           description: >-
 *             Origin of the revision. `site`: the revision was created on the site. `server`: the
 *             revision was found on a game server, where a sync replaced it.
 *         serverId:
 *           type: integer
 *           nullable: true
 *           example: 3
 *           description: >-
 *             Id of the game server on which the revision was found. Null for the origin `site`.
 *         document:
 *           type: object
 *           description: >-
 *             The profile as it was in this revision, including fields that the site does not know.
 *         updatedAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the revision was created. Null for the origin `server`.
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
 *         npcApi:
 *           type: integer
 *           nullable: true
 *           example: 4
 *           description: >-
 *             Version of the interface of the NPC plugin. Null if the server has no NPC plugin.
 *         supported:
 *           type: boolean
 *           description: >-
 *             Whether the server has the NPC plugin, with an interface of version 4 or later.
 *         dirty: { type: boolean, description: Whether a sync of NPC data to the server is due. }
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
 *         name:
 *           type: string
 *           example: Dome boss
 *           description: Name that identifies the placement on the game server.
 *         anchor:
 *           type: string
 *           enum: [world, monument]
 *           description: >-
 *             Origin of the coordinates: the center of the map (`world`), or the monument
 *             (`monument`).
 *         monument:
 *           type: string
 *           nullable: true
 *           example: dome_monument_name
 *           description: Label of the monument. Null if the anchor is `world`.
 *         x: { type: number, example: 120.5, description: 'Distance from the origin to the east, in meters.' }
 *         y: { type: number, example: 34, description: 'Height above the origin, in meters.' }
 *         z: { type: number, example: -410, description: 'Distance from the origin to the north, in meters.' }
 *         rotation: { type: number, example: 90, description: Rotation of the placement in degrees. }
 *         count: { type: integer, example: 3, description: Number of NPCs that spawn at the placement. }
 *         radius: { type: number, example: 12, description: Radius in meters within which the NPCs spawn. }
 *         respawnSec:
 *           type: integer
 *           nullable: true
 *           example: 300
 *           description: >-
 *             Number of seconds until killed NPCs respawn. Null if killed NPCs never respawn.
 *         enabled:
 *           type: boolean
 *           description: >-
 *             Whether the placement is in use. False if the placement is disabled, or if the
 *             placement was created for an earlier world.
 *         onWipe:
 *           type: string
 *           enum: [keep, drop]
 *           description: >-
 *             Whether the placement is still valid in the new world after a wipe (`keep`) or not
 *             (`drop`).
 *         live: { $ref: '#/components/schemas/NpcPlacementLife' }
 *         revision: { $ref: '#/components/schemas/Revision' }
 *         createdAt: { type: string, format: date-time }
 *         updatedAt: { type: string, format: date-time }
 *         updatedBy: { type: string, nullable: true, example: robin }
 *     NpcPlacementLife:
 *       type: object
 *       description: State of an NPC placement, as the game reports it.
 *       additionalProperties: false
 *       required: [spawned, alive, expected, lastSpawnAt, lastDeathAt, problem]
 *       properties:
 *         spawned: { type: boolean, description: Whether the game has spawned the NPCs of the placement. }
 *         alive:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Number of NPCs that are alive. Null while the game does not report the number.
 *           example: 2
 *         expected:
 *           type: integer
 *           nullable: true
 *           example: 3
 *           description: >-
 *             Number of NPCs that the placement has when all are alive. Null while the game does
 *             not report the number.
 *         lastSpawnAt: { type: string, format: date-time, nullable: true }
 *         lastDeathAt: { type: string, format: date-time, nullable: true }
 *         problem:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Why the NPCs of the placement are not in the game. `map changed`: the placement was
 *             created for an earlier world. `profile deleted`: the profile of the placement no
 *             longer exists. Any other value is a text from the game. Null if there is no problem.
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

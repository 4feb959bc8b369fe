import type { SurvivalZoneLease } from "../../models/survival/survival-zone-lease.ts";
import { zoneIdOf } from "../../shared/survival/zones/leases.ts";
import { presetRevision } from "../../shared/survival/zones/presets.ts";
import type { PresetRecord } from "../../shared/survival/zones/read-zones.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     SurvivalZones:
 *       type: object
 *       additionalProperties: false
 *       required: [presets, flags, open]
 *       properties:
 *         presets: { type: array, items: { $ref: '#/components/schemas/ZonePreset' } }
 *         flags:
 *           type: array
 *           description: Flags that a preset can have.
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [name, group, destructive]
 *             properties:
 *               name:
 *                 type: string
 *                 example: NoBuild
 *                 description: Name of the flag, as the zone mod uses it.
 *               group:
 *                 type: string
 *                 example: building
 *                 description: Group to which the flag belongs, for display.
 *               destructive:
 *                 type: boolean
 *                 description: >-
 *                   Whether the flag is destructive: its effect cannot be undone. A preset with
 *                   such a flag requires `confirmDestructive`.
 *         open:
 *           type: array
 *           description: >
 *             Zones in the states `opening`, `open` and `closing` on all servers, newest first.
 *           items: { $ref: '#/components/schemas/ZoneLease' }
 *     ZonePreset:
 *       type: object
 *       additionalProperties: false
 *       required: [id, key, name, shape, rotation, flags, radiation, comfort, temperature, safeZone,
 *         enterMessage, leaveMessage, permission, ejectSpawns, ruleset, dome, maxDurationSec, color,
 *         servers, revision, createdAt, updatedAt, updatedBy]
 *       properties:
 *         id: { type: integer, example: 4 }
 *         key:
 *           type: string
 *           example: boss-arena
 *           description: Unique name of the preset, with which zones are opened.
 *         name: { type: string, example: Boss arena }
 *         shape:
 *           oneOf:
 *             - type: object
 *               additionalProperties: false
 *               required: [kind, radius]
 *               properties:
 *                 kind: { type: string, enum: [sphere] }
 *                 radius: { type: number, example: 75, description: Radius of the sphere in meters. }
 *             - type: object
 *               additionalProperties: false
 *               required: [kind, x, y, z]
 *               properties:
 *                 kind: { type: string, enum: [box] }
 *                 x: { type: number, description: Length of the box along x in meters. }
 *                 y: { type: number, description: Height of the box in meters. }
 *                 z: { type: number, description: Length of the box along z in meters. }
 *         rotation: { type: number, description: Rotation of the zone in degrees., example: 0 }
 *         flags: { type: array, items: { type: string }, example: [NoBuild, PveGod] }
 *         radiation: { type: number }
 *         comfort: { type: number }
 *         temperature: { type: number }
 *         safeZone: { type: boolean, description: Whether the zone is a safe zone of the game. }
 *         enterMessage: { type: string, nullable: true, example: You enter the arena. }
 *         leaveMessage: { type: string, nullable: true, example: You leave the arena. }
 *         permission:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Permission that players need to enter the zone, without the prefix `zonemanager.`.
 *             Null if everyone may enter.
 *           example: arena
 *         ejectSpawns:
 *           type: string
 *           nullable: true
 *           example: arena-exits
 *           description: >-
 *             Name of a spawn file. Players who are ejected from the zone are moved to a spawn
 *             point of this file. Null for none.
 *         ruleset:
 *           type: string
 *           nullable: true
 *           example: arena-pvp
 *           description: >-
 *             Name of the ruleset of the server's PvE mod that applies in the zone. Null for none.
 *         dome:
 *           type: object
 *           nullable: true
 *           description: Visible dome over the zone. Null for no dome.
 *           additionalProperties: false
 *           required: [enabled, darkness]
 *           properties:
 *             enabled: { type: boolean }
 *             darkness: { type: integer, minimum: 0, maximum: 10 }
 *         maxDurationSec:
 *           type: integer
 *           example: 3600
 *           description: Maximum time in seconds that a zone from this preset may stay open.
 *         color:
 *           type: string
 *           nullable: true
 *           description: Color of the zone on the maps of the site. Null for the default color.
 *           example: '#c0392b'
 *         servers:
 *           description: >-
 *             Servers on which zones may be opened from the preset: `all`, or a list of server ids.
 *           oneOf:
 *             - { type: string, enum: [all] }
 *             - { type: array, items: { type: integer } }
 *         revision: { $ref: '#/components/schemas/Revision' }
 *         createdAt: { type: string, format: date-time }
 *         updatedAt: { type: string, format: date-time }
 *         updatedBy: { type: string, nullable: true, example: robin }
 */
export const viewPreset = ({ preset, updatedBy }: PresetRecord) => {
  const { id, key, name, document, maxDurationSec, color, serverIds } = preset;
  const { createdAt, updatedAt } = preset;
  const servers = serverIds ?? "all";
  const revision = presetRevision(preset);
  const times = { revision, createdAt, updatedAt, updatedBy };
  return { id, key, name, ...document, maxDurationSec, color, servers, ...times };
};

/**
 * @openapi
 * components:
 *   schemas:
 *     ZonePlace:
 *       description: >-
 *         Center of the zone: a point of the world in meters, or the label of a monument.
 *       oneOf:
 *         - type: object
 *           additionalProperties: false
 *           required: [x, y, z]
 *           properties:
 *             x: { type: number, example: 120.5 }
 *             y: { type: number, example: 0 }
 *             z: { type: number, example: -340 }
 *         - type: string
 *           example: launchsite
 *     ZoneLease:
 *       type: object
 *       description: A zone that was opened on a server for a limited time.
 *       additionalProperties: false
 *       required: [leaseId, serverId, presetKey, zoneId, at, state, openedAt, leaseUntil, endedAt,
 *         reason, runId, stepId]
 *       properties:
 *         leaseId: { type: string, format: uuid }
 *         serverId: { type: integer, example: 3 }
 *         presetKey: { type: string, example: boss-arena }
 *         zoneId:
 *           type: string
 *           description: Id of the zone in the game.
 *           example: site-0b7c1f5e-6d0a-4c3e-9a51-2f8f6f3f7d10
 *         at: { $ref: '#/components/schemas/ZonePlace' }
 *         state:
 *           type: string
 *           enum: [opening, open, closing, closed, expired, failed]
 *           description: >-
 *             State of the zone. `opening` and `closing`: the service waits for the game's
 *             response. `open`: the zone is open. `closed`: the site closed the zone. `expired`:
 *             the game ended the zone. `failed`: as far as the service knows, the zone was never
 *             opened.
 *         openedAt: { type: string, format: date-time, description: When the site asked the game to open the zone. }
 *         leaseUntil:
 *           type: string
 *           format: date-time
 *           description: Time at which the service closes the zone.
 *         endedAt: { type: string, format: date-time, nullable: true }
 *         reason:
 *           type: string
 *           nullable: true
 *           example: timeout
 *           description: >-
 *             Why the zone is ending or has ended, such as `closed` (a person closed it), `ended`
 *             (its time was over) or `timeout` (the game ended it). Null while the zone is open.
 *         runId:
 *           type: integer
 *           nullable: true
 *           example: 12
 *           description: >-
 *             Id of the event run that opened the zone. Null if a person opened the zone.
 *         stepId:
 *           type: integer
 *           nullable: true
 *           example: 118
 *           description: Id of the step of this run. Null if a person opened the zone.
 */
export const viewLease = (lease: SurvivalZoneLease) => {
  const { leaseId, serverId, presetKey, at, state, openedAt, leaseUntil } = lease;
  const { endedAt, reason, runId, stepId } = lease;
  return {
    leaseId,
    serverId,
    presetKey,
    zoneId: zoneIdOf(leaseId),
    at: "monument" in at ? at.monument : at,
    state,
    openedAt,
    leaseUntil,
    endedAt,
    reason,
    runId,
    stepId,
  };
};

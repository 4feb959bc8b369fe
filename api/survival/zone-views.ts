import type { SurvivalZoneLease } from "../../models/survival/survival-zone-lease.ts";
import type { ReadPreset } from "../../shared/survival/zone-presets/read-zones.ts";
import { presetRevision } from "../../shared/survival/zones/preset-revision.ts";
import { zoneIdOf } from "../../shared/survival/zones/send-opening.ts";

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
 *           description: What a preset may name.
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [name, group, destructive]
 *             properties:
 *               name: { type: string, example: NoBuild }
 *               group: { type: string, example: building }
 *               destructive:
 *                 type: boolean
 *                 description: It does what cannot be undone, so a preset with it has to be confirmed.
 *         open:
 *           type: array
 *           description: Zones that are open or may be, on all servers, the latest first.
 *           items: { $ref: '#/components/schemas/ZoneLease' }
 *     ZonePreset:
 *       type: object
 *       additionalProperties: false
 *       required: [id, key, name, shape, rotation, flags, radiation, comfort, temperature, safeZone,
 *         enterMessage, leaveMessage, permission, ejectSpawns, ruleset, dome, maxDurationSec, color,
 *         servers, revision, createdAt, updatedAt, updatedBy]
 *       properties:
 *         id: { type: integer, example: 4 }
 *         key: { type: string, example: boss-arena }
 *         name: { type: string, example: Boss arena }
 *         shape:
 *           oneOf:
 *             - type: object
 *               additionalProperties: false
 *               required: [kind, radius]
 *               properties:
 *                 kind: { type: string, enum: [sphere] }
 *                 radius: { type: number, example: 75 }
 *             - type: object
 *               additionalProperties: false
 *               required: [kind, x, y, z]
 *               properties:
 *                 kind: { type: string, enum: [box] }
 *                 x: { type: number }
 *                 y: { type: number }
 *                 z: { type: number }
 *         rotation: { type: number, description: Degrees., example: 0 }
 *         flags: { type: array, items: { type: string }, example: [NoBuild, PveGod] }
 *         radiation: { type: number }
 *         comfort: { type: number }
 *         temperature: { type: number }
 *         safeZone: { type: boolean }
 *         enterMessage: { type: string, nullable: true, example: You enter the arena. }
 *         leaveMessage: { type: string, nullable: true, example: You leave the arena. }
 *         permission:
 *           type: string
 *           nullable: true
 *           description: Who holds it is let in; without the prefix of the zone mod.
 *           example: arena
 *         ejectSpawns: { type: string, nullable: true, example: arena-exits }
 *         ruleset: { type: string, nullable: true, example: arena-pvp }
 *         dome:
 *           type: object
 *           nullable: true
 *           additionalProperties: false
 *           required: [enabled, darkness]
 *           properties:
 *             enabled: { type: boolean }
 *             darkness: { type: integer, minimum: 0, maximum: 10 }
 *         maxDurationSec: { type: integer, example: 3600 }
 *         color: { type: string, nullable: true, description: On the site's map., example: '#c0392b' }
 *         servers:
 *           oneOf:
 *             - { type: string, enum: [all] }
 *             - { type: array, items: { type: integer } }
 *         revision: { $ref: '#/components/schemas/Revision' }
 *         createdAt: { type: string, format: date-time }
 *         updatedAt: { type: string, format: date-time }
 *         updatedBy: { type: string, nullable: true, example: robin }
 */
export const viewPreset = ({ preset, updatedBy }: ReadPreset) => {
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
 *       description: A point of the world, or the label of its one monument of that label.
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
 *       additionalProperties: false
 *       required: [leaseId, serverId, presetKey, zoneId, at, state, openedAt, leaseUntil, endedAt,
 *         reason, runId, stepId]
 *       properties:
 *         leaseId: { type: string, format: uuid }
 *         serverId: { type: integer, example: 3 }
 *         presetKey: { type: string, example: boss-arena }
 *         zoneId:
 *           type: string
 *           description: What the game knows the zone by.
 *           example: site-0b7c1f5e-6d0a-4c3e-9a51-2f8f6f3f7d10
 *         at: { $ref: '#/components/schemas/ZonePlace' }
 *         state:
 *           type: string
 *           enum: [opening, open, closing, closed, expired, failed]
 *           description: >
 *             `opening` and `closing` until the game has answered; `expired` where the game ended it by
 *             itself.
 *         openedAt: { type: string, format: date-time }
 *         leaseUntil: { type: string, format: date-time, description: It is closed then. }
 *         endedAt: { type: string, format: date-time, nullable: true }
 *         reason: { type: string, nullable: true, example: timeout }
 *         runId: { type: integer, nullable: true, example: 12 }
 *         stepId: { type: integer, nullable: true, example: 118 }
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

import type { SurvivalEvent } from "../../models/survival/survival-event.ts";
import { ladder } from "../../shared/auth/caller/roles.ts";
import { declaredPayload } from "../../shared/survival/kinds/declared-payload.ts";
import type { VisibilityConfig } from "../../shared/survival/visibility/change-visibility.ts";
import { survivalDefaults } from "../../shared/survival/visibility/visibility.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     SurvivalServerEvents:
 *       type: object
 *       additionalProperties: false
 *       required: [events]
 *       properties:
 *         events: { type: array, items: { $ref: '#/components/schemas/SurvivalStoredEvent' } }
 *         next: { type: integer, description: What `before` takes for more; absent at the end. }
 */
export const viewServerEvents = (found: readonly SurvivalEvent[], limit: number) => {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    events: page.map(viewServerEvent),
    ...(found.length > limit && last && { next: last.id }),
  };
};

export const viewServerEvent = ({
  id,
  kind,
  t,
  bootId,
  saveId,
  payload,
  createdAt,
  hiddenAt,
}: SurvivalEvent) => ({
  id,
  kind,
  t,
  bootId,
  saveId,
  payload: declaredPayload(kind, payload),
  createdAt,
  hiddenAt,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     SurvivalVisibilityConfig:
 *       type: object
 *       additionalProperties: false
 *       required: [presence, roster, profiles, liveMap, layers, monuments, defaults, ladder, revision, updatedAt,
 *         updatedBy]
 *       properties:
 *         presence: { $ref: '#/components/schemas/Rung' }
 *         roster: { $ref: '#/components/schemas/Rung' }
 *         profiles: { $ref: '#/components/schemas/Rung' }
 *         liveMap: { $ref: '#/components/schemas/LiveMapVisibility' }
 *         layers: { $ref: '#/components/schemas/LayerVisibility' }
 *         monuments:
 *           type: array
 *           description: Each label that a map has.
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [label, name, shown, servers]
 *             properties:
 *               label: { type: string, example: launchsite }
 *               name: { type: string, nullable: true, example: Launch Site }
 *               shown: { type: boolean }
 *               servers: { type: array, items: { type: integer } }
 *         defaults:
 *           type: object
 *           additionalProperties: false
 *           required: [presence, roster, profiles, liveMap, layers]
 *           properties:
 *             presence: { $ref: '#/components/schemas/Rung' }
 *             roster: { $ref: '#/components/schemas/Rung' }
 *             profiles: { $ref: '#/components/schemas/Rung' }
 *             liveMap: { $ref: '#/components/schemas/LiveMapVisibility' }
 *             layers: { $ref: '#/components/schemas/LayerVisibility' }
 *         ladder: { type: array, items: { $ref: '#/components/schemas/Rung' } }
 *         revision: { $ref: '#/components/schemas/Revision' }
 *         updatedAt: { type: string, format: date-time, nullable: true }
 *         updatedBy: { type: string, nullable: true }
 *     LiveMapVisibility:
 *       type: object
 *       additionalProperties: false
 *       required: [card, audience]
 *       properties:
 *         card: { type: boolean, description: 'Off, live positions are for staff alone.' }
 *         audience: { $ref: '#/components/schemas/Rung' }
 *     LayerVisibility:
 *       type: object
 *       additionalProperties: false
 *       required: [world, events, players, bases]
 *       properties:
 *         world: { $ref: '#/components/schemas/Rung' }
 *         events: { $ref: '#/components/schemas/Rung' }
 *         players: { $ref: '#/components/schemas/Rung' }
 *         bases: { $ref: '#/components/schemas/Rung' }
 */
export const viewVisibility = ({
  visibility,
  monuments,
  revision,
  updatedAt,
  updatedBy,
}: VisibilityConfig) => ({
  ...visibility,
  monuments,
  defaults: survivalDefaults,
  ladder,
  revision,
  updatedAt,
  updatedBy,
});

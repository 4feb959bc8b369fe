import type { SurvivalEvent } from "../../models/survival/survival-event.ts";
import { audienceLadder } from "../../shared/platform/access/roles.ts";
import { removeUndeclaredFields } from "../../shared/survival/kinds/stored-payload.ts";
import type { VisibilityConfig } from "../../shared/survival/visibility/change-visibility.ts";
import { defaultSurvivalVisibility } from "../../shared/survival/visibility/visibility.ts";

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
 *         next:
 *           type: integer
 *           description: 'Cursor for the next page: send it as `before`. Absent on the last page.'
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
  payload: removeUndeclaredFields(kind, payload),
  createdAt,
  hiddenAt,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     SurvivalVisibilityConfig:
 *       type: object
 *       description: >-
 *         Audiences for the data of survival servers. Each value is the lowest audience that may
 *         see the data. `presence`: who is on a server. `roster`: the members of clans. `profiles`:
 *         the pages of players and the rankings of NPC profiles.
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
 *           description: >-
 *             Labels of all monuments that are on the map of a server now. Hidden labels are
 *             included even if no map has such a monument any more.
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [label, name, shown, servers]
 *             properties:
 *               label: { type: string, example: launchsite }
 *               name: { type: string, nullable: true, example: Launch Site }
 *               shown: { type: boolean, description: Whether maps show monuments with this label. }
 *               servers:
 *                 type: array
 *                 items: { type: integer }
 *                 description: Ids of the servers whose map has a monument with this label.
 *         defaults:
 *           type: object
 *           description: Default values, which apply unless other values are set.
 *           additionalProperties: false
 *           required: [presence, roster, profiles, liveMap, layers]
 *           properties:
 *             presence: { $ref: '#/components/schemas/Rung' }
 *             roster: { $ref: '#/components/schemas/Rung' }
 *             profiles: { $ref: '#/components/schemas/Rung' }
 *             liveMap: { $ref: '#/components/schemas/LiveMapVisibility' }
 *             layers: { $ref: '#/components/schemas/LayerVisibility' }
 *         ladder:
 *           type: array
 *           items: { $ref: '#/components/schemas/Rung' }
 *           description: All audiences, lowest first.
 *         revision: { $ref: '#/components/schemas/Revision' }
 *         updatedAt: { type: string, format: date-time, nullable: true }
 *         updatedBy:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Username of the administrator who made the last change. Null if nothing was changed
 *             yet, or if the account was deleted.
 *     LiveMapVisibility:
 *       type: object
 *       description: Who can see live positions on the map.
 *       additionalProperties: false
 *       required: [card, audience]
 *       properties:
 *         card:
 *           type: boolean
 *           description: >-
 *             Whether callers below the audience `staff` can use the live map. If false, these
 *             callers receive 404.
 *         audience: { $ref: '#/components/schemas/Rung' }
 *     LayerVisibility:
 *       type: object
 *       description: >-
 *         Audience of each layer of the map. `world`: monuments. `events`: moving game events, open
 *         zones and living bosses. `players`: positions of players. `bases`: positions of bases.
 *         The audience of `players` and `bases` is never below `staff`.
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
  defaults: defaultSurvivalVisibility,
  ladder: audienceLadder,
  revision,
  updatedAt,
  updatedBy,
});

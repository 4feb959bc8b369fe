import Joi from "joi";

import {
  type ActionSwitch,
  capFaults,
  configureAction,
  readSwitchboard,
  type SwitchedAction,
} from "../../shared/events/switchboard/switchboard.ts";
import { worldChangingRisks } from "../../shared/events/vocabulary.ts";
import { route } from "../http/route.ts";
import { viewAction } from "./catalog-views.ts";
import { staffEvents } from "./fields.ts";

const adminEvents = { ...staffEvents, gate: "roles:admin" } as const;

/** The largest cap that a budget holds. */
const largest = 2 ** 31 - 1;

/**
 * @openapi
 * components:
 *   schemas:
 *     EventCaps:
 *       type: object
 *       description: So much that a run may spend, by dimension.
 *       additionalProperties: { type: integer, minimum: 0 }
 *       example: { broadcasts: 10 }
 *     EventSwitchboard:
 *       type: object
 *       additionalProperties: false
 *       required: [actions, worldChangingRisks]
 *       properties:
 *         actions: { type: array, items: { $ref: '#/components/schemas/SwitchedAction' } }
 *         worldChangingRisks:
 *           type: array
 *           description: Actions of these are off until they are switched on, and for administrators alone.
 *           items: { $ref: '#/components/schemas/EventRisk' }
 *     SwitchedAction:
 *       allOf:
 *         - { $ref: '#/components/schemas/EventActionFields' }
 *         - type: object
 *           required: [enabled, configured, changesWorld, caps, updatedAt, updatedBy]
 *           properties:
 *             enabled: { type: boolean }
 *             configured: { type: boolean, description: Whether somebody decided on it. }
 *             changesWorld: { type: boolean }
 *             caps: { $ref: '#/components/schemas/EventCaps' }
 *             updatedAt: { type: string, format: date-time, nullable: true }
 *             updatedBy: { type: integer, nullable: true, description: The id of who did. }
 */
const viewSwitched = (switched: SwitchedAction) => ({
  ...viewAction(switched.action),
  enabled: switched.enabled,
  configured: switched.configured,
  changesWorld: switched.changesWorld,
  caps: switched.caps,
  updatedAt: switched.updatedAt,
  updatedBy: switched.updatedBy,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     ConfiguredAction:
 *       type: object
 *       additionalProperties: false
 *       required: [id, enabled, configured, caps, updatedAt]
 *       properties:
 *         id: { type: string, example: shard.broadcast }
 *         enabled: { type: boolean }
 *         configured: { type: boolean }
 *         caps: { $ref: '#/components/schemas/EventCaps' }
 *         updatedAt: { type: string, format: date-time, nullable: true }
 */
const viewConfigured = ({ action, enabled, configured, caps, updatedAt }: SwitchedAction) => ({
  id: action.id,
  enabled,
  configured,
  caps,
  updatedAt,
});

export const actionsRoutes = [
  route({
    ...adminEvents,
    method: "get",
    path: "/api/v1/admin/events/actions",
    summary: "The switchboard of actions",
    answers: { 200: "EventSwitchboard" },
    handle: async (_input, context) => ({
      actions: (await readSwitchboard(context)).map(viewSwitched),
      worldChangingRisks,
    }),
  }),
  route({
    ...adminEvents,
    method: "put",
    path: "/api/v1/admin/events/actions",
    summary: "Switch an action on or off, and cap what runs spend by it",
    description:
      "`caps` is replaced as a whole where it is sent; null and empty text leave one out. A run " +
      "copies the caps when it is made.",
    body: Joi.object<ActionSwitch>({
      actionId: Joi.string().max(64).required().example("shard.broadcast"),
      enabled: Joi.boolean().required(),
      caps: Joi.object()
        .pattern(Joi.string(), Joi.number().integer().min(0).max(largest).allow(null, ""))
        .example({ broadcasts: 10 }),
    }),
    faultsOf: capFaults,
    answers: {
      200: { enveloped: "action", shape: "ConfiguredAction" },
      400: "EventFaults",
      404: "Error",
    },
    handle: async ({ body, caller }, context) => ({
      action: viewConfigured(await configureAction(body, caller, context)),
    }),
  }),
];

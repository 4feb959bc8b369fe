import Joi from "joi";

import {
  type ActionSettings,
  findCapFaults,
  configureAction,
  readActionSettings,
  type ConfiguredAction,
} from "../../shared/events/actions/action-settings.ts";
import { worldChangingRisks } from "../../shared/events/vocabulary.ts";
import { defineRoute } from "../http/route.ts";
import { viewAction } from "./catalog-views.ts";
import { staffEventRouteOptions } from "./fields.ts";

const adminEvents = { ...staffEventRouteOptions, gate: "roles:admin" } as const;

/** The largest cap that the database column can hold. */
const largest = 2 ** 31 - 1;

/**
 * @openapi
 * components:
 *   schemas:
 *     EventCaps:
 *       type: object
 *       description: >-
 *         Caps: the maximum that one run may spend of each dimension, such as `broadcasts`.
 *         Spending of a dimension without a cap is unlimited.
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
 *           description: >-
 *             Risks of actions that change the world of a game. Such actions are off until an
 *             administrator switches them on. Such actions run only in runs that act with the
 *             rights of an administrator (see `startedBy`).
 *           items: { $ref: '#/components/schemas/EventRisk' }
 *     SwitchedAction:
 *       allOf:
 *         - { $ref: '#/components/schemas/EventActionFields' }
 *         - type: object
 *           required: [enabled, configured, changesWorld, caps, updatedAt, updatedBy]
 *           properties:
 *             enabled: { type: boolean, description: 'Whether the action is on, that is, whether steps may run it.' }
 *             configured:
 *               type: boolean
 *               description: >-
 *                 Whether an administrator has configured the action. If false, the risk of the
 *                 action decides whether the action is on, and the action has no caps.
 *             changesWorld:
 *               type: boolean
 *               description: Whether the risk of the action is one of `worldChangingRisks`.
 *             caps: { $ref: '#/components/schemas/EventCaps' }
 *             updatedAt:
 *               type: string
 *               format: date-time
 *               nullable: true
 *               description: >-
 *                 When the action was last configured. Null if the action was never configured.
 *             updatedBy:
 *               type: integer
 *               nullable: true
 *               description: >-
 *                 Id of the user who last configured the action. Null if nobody has configured the
 *                 action, or if the account was deleted.
 */
const viewConfiguredAction = (switched: ConfiguredAction) => ({
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
const viewUpdatedAction = ({ action, enabled, configured, caps, updatedAt }: ConfiguredAction) => ({
  id: action.id,
  enabled,
  configured,
  caps,
  updatedAt,
});

export const actionsRoutes = [
  defineRoute({
    ...adminEvents,
    method: "get",
    path: "/api/v1/admin/events/actions",
    summary: "List the actions with their switches and caps",
    description:
      "Returns every action of the catalog, in the order of the catalog. Actions whose risk is " +
      "one of `worldChangingRisks` are off until an administrator switches them on. All other " +
      "actions are on until an administrator switches them off.",
    answers: { 200: "EventSwitchboard" },
    handle: async (_input, context) => ({
      actions: (await readActionSettings(context)).map(viewConfiguredAction),
      worldChangingRisks,
    }),
  }),
  defineRoute({
    ...adminEvents,
    method: "put",
    path: "/api/v1/admin/events/actions",
    summary: "Switch an action on or off and set its caps",
    description:
      "The switch takes effect immediately, also for runs under way: before each attempt, the " +
      "service checks the switch, and the step fails if the action is off. `caps` replaces all " +
      "caps of the action. If the request omits `caps`, the caps stay the same; `{}` removes all " +
      "caps. A run copies the caps when it is created or moved to a new version, so later " +
      "changes of the caps do not affect it. 404 `not_found` if the action is unknown, even if " +
      "other fields are invalid. 400 if a cap is set for a dimension that the action does not " +
      "spend. The activity log records every request, even if it changes nothing.",
    body: Joi.object<ActionSettings>({
      actionId: Joi.string()
        .max(64)
        .required()
        .description("Id of an action, as in the catalog.")
        .example("shard.broadcast"),
      enabled: Joi.boolean().required(),
      caps: Joi.object()
        .pattern(Joi.string(), Joi.number().integer().min(0).max(largest).allow(null, ""))
        .description(
          "Caps of the action, by dimension, such as `broadcasts`. With null or an empty string, " +
            "the dimension has no cap.",
        )
        .example({ broadcasts: 10 }),
    }),
    faultsOf: findCapFaults,
    answers: {
      200: { enveloped: "action", shape: "ConfiguredAction" },
      400: "EventFaults",
      404: "Error",
    },
    handle: async ({ body, caller }, context) => ({
      action: viewUpdatedAction(await configureAction(body, caller, context)),
    }),
  }),
];

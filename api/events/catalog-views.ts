import type { Action } from "../../shared/events/actions/action.ts";
import type { Param } from "../../shared/facts/param.ts";
import type { EventTrigger } from "../../shared/facts/trigger.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     EventParam:
 *       type: object
 *       additionalProperties: false
 *       required: [name, type, required, description]
 *       properties:
 *         name: { type: string, example: text }
 *         type: { $ref: '#/components/schemas/EventParamType' }
 *         required: { type: boolean }
 *         default: { $ref: '#/components/schemas/EventParamValue' }
 *         values: { type: array, items: { type: string }, description: Allowed values of an `enum` or a `stream`., example: [defeated] }
 *         min: { type: number, description: 'Smallest allowed value. For a `duration`, in seconds.' }
 *         max: { type: number, description: 'Largest allowed value. For a `duration`, in seconds.' }
 *         maxLength: { type: integer, description: Maximum number of characters of a text. }
 *         description: { type: string, description: Help text that a form can show., example: The text that all players read. }
 */
const viewParam = ({ stepOf: _own, description = "", ...param }: Param) => ({
  ...param,
  description,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     EventCatalog:
 *       type: object
 *       additionalProperties: false
 *       required: [actions, risks, reversible, paramTypes, onFailure, onFailureByRisk, scheduleKinds, triggers, audiences, bodies, operators, advanceKinds, limits]
 *       properties:
 *         actions: { type: array, items: { $ref: '#/components/schemas/EventActionFields' } }
 *         risks: { type: array, items: { $ref: '#/components/schemas/EventRisk' } }
 *         reversible:
 *           type: array
 *           description: Ids of the actions whose effect can be undone by another action.
 *           items: { type: string, example: shard.champion.start }
 *         paramTypes: { type: array, items: { $ref: '#/components/schemas/EventParamType' } }
 *         onFailure: { type: array, items: { $ref: '#/components/schemas/EventOnFailure' } }
 *         onFailureByRisk:
 *           type: object
 *           description: Default value of a step's `onFailure`, by the risk of the step's action.
 *           additionalProperties: { $ref: '#/components/schemas/EventOnFailure' }
 *         scheduleKinds: { type: array, items: { $ref: '#/components/schemas/EventScheduleKind' } }
 *         triggers: { type: array, items: { $ref: '#/components/schemas/EventTrigger' } }
 *         audiences:
 *           type: array
 *           description: >-
 *             Groups of users whom a step can notify, instead of notifying all subscribers.
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [id, label, description, owner]
 *             properties:
 *               id: { type: string, example: survival.linked }
 *               label: { type: string, example: Players with a linked Steam account }
 *               description: { type: string, example: Users who have linked a Steam account. }
 *               owner:
 *                 type: string
 *                 description: Module of the service that provides this entry.
 *                 example: survival
 *         bodies:
 *           type: array
 *           description: Ready-made message texts for steps.
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [id, label, owner, triggers, text]
 *             properties:
 *               id: { type: string, example: survival.body.leader }
 *               label: { type: string, example: A new kill leader or a death }
 *               owner:
 *                 type: string
 *                 description: Module of the service that provides this entry.
 *                 example: survival
 *               triggers:
 *                 type: array
 *                 description: Ids of the triggers whose variables the text uses.
 *                 items: { type: string, example: survival.leader.kills }
 *               text: { type: string, description: 'Text of the message, a template: `{{name}}` stands for the trigger''s variable `name`.', example: '{{playerName}} leads with {{kills}} kills.' }
 *         operators: { type: array, items: { $ref: '#/components/schemas/EventOperator' } }
 *         advanceKinds: { type: array, items: { $ref: '#/components/schemas/EventAdvanceKind' } }
 *         limits:
 *           type: object
 *           description: >-
 *             Limits of a spec. `maxAfterSeconds` is the maximum for every duration that a spec
 *             states in seconds. `defaultBudgetMs` is the default time limit of one attempt of a
 *             step, in milliseconds.
 *           additionalProperties: { type: integer }
 *           example: { maxPhases: 20, maxSteps: 200 }
 *     EventActionFields:
 *       type: object
 *       required: [id, label, owner, risk, reversible, params, dimensions, version]
 *       properties:
 *         id: { type: string, example: shard.broadcast }
 *         label: { type: string, example: Broadcast to everyone in the game }
 *         owner:
 *           type: string
 *           description: Module of the service that provides this entry.
 *           example: shard
 *         risk: { $ref: '#/components/schemas/EventRisk' }
 *         reversible:
 *           type: boolean
 *           description: Whether the effect of the action can be undone by another action.
 *         params: { type: array, items: { $ref: '#/components/schemas/EventParam' } }
 *         dimensions:
 *           type: array
 *           description: >-
 *             Names of the dimensions that a step with the action spends, such as `broadcasts`.
 *             Administrators can set a cap for each dimension.
 *           items: { type: string, example: broadcasts }
 *         version:
 *           type: integer
 *           description: >-
 *             Version of the action. A release that changes the meaning of the parameters raises
 *             the version.
 */
export const viewAction = ({
  id,
  label,
  owner,
  risk,
  reversible,
  params,
  dimensions,
  version,
}: Action) => ({
  id,
  label,
  owner,
  risk,
  reversible,
  params: params.map(viewParam),
  dimensions,
  version,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     EventTrigger:
 *       type: object
 *       additionalProperties: false
 *       required: [id, version, label, description, owner, variables]
 *       properties:
 *         id: { type: string, example: champ.end }
 *         version:
 *           type: integer
 *           description: >-
 *             Version of the trigger. A release that adds variables raises the version. Variables
 *             are never removed, and their types never change.
 *           example: 1
 *         label: { type: string, example: A champion spawn ends }
 *         description: { type: string, example: 'The champion is defeated, or the spawn expires or is stopped.' }
 *         owner:
 *           type: string
 *           description: Module of the service that provides this entry.
 *           example: shard
 *         variables: { type: array, items: { $ref: '#/components/schemas/EventVariable' } }
 *     EventVariable:
 *       type: object
 *       additionalProperties: false
 *       required: [name, type, required, description]
 *       properties:
 *         name: { type: string, example: outcome }
 *         type: { $ref: '#/components/schemas/EventParamType' }
 *         required:
 *           type: boolean
 *           description: Whether every trigger event of this trigger has the variable.
 *         description: { type: string, example: How the spawn ended. }
 *         values: { type: array, items: { type: string }, description: Possible values of an `enum`., example: [defeated] }
 *         list:
 *           type: boolean
 *           description: >-
 *             True if the variable is a list of values of the type `type`. Absent otherwise. Only
 *             the operators `contains` and `exists` can be used with a list. In texts, the values
 *             are joined by commas.
 */
export const viewTrigger = ({
  id,
  version,
  label,
  description,
  owner,
  variables,
}: EventTrigger) => ({
  id,
  version,
  label,
  description,
  owner,
  variables,
});

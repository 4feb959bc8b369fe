import type { Action } from "../../shared/events/actions/action.ts";
import type { Param } from "../../shared/events/params/param.ts";
import type { Trigger } from "../../shared/events/triggers/trigger.ts";

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
 *         values: { type: array, items: { type: string }, description: 'Of an enum.', example: [defeated] }
 *         min: { type: number }
 *         max: { type: number }
 *         maxLength: { type: integer }
 *         description: { type: string, example: What everyone reads. }
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
 *           description: Ids of actions that another one takes back.
 *           items: { type: string, example: shard.champion.start }
 *         paramTypes: { type: array, items: { $ref: '#/components/schemas/EventParamType' } }
 *         onFailure: { type: array, items: { $ref: '#/components/schemas/EventOnFailure' } }
 *         onFailureByRisk:
 *           type: object
 *           additionalProperties: { $ref: '#/components/schemas/EventOnFailure' }
 *         scheduleKinds: { type: array, items: { $ref: '#/components/schemas/EventScheduleKind' } }
 *         triggers: { type: array, items: { $ref: '#/components/schemas/EventTrigger' } }
 *         audiences:
 *           type: array
 *           description: Whom a step may tell something, where that is not everybody.
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [id, label, description, owner]
 *             properties:
 *               id: { type: string, example: survival.linked }
 *               label: { type: string, example: Players with a Steam link }
 *               description: { type: string, example: Everybody who linked a Steam account. }
 *               owner: { type: string, example: survival }
 *         bodies:
 *           type: array
 *           description: Texts that are ready to be put into a step.
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [id, label, owner, triggers, text]
 *             properties:
 *               id: { type: string, example: survival.body.leader }
 *               label: { type: string, example: Somebody leads in kills }
 *               owner: { type: string, example: survival }
 *               triggers:
 *                 type: array
 *                 description: Those whose variables stand in the text.
 *                 items: { type: string, example: survival.leader.kills }
 *               text: { type: string, example: '{{playerName}} leads with {{kills}} kills.' }
 *         operators: { type: array, items: { $ref: '#/components/schemas/EventOperator' } }
 *         advanceKinds: { type: array, items: { $ref: '#/components/schemas/EventAdvanceKind' } }
 *         limits:
 *           type: object
 *           additionalProperties: { type: integer }
 *           example: { maxPhases: 20, maxSteps: 200 }
 *     EventActionFields:
 *       type: object
 *       required: [id, label, owner, risk, reversible, params, dimensions, version]
 *       properties:
 *         id: { type: string, example: shard.broadcast }
 *         label: { type: string, example: Broadcast to everyone in the game }
 *         owner: { type: string, example: shard }
 *         risk: { $ref: '#/components/schemas/EventRisk' }
 *         reversible: { type: boolean }
 *         params: { type: array, items: { $ref: '#/components/schemas/EventParam' } }
 *         dimensions:
 *           type: array
 *           description: What a run can be allowed only so much of.
 *           items: { type: string, example: broadcasts }
 *         version: { type: integer }
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
 *         version: { type: integer, description: Raised when variables are added., example: 1 }
 *         label: { type: string, example: A champion spawn ends }
 *         description: { type: string, example: 'Defeated, expired or stopped.' }
 *         owner: { type: string, example: shard }
 *         variables: { type: array, items: { $ref: '#/components/schemas/EventVariable' } }
 *     EventVariable:
 *       type: object
 *       additionalProperties: false
 *       required: [name, type, required, description]
 *       properties:
 *         name: { type: string, example: outcome }
 *         type: { $ref: '#/components/schemas/EventParamType' }
 *         required: { type: boolean, description: Whether each such event has it. }
 *         description: { type: string, example: How it ended. }
 *         values: { type: array, items: { type: string }, description: 'Of an enum.', example: [defeated] }
 *         list:
 *           type: boolean
 *           description: >
 *             True for a list of such values, absent otherwise. Conditions ask whether it `contains` one,
 *             or `exists`; in text its values stand beside each other.
 */
export const viewTrigger = ({ id, version, label, description, owner, variables }: Trigger) => ({
  id,
  version,
  label,
  description,
  owner,
  variables,
});

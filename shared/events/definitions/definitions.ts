import type { Transaction } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import type { Models } from "../../../models/index.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { eventStateError } from "../state-refusal.ts";
import type { DefinitionState } from "../vocabulary.ts";

const withNames = [
  { association: "currentVersion", attributes: ["id", "number", "revision", "verifiedAt"] },
  { association: "series", attributes: ["name"] },
];

/** Returns the event definitions in one state, or all event definitions, the last updated first. */
export const listDefinitions = (
  state: DefinitionState | undefined,
  { models }: Context,
): Promise<EventDefinition[]> =>
  models.EventDefinition.findAll({
    include: withNames,
    ...(state !== undefined && { where: { state } }),
    order: [
      ["updatedAt", "DESC"],
      ["id", "DESC"],
    ],
  });

/** @throws AppError missing if no event has this id */
export async function findDefinition(
  id: number,
  { models }: { readonly models: Models },
  transaction?: Transaction,
): Promise<EventDefinition> {
  const options = { include: withNames, ...(transaction && { transaction }) };
  const definition = await models.EventDefinition.findByPk(id, options);
  if (!definition) throw notFoundError("Unknown event");
  return definition;
}

/** Locks a definition until the transaction ends. @throws AppError if it is archived or unknown */
export async function lockUnarchivedDefinition(
  id: number,
  what: string,
  transaction: Transaction,
): Promise<EventDefinition> {
  const definition = await lockDefinition(id, transaction);
  if (definition.state === "archived") throw eventStateError(`an archived event cannot be ${what}`);
  return definition;
}

export async function lockDefinition(
  id: number,
  transaction: Transaction,
): Promise<EventDefinition> {
  const { EventDefinition } = modelsOf(transaction);
  const lock = transaction.LOCK.NO_KEY_UPDATE;
  const definition = await EventDefinition.findByPk(id, { lock, transaction });
  if (!definition) throw notFoundError("Unknown event");
  return definition;
}

/** Published versions, the newest first. */
export const listVersions = (definitionId: number, { models }: Context): Promise<EventVersion[]> =>
  models.EventVersion.findAll({
    where: { definitionId },
    attributes: ["id", "number", "revision", "publishedAt", "publishedBy"],
    include: [{ association: "publisher", attributes: ["username"] }],
    order: [["number", "DESC"]],
  });

interface ParamValue {
  readonly actionId: string;
  readonly param: string;
  readonly value: string;
}

/** SQL that is true if a step of the spec has the action $1 with the value $3 of parameter $2. */
const usesValueSql = (spec: string): string => `exists (
  select from jsonb_path_query(${spec}, '$.phases[*].steps[*]') as step
  where step ->> 'actionId' = $1::text and step -> 'params' ->> $2::text = $3::text)`;

/**
 * Returns the titles of events that give a parameter of an action this value: in the working copy,
 * in the published version or in an unfinished run. Archived events are listed only for their runs.
 */
async function findEventsUsing(
  { actionId, param, value }: ParamValue,
  transaction: Transaction,
): Promise<string[]> {
  const found = await rows<Pick<EventDefinition, "title">>(
    transaction,
    `select title from event_definitions definition
     where state <> 'archived' and ${usesValueSql("definition.spec")}
       or exists (
         select from event_versions version
         where version.definition_id = definition.id and ${usesValueSql("version.spec")}
           and (state <> 'archived' and version.id = definition.current_version_id
             or exists (select from event_runs run where run.version_id = version.id
               and run.status in ('scheduled', 'running', 'paused'))))
     order by id`,
    [actionId, param, value],
  );
  return found.map(({ title }) => title);
}

/** Returns the titles of events that open zones of a preset. @param key of the preset */
export const findEventsOpeningPreset = (key: string, transaction: Transaction): Promise<string[]> =>
  findEventsUsing({ actionId: "survival.zone.open", param: "preset", value: key }, transaction);

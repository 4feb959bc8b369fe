import type { Transaction } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import type { Models } from "../../../models/index.ts";
import type { Context } from "../../platform/context.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { missing } from "../../platform/errors/errors.ts";
import { stateRefusal } from "../state-refusal.ts";
import type { DefinitionState } from "../vocabulary.ts";

const withNames = [
  { association: "currentVersion", attributes: ["id", "number", "revision", "verifiedAt"] },
  { association: "series", attributes: ["name"] },
];

/** Definitions of a state, or of all; the one that was changed last comes first. */
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

/** @throws AppError missing when there is none */
export async function findDefinition(
  id: number,
  { models }: { readonly models: Models },
  transaction?: Transaction,
): Promise<EventDefinition> {
  const options = { include: withNames, ...(transaction && { transaction }) };
  const definition = await models.EventDefinition.findByPk(id, options);
  if (!definition) throw missing("Unknown event");
  return definition;
}

/** Holds a definition until the transaction ends. @throws AppError when it is archived, or unknown */
export async function lockLiveDefinition(
  id: number,
  what: string,
  transaction: Transaction,
): Promise<EventDefinition> {
  const definition = await lockDefinition(id, transaction);
  if (definition.state === "archived") throw stateRefusal(`an archived event cannot be ${what}`);
  return definition;
}

export async function lockDefinition(
  id: number,
  transaction: Transaction,
): Promise<EventDefinition> {
  const { EventDefinition } = modelsOf(transaction);
  const lock = transaction.LOCK.NO_KEY_UPDATE;
  const definition = await EventDefinition.findByPk(id, { lock, transaction });
  if (!definition) throw missing("Unknown event");
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

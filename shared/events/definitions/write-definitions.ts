import type { Transaction } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import { transactionStart } from "../../../models/queries/clock.ts";
import { insertWithSlug, refuseTakenSlug } from "../../content/text/slugs.ts";
import { type Actor, recordActivity } from "../../platform/activity/activity.ts";
import { requireBaseRevision } from "../../platform/base-revision.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { invalidFieldsError } from "../../platform/errors/errors.ts";
import { withdrawRuns } from "../occurrences/move-runs.ts";
import { fillSpecDefaults } from "../spec/complete.ts";
import { findDefinition, lockUnarchivedDefinition, lockDefinition } from "./definitions.ts";

/** The fields of an event to change; absent fields keep their values. */
export interface DefinitionPatch {
  readonly title?: string;
  readonly slug?: string;
  readonly summary?: string;
  readonly body?: string;
  readonly imageUrl?: string | null;
  readonly seriesId?: number | null;
  readonly seriesOrder?: number;
  readonly concurrencyKey?: string | null;
  readonly graceSeconds?: number;
  readonly timezone?: string;
  readonly spec?: object;
}

export type NewDefinition = DefinitionPatch & { readonly title: string; readonly spec: object };

/** Creates a draft. @throws AppError slug_taken */
export function createDefinition(
  given: NewDefinition,
  actor: Actor,
  { sequelize, models }: Context,
): Promise<EventDefinition> {
  return inCallersTransaction(sequelize, async (transaction) => {
    await lockSeries(given.seriesId, transaction);
    const spec = fillSpecDefaults(given.spec);
    const id = await insertWithSlug({ slug: given.slug, name: given.title }, async (slug) => {
      const row = { ...emptyDefinition, ...given, spec, slug };
      const options = { ignoreDuplicates: true, returning: true, transaction } as const;
      const [created] = await models.EventDefinition.bulkCreate([row], options);
      return created?.id ?? null;
    });
    const target = { type: "event", id };
    await recordActivity({ actor, action: "event.definition.created", target }, transaction);
    return findDefinition(id, { models }, transaction);
  });
}

const emptyDefinition = {
  imageUrl: null,
  currentVersionId: null,
  seriesId: null,
  concurrencyKey: null,
  materialisedUntil: null,
};

/** Changes the working copy, not the published version. @throws AppError slug_taken */
export function updateDefinition(
  id: number,
  change: DefinitionPatch,
  actor: Actor,
  { sequelize, models }: Context,
): Promise<EventDefinition> {
  const changed = inCallersTransaction(sequelize, async (transaction) => {
    // Lock the series before the event, in the same order as the deletion of a series.
    await lockSeries(change.seriesId, transaction);
    const definition = await lockUnarchivedDefinition(id, "changed", transaction);
    requireBaseRevision(definition.revision);
    const spec = change.spec && { spec: fillSpecDefaults(change.spec) };
    const revision = definition.revision + 1;
    const changes = { ...change, ...spec, revision, updatedAt: transactionStart() };
    await definition.update(changes, { transaction });
    const target = { type: "event", id };
    const detail = { fields: Object.keys(change) };
    await recordActivity(
      { actor, action: "event.definition.updated", target, detail },
      transaction,
    );
    return findDefinition(id, { models }, transaction);
  });
  return refuseTakenSlug(changed);
}

/** Locks the named series until the transaction ends. */
async function lockSeries(
  seriesId: number | null | undefined,
  transaction: Transaction,
): Promise<void> {
  if (seriesId === null || seriesId === undefined) return;
  const lock = transaction.LOCK.KEY_SHARE;
  const series = await modelsOf(transaction).EventSeries.findByPk(seriesId, { lock, transaction });
  if (series) return;
  throw invalidFieldsError([
    { path: "/seriesId", code: "unknown", message: "seriesId names no series" },
  ]);
}

/** Archives an event for good: waiting runs are canceled, and runs under way go on. */
export function archiveDefinition(
  id: number,
  actor: Actor,
  { sequelize, models }: Context,
): Promise<EventDefinition> {
  return inCallersTransaction(sequelize, async (transaction) => {
    const definition = await lockDefinition(id, transaction);
    requireBaseRevision(definition.revision);
    if (definition.state === "archived") return findDefinition(id, { models }, transaction);
    await definition.update({ state: "archived", updatedAt: transactionStart() }, { transaction });
    const waiting = await models.EventRun.findAll({
      where: { definitionId: id, status: "scheduled" },
      order: ["id"],
      lock: transaction.LOCK.NO_KEY_UPDATE,
      transaction,
    });
    await withdrawRuns(waiting, "definition archived", transaction);
    const target = { type: "event", id };
    const detail = { cancelledRuns: waiting.length };
    await recordActivity(
      { actor, action: "event.definition.archived", target, detail },
      transaction,
    );
    return findDefinition(id, { models }, transaction);
  });
}

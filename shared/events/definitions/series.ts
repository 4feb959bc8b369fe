import { col, fn } from "sequelize";

import type { EventSeries } from "../../../models/events/event-series.ts";
import { matchClientId } from "../../../models/queries/any-id.ts";
import { computeColumn, readPlainRows } from "../../../models/queries/plain-rows.ts";
import { insertWithSlug, refuseTakenSlug } from "../../content/text/slugs.ts";
import { type Actor, recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";

/** A series and the number of its events, including archived ones. */
export interface CountedSeries {
  readonly series: EventSeries;
  readonly definitionCount: number;
}

/** Returns all series, in the order that staff gave them. */
export async function listSeries({ models }: Pick<Context, "models">): Promise<CountedSeries[]> {
  const [all, counts] = await Promise.all([
    models.EventSeries.findAll({ order: ["ordering", "name", "id"] }),
    countDefinitions({ models }),
  ]);
  return all.map((series) => ({ series, definitionCount: counts.get(series.id) ?? 0 }));
}

/** @throws AppError missing if no series has this id */
export async function findSeries(
  id: number,
  { models }: Pick<Context, "models">,
): Promise<CountedSeries> {
  const series = await models.EventSeries.findOne({ where: { id: matchClientId(id) } });
  if (!series) throw notFoundError("Unknown series");
  const definitionCount = await models.EventDefinition.count({ where: { seriesId: series.id } });
  return { series, definitionCount };
}

async function countDefinitions({ models }: Pick<Context, "models">) {
  const counted = await readPlainRows(models.EventDefinition, {
    columns: ["seriesId"],
    computed: { count: computeColumn<number>(fn("count", col("id"))) },
    group: ["seriesId"],
  });
  return new Map(counted.map(({ seriesId, count }) => [seriesId, count]));
}

export interface SeriesPatch {
  readonly name?: string;
  readonly slug?: string;
  readonly description?: string;
  readonly ordering?: number;
}

export type NewSeries = SeriesPatch & { readonly name: string };

/** @throws AppError slug_taken */
export function createSeries(
  given: NewSeries,
  actor: Actor,
  { sequelize, models }: Context,
): Promise<EventSeries> {
  return inCallersTransaction(sequelize, async (transaction) => {
    const series = await insertWithSlug(given, async (slug) => {
      const options = { ignoreDuplicates: true, returning: true, transaction } as const;
      const [created] = await models.EventSeries.bulkCreate([{ ...given, slug }], options);
      return created?.id ? created : null;
    });
    const target = { type: "series", id: series.id };
    await recordActivity({ actor, action: "event.series.created", target }, transaction);
    return series;
  });
}

/** @throws AppError missing, or slug_taken */
export function updateSeries(
  id: number,
  change: SeriesPatch,
  actor: Actor,
  { sequelize, models }: Context,
): Promise<void> {
  const changed = inCallersTransaction(sequelize, async (transaction) => {
    const lock = transaction.LOCK.NO_KEY_UPDATE;
    const series = await models.EventSeries.findOne({
      where: { id: matchClientId(id) },
      lock,
      transaction,
    });
    if (!series) throw notFoundError("Unknown series");
    await series.update(change, { transaction });
    const target = { type: "series", id };
    const detail = { fields: Object.keys(change) };
    await recordActivity({ actor, action: "event.series.updated", target, detail }, transaction);
  });
  return refuseTakenSlug(changed);
}

/** Deletes a series. Its events stay, without a series. @returns the number of these events */
export function deleteSeries(
  id: number,
  actor: Actor,
  { sequelize, models }: Context,
): Promise<number> {
  return inCallersTransaction(sequelize, async (transaction) => {
    const lock = transaction.LOCK.UPDATE;
    const series = await models.EventSeries.findOne({
      where: { id: matchClientId(id) },
      lock,
      transaction,
    });
    if (!series) throw notFoundError("Unknown series");
    const [detached] = await models.EventDefinition.update(
      { seriesId: null },
      { where: { seriesId: id }, transaction },
    );
    await series.destroy({ transaction });
    const target = { type: "series", id };
    const detail = { slug: series.slug, detached };
    await recordActivity({ actor, action: "event.series.deleted", target, detail }, transaction);
    return detached;
  });
}

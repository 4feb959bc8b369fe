import type { InferAttributes, Transaction } from "sequelize";

import type { AtlasFacet } from "../../../../models/atlas/atlas-facet.ts";
import { readImportedData } from "../../../imports/sources/imported-source.ts";
import type { Context } from "../../../platform/context.ts";
import { inSnapshot } from "../../../platform/db/transaction.ts";
import { notFoundError } from "../../../platform/errors/errors.ts";
import type { AtlasFilter } from "./filters.ts";
import { findRegions, findSpawners, type FoundRegion, type FoundSpawner } from "./search.sql.ts";

export type AtlasFacetView = Readonly<Omit<InferAttributes<AtlasFacet>, "generation">>;

export interface AtlasPage {
  readonly facets: readonly AtlasFacetView[];
  /** Null if the summary of all facets was requested. */
  readonly facet: string | null;
  readonly regions: readonly FoundRegion[];
  readonly spawns: readonly FoundSpawner[];
  /** Number of matching spawners on all pages. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly importedAt: Date | null;
}

/** A query of the atlas. Without a facet, the result is the summary of all facets. */
export interface AtlasQuery extends AtlasFilter {
  readonly facet?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Reads the public atlas in one snapshot, so that all rows are of one import.
 * @throws AppError 404 if the facet does not exist
 */
export function readAtlas(
  query: AtlasQuery,
  context: Pick<Context, "sequelize" | "models">,
): Promise<AtlasPage> {
  // An import may replace the tables between two reads, so use one snapshot.
  return inSnapshot(context.sequelize, async (transaction) => {
    const { generation, importedAt, facets } = await readSummary(context, transaction);
    const { limit, offset } = query;
    const page = { facets, limit, offset, importedAt };
    const summary = { ...page, facet: null, regions: [], spawns: [], total: 0 };
    if (query.facet === undefined) return summary;
    const asked = query.facet.toLowerCase();
    const found = facets.find(({ name }) => name.toLowerCase() === asked);
    if (!found) throw notFoundError("Unknown facet");
    const facet = found.name;
    const wanted = { ...query, facet, generation };
    const regions = await findRegions(wanted, transaction);
    const { spawns, total } = await findSpawners(wanted, transaction);
    return { ...page, facet, regions, spawns, total: total ?? found.spawners };
  });
}

interface Summary extends Pick<AtlasPage, "facets" | "importedAt"> {
  readonly generation: number;
}

async function readSummary(
  { models }: Pick<Context, "models">,
  transaction: Transaction,
): Promise<Summary> {
  const { generation } = await models.AtlasState.read({ transaction });
  const imported = await readImportedData("atlas", { models }, transaction);
  const facets = await models.AtlasFacet.findAll({
    attributes: { exclude: ["generation"] },
    where: { generation },
    order: ["name"],
    raw: true,
    transaction,
  });
  return { generation, importedAt: imported?.importedAt ?? null, facets };
}

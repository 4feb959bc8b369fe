import type { InferAttributes, Sequelize } from "sequelize";

import type { MarketMeta as MarketMetaModel } from "../../../models/market/market-meta.ts";
import type { Context } from "../../platform/context.ts";
import { firstRow } from "../../platform/db/rows.ts";
import type { FieldAccessCheck } from "../visibility/view.ts";
import { selectMarketSummarySql, selectMarketMetaSql } from "./search.sql.ts";

type MetaAttributes = InferAttributes<MarketMetaModel>;

/** Properties of the whole market that each search needs. They are stored, so reading them counts no rows. */
export interface MarketSummary extends Pick<MetaAttributes, "version" | "vendors"> {
  /** Earliest update time of the listed vendors, in epoch milliseconds. */
  readonly staleMs: number | null;
}

export interface MarketMeta extends Pick<MetaAttributes, "vendors" | "items"> {
  readonly staleAt: Date | null;
  readonly freshAt: Date | null;
  /** Facets with vendors. Absent, like `regions`, if the caller may not see locations. */
  readonly maps?: readonly string[];
  readonly regions?: readonly string[];
}

export async function readMarketSummary(sequelize: Sequelize): Promise<MarketSummary> {
  const facts = await firstRow<MarketSummary>(sequelize, selectMarketSummarySql);
  return facts ?? { version: 0, vendors: 0, staleMs: null };
}

/** Returns the size, the age and the places of the market. */
export async function readMarketMeta(
  maySee: FieldAccessCheck,
  { sequelize }: Context,
): Promise<MarketMeta> {
  const meta = await firstRow<Required<MarketMeta>>(sequelize, selectMarketMetaSql);
  const { maps, regions, ...rest } = meta ?? emptyMeta;
  return maySee("location") ? { ...rest, maps, regions } : rest;
}

const emptyMeta = { vendors: 0, items: 0, staleAt: null, freshAt: null, maps: [], regions: [] };

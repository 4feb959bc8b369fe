import { QueryTypes, type Sequelize } from "sequelize";

import type { Context } from "../../context.ts";
import type { Sees } from "../view.ts";

/** What every search needs to know of the market as a whole; none of it is counted. */
export interface MarketFacts {
  /** Rises with every change of what is listed. */
  readonly version: number;
  readonly vendors: number;
  /** When the vendor that has been silent longest was last heard of; epoch milliseconds. */
  readonly staleMs: number | null;
}

export interface MarketMeta {
  readonly vendors: number;
  readonly items: number;
  readonly staleAt: Date | null;
  readonly freshAt: Date | null;
  /** Facets that hold vendors; left out, as `regions` are, where locations are gated. */
  readonly maps?: readonly string[];
  readonly regions?: readonly string[];
}

/** What selects `MarketFacts`, in one row. */
export const selectFacts = `
  select version, vendors,
    (select floor(extract(epoch from min(updated_at)) * 1000)::bigint
     from vendors where listed) as "staleMs"
  from market_meta`;

export async function readMarketFacts(sequelize: Sequelize): Promise<MarketFacts> {
  const [facts] = await sequelize.query<MarketFacts>(selectFacts, { type: QueryTypes.SELECT });
  return facts ?? { version: 0, vendors: 0, staleMs: null };
}

/** How large and how fresh the market is, and where it is held. */
export async function readMarketMeta(sees: Sees, { sequelize }: Context): Promise<MarketMeta> {
  const [meta] = await sequelize.query<Required<MarketMeta>>(selectMeta, {
    type: QueryTypes.SELECT,
  });
  const { maps, regions, ...rest } = meta ?? nothing;
  return sees("location") ? { ...rest, maps, regions } : rest;
}

const selectMeta = `
  select vendors, items,
    (select min(updated_at) from vendors where listed) as "staleAt",
    (select max(updated_at) from vendors where listed) as "freshAt",
    array(select distinct map from places where map is not null order by 1) as maps,
    array(select distinct region from places where region is not null order by 1) as regions
  from market_meta`;

const nothing = { vendors: 0, items: 0, staleAt: null, freshAt: null, maps: [], regions: [] };

import { QueryTypes, type Sequelize } from "sequelize";

import type { Context } from "../../context.ts";
import type { Sees } from "../view.ts";

/** What is known of the market as a whole without counting. */
export interface MarketFacts {
  /** Rises with every change of what is listed. */
  readonly version: number;
  readonly vendors: number;
  readonly items: number;
  /** When the vendor was heard of that was not heard of for longest. */
  readonly staleAt: Date | null;
  readonly freshAt: Date | null;
}

export interface MarketMeta extends Omit<MarketFacts, "version"> {
  /** Facets that hold vendors; left out, as `regions` are, where locations are gated. */
  readonly maps?: readonly string[];
  readonly regions?: readonly string[];
}

export async function readMarketFacts(sequelize: Sequelize): Promise<MarketFacts> {
  const [facts] = await sequelize.query<MarketFacts>(
    `select version, vendors, items,
       (select min(updated_at) from vendors where listed) as "staleAt",
       (select max(updated_at) from vendors where listed) as "freshAt"
     from market_meta`,
    { type: QueryTypes.SELECT },
  );
  return facts ?? { version: 0, vendors: 0, items: 0, staleAt: null, freshAt: null };
}

/** How large and how fresh the market is, and where it is held. */
export async function readMarketMeta(sees: Sees, { sequelize }: Context): Promise<MarketMeta> {
  const [{ version: _, ...facts }, places] = await Promise.all([
    readMarketFacts(sequelize),
    sees("location") ? readPlaceNames(sequelize) : {},
  ]);
  return { ...facts, ...places };
}

async function readPlaceNames(
  sequelize: Sequelize,
): Promise<Pick<MarketMeta, "maps" | "regions"> | undefined> {
  const [names] = await sequelize.query<Pick<MarketMeta, "maps" | "regions">>(
    `select array(select distinct map from places where map is not null order by 1) as maps,
       array(select distinct region from places where region is not null order by 1) as regions`,
    { type: QueryTypes.SELECT },
  );
  return names;
}

import { QueryTypes, type Sequelize } from "sequelize";

import { escapeLike } from "../../db/like.ts";
import { searchText } from "./label.ts";

/** CATALOGUE of orders; `recent` is by when a listing was put up or last changed. */
export const sortOrders = {
  price_asc: ["price", "serial", "vendor_serial"],
  price_desc: ["price desc", "serial", "vendor_serial"],
  recent: ["updated_at desc", "serial", "vendor_serial"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type Sort = keyof typeof sortOrders;

export interface MarketQuery {
  /** Part of a name, in any case. */
  readonly q?: string | undefined;
  readonly minPrice?: number | undefined;
  readonly maxPrice?: number | undefined;
  readonly itemId?: number | undefined;
  readonly map?: string | undefined;
  readonly region?: string | undefined;
  readonly sort: Sort;
  readonly limit: number;
  readonly offset: number;
}

/** What a listing must be to match, in the words of the table. */
export interface Filters {
  /** What `search_name` must be LIKE. */
  readonly pattern: string | undefined;
  readonly minPrice: number | undefined;
  readonly maxPrice: number | undefined;
  readonly itemId: number | undefined;
  readonly placeIds: readonly number[] | undefined;
}

/** What is listed has a price, and prices are 32-bit: a filter beyond either end changes nothing. */
const lowestPrice = 1;
const highestPrice = 0x7fff_ffff;

/** @returns undefined when no listing can match */
export async function readFilters(
  query: MarketQuery,
  sequelize: Sequelize,
): Promise<Filters | undefined> {
  const { q, minPrice = lowestPrice, maxPrice = highestPrice, itemId } = query;
  if (minPrice > Math.min(maxPrice, highestPrice) || maxPrice < lowestPrice) return undefined;
  const placeIds = await readPlaceIds(query, sequelize);
  if (placeIds?.length === 0) return undefined;
  return {
    pattern: q ? `%${escapeLike(searchText(q))}%` : undefined,
    minPrice: minPrice > lowestPrice ? minPrice : undefined,
    maxPrice: maxPrice < highestPrice ? maxPrice : undefined,
    itemId,
    placeIds,
  };
}

async function readPlaceIds(
  { map, region }: MarketQuery,
  sequelize: Sequelize,
): Promise<number[] | undefined> {
  if (map === undefined && region === undefined) return undefined;
  const rows = await sequelize.query<{ id: number }>(
    `select id from places
     where ($1::text is null or map = $1) and ($2::text is null or region = $2)`,
    { bind: [map ?? null, region ?? null], type: QueryTypes.SELECT },
  );
  return rows.map(({ id }) => id);
}

import type { Context } from "../../platform/context.ts";
import { escapeLike } from "../../platform/db/sql-text.ts";
import type { ShardContext } from "../context.ts";
import { normalizeSearchText } from "./labels.ts";

/** CATALOGUE of sort orders; `recent` sorts by the time of a listing's last change. */
export const sortOrders = {
  price_asc: ["price", "serial", "vendor_serial"],
  price_desc: ["price desc", "serial", "vendor_serial"],
  recent: ["updated_at desc", "serial", "vendor_serial"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type SortOrder = keyof typeof sortOrders;

export interface MarketFilters {
  /** Part of a name; case is ignored. */
  readonly q?: string | undefined;
  readonly minPrice?: number | undefined;
  readonly maxPrice?: number | undefined;
  readonly itemId?: number | undefined;
  readonly map?: string | undefined;
  readonly region?: string | undefined;
}

export interface MarketQuery extends MarketFilters {
  readonly sort: SortOrder;
  readonly limit: number;
  readonly offset: number;
}

/** Returns true for a filter by place, which requires access to the places of vendors. */
export const isFilteredByPlace = ({ map, region }: MarketFilters): boolean =>
  map !== undefined || region !== undefined;

/** The filters as values of the table's columns. */
export interface ColumnFilters {
  /** Pattern for `search_name like`. */
  readonly pattern: string | undefined;
  readonly minPrice: number | undefined;
  readonly maxPrice: number | undefined;
  readonly itemId: number | undefined;
  readonly placeIds: readonly number[] | undefined;
}

/** The lowest possible price. A filter below it has no effect. */
export const lowestPrice = 1;
export const highestPrice = 0x7fff_ffff;

/** Reads filters. @returns undefined if no listing matches */
export async function readFilters(
  query: MarketQuery,
  context: ShardContext,
): Promise<ColumnFilters | undefined> {
  const { q, minPrice = lowestPrice, maxPrice = highestPrice, itemId } = query;
  if (minPrice > Math.min(maxPrice, highestPrice) || maxPrice < lowestPrice) return undefined;
  const placeIds = await readPlaceIds(query, context);
  if (placeIds?.length === 0) return undefined;
  return {
    pattern: q ? `%${escapeLike(normalizeSearchText(q))}%` : undefined,
    minPrice: minPrice > lowestPrice ? minPrice : undefined,
    maxPrice: maxPrice < highestPrice ? maxPrice : undefined,
    itemId,
    placeIds,
  };
}

async function readPlaceIds(
  { map, region }: MarketQuery,
  { models }: Context,
): Promise<number[] | undefined> {
  if (map === undefined && region === undefined) return undefined;
  const where = { ...(map !== undefined && { map }), ...(region !== undefined && { region }) };
  const places = await models.Place.findAll({ where, attributes: ["id"], raw: true });
  return places.map(({ id }) => id);
}

import { QueryTypes, type Sequelize } from "sequelize";

import { asksMoreThanName, type Filters } from "./filters.ts";
import { keepCount } from "./kept-counts.ts";
import type { MarketFacts } from "./meta.ts";
import { Bound, selectMatching, type Way } from "./ways.ts";

/** How many listings match, and how they are best found. */
export interface Matches {
  readonly total: number;
  readonly way: Way;
}

/**
 * Looking this many up one by one costs about as much as walking an index from its end until a
 * page of as many is full: both take a few milliseconds then, in a market of a million listings.
 */
export const few = 1_000;

/** Counts exactly what matches: by the dictionary of names where the name is all that is asked. */
export async function countMatches(
  filters: Filters,
  facts: MarketFacts,
  sequelize: Sequelize,
): Promise<Matches> {
  const keep: Keep = (key, count) => keepCount(key, facts.version, sequelize, count);
  const { pattern } = filters;
  const named =
    pattern === undefined
      ? facts.items
      : await keep(`named ${pattern}`, () => readCount(countNamed, [pattern], sequelize));
  const byLabel = pattern !== undefined && named <= few;
  if (!asksMoreThanName(filters)) return { total: named, way: byLabel ? "label" : "walk" };
  const way = byLabel ? "label" : await wayByRest(filters, keep, sequelize);
  const total = await keep(JSON.stringify(filters), () => countBy(way, filters, sequelize));
  return { total, way };
}

type Keep = (key: string, count: () => Promise<number>) => Promise<number>;

/** By the item or the place where few listings are of it or there. */
async function wayByRest(filters: Filters, keep: Keep, sequelize: Sequelize): Promise<Way> {
  const { itemId, placeIds } = filters;
  const isFew = async (key: string, text: string, value: unknown): Promise<boolean> =>
    (await keep(key, () => readCount(text, [value, few + 1], sequelize))) <= few;
  if (itemId !== undefined && (await isFew(`item ${itemId}`, countItem, itemId))) return "item";
  if (placeIds && (await isFew(`places ${placeIds.join()}`, countPlaces, placeIds))) return "place";
  return "walk";
}

const countNamed =
  "select coalesce(sum(listings), 0) as count from listing_names where search_name like $1";
const countItem =
  "select count(*) from (select from listings where item_id = $1 limit $2) as counted";
const countPlaces =
  "select count(*) from (select from listings where place_id = any($1::integer[]) limit $2) as counted";

function countBy(way: Way, filters: Filters, sequelize: Sequelize): Promise<number> {
  const bound = new Bound();
  const text = `select count(*) from (${selectMatching(way, filters, bound)}) as matching`;
  return readCount(text, bound.values, sequelize);
}

async function readCount(text: string, bind: unknown[], sequelize: Sequelize): Promise<number> {
  const [row] = await sequelize.query<{ count: number }>(text, { bind, type: QueryTypes.SELECT });
  return row?.count ?? 0;
}

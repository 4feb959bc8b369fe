import { QueryTypes, type Sequelize } from "sequelize";

import type { Filters } from "./filters.ts";
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

/** Counts exactly what matches, and says by which of what is asked the listings are found. */
export async function countMatches(
  filters: Filters,
  facts: MarketFacts,
  sequelize: Sequelize,
): Promise<Matches> {
  const keep = (key: string, count: () => Promise<number>) =>
    keepCount(key, facts.version, sequelize, count);
  const all = (way: Way) => () => countBy(way, filters, sequelize);
  const asked = askedOf(filters);
  const asksPrice = (filters.minPrice ?? filters.maxPrice) !== undefined;
  if (asked.length === 0 && !asksPrice) return { total: facts.items, way: "walk" };
  for (const { way, value, text } of asked) {
    const count = await keep(`${way} ${String(value)}`, () => readCount(text, [value], sequelize));
    const isFew = count <= few;
    if (asked.length === 1 && !asksPrice) return { total: count, way: isFew ? way : "walk" };
    if (isFew) return { total: await keep(JSON.stringify(filters), all(way)), way };
  }
  return { total: await keep(JSON.stringify(filters), all("walk")), way: "walk" };
}

interface Asked {
  readonly way: Exclude<Way, "walk">;
  readonly value: unknown;
  /** Counts the listings that match in this alone, without looking at each. */
  readonly text: string;
}

function askedOf({ pattern, itemId, placeIds }: Filters): Asked[] {
  const all: Asked[] = [
    { way: "label", value: pattern, text: countNamed },
    { way: "item", value: itemId, text: countOfItem },
    { way: "place", value: placeIds, text: countInPlaces },
  ];
  return all.filter(({ value }) => value !== undefined);
}

const countNamed =
  "select coalesce(sum(listings), 0) as count from listing_names where search_name like $1";
const countOfItem = "select count(*) from listings where item_id = $1";
const countInPlaces = `
  select coalesce(sum(count), 0) as count from vendors
  where listed and place_id = any($1::integer[])`;

function countBy(way: Way, filters: Filters, sequelize: Sequelize): Promise<number> {
  const bound = new Bound();
  const text = `select count(*) from (${selectMatching(way, filters, bound)}) as matching`;
  return readCount(text, bound.values, sequelize);
}

async function readCount(text: string, bind: unknown[], sequelize: Sequelize): Promise<number> {
  const [row] = await sequelize.query<{ count: number }>(text, { bind, type: QueryTypes.SELECT });
  return row?.count ?? 0;
}

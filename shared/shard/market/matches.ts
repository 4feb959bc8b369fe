import { QueryTypes, type Sequelize } from "sequelize";

import type { Filters } from "./filters.ts";
import { type Count, type DatedCount, keepCount } from "./kept-counts.ts";
import { Bound, selectMatching, type Way } from "./ways.ts";

/** How many listings match, and how they are best found. */
export interface Matches {
  readonly total: number;
  readonly way: Way;
  /** When the total was begun to be counted; `performance.now()`. */
  readonly begunAt: number;
}

/**
 * Looking this many up one by one costs about as much as walking an index from its end until a
 * page of as many is full: both take a few milliseconds then, in a market of a million listings.
 */
export const fewMatches = 1_000;

/**
 * Counts exactly what matches, and says by which of what is asked the listings are found.
 * @param since the version of the market to count in, or a later one; without it the total may be
 * that of a moment ago
 */
export async function countMatches(
  filters: Filters,
  sequelize: Sequelize,
  since?: number,
): Promise<Matches> {
  const asked = askedOf(filters);
  const [sole = all] = asked;
  if (isSole(filters)) {
    const { value, begunAt } = await countAsked(sole, sequelize, since);
    return { total: value, way: value <= fewMatches ? sole.way : "walk", begunAt };
  }
  const way = await findWay(asked, sequelize);
  const count = () => readCount(filters, way, sequelize);
  const { value, begunAt } = await keepCount(JSON.stringify(filters), sequelize, count, since);
  return { total: value, way, begunAt };
}

/** What counts the listings that match, as a value of a select. */
export function selectCount(filters: Filters, way: Way, bound: Bound): string {
  const [sole = all] = askedOf(filters);
  if (isSole(filters)) return sole.count(() => bound.add(sole.value));
  return `(select count(*) from (${selectMatching(way, filters, bound)}) as matching)`;
}

/** Whether no more than one thing is asked, which is counted without looking at each listing. */
const isSole = (filters: Filters): boolean =>
  askedOf(filters).length <= 1 && (filters.minPrice ?? filters.maxPrice) === undefined;

/** By what is asked that few listings are; along an index when each of it is common. */
async function findWay(asked: readonly Asked[], sequelize: Sequelize): Promise<Way> {
  for (const one of asked) {
    const { value } = await countAsked(one, sequelize);
    if (value <= fewMatches) return one.way;
  }
  return "walk";
}

interface Asked {
  readonly way: Way;
  readonly value: unknown;
  /** Counts the listings that match in this alone, without looking at each. */
  readonly count: (place: () => string) => string;
}

function askedOf({ pattern, itemId, placeIds }: Filters): Asked[] {
  const every: Asked[] = [
    { way: "label", value: pattern, count: countNamed },
    { way: "item", value: itemId, count: countOfItem },
    { way: "place", value: placeIds, count: countInPlaces },
  ];
  return every.filter(({ value }) => value !== undefined);
}

type SelectCount = Asked["count"];

const countNamed: SelectCount = (place) =>
  `(select coalesce(sum(listings), 0) from listing_names where search_name like ${place()})`;
const countOfItem: SelectCount = (place) =>
  `(select count(*) from listings where item_id = ${place()})`;
const countInPlaces: SelectCount = (place) =>
  `(select coalesce(sum(count), 0) from vendors
    where listed and place_id = any(${place()}::integer[]))`;

const all: Asked = {
  way: "walk",
  value: undefined,
  count: () => "(select items from market_meta)",
};

const countAsked = (
  { way, value, count }: Asked,
  sequelize: Sequelize,
  since?: number,
): Promise<DatedCount> => {
  const bound = new Bound();
  const select = count(() => bound.add(value));
  const key = `${way} ${String(value)}`;
  return keepCount(key, sequelize, () => read(select, bound.values, sequelize), since);
};

function readCount(filters: Filters, way: Way, sequelize: Sequelize): Promise<Count> {
  const bound = new Bound();
  return read(selectCount(filters, way, bound), bound.values, sequelize);
}

/** Counts, and reads in the same instant which version of the market is counted. */
async function read(count: string, bind: unknown[], sequelize: Sequelize): Promise<Count> {
  const [row] = await sequelize.query<Count>(`select version, ${count} as value from market_meta`, {
    bind,
    type: QueryTypes.SELECT,
  });
  return row ?? { version: 0, value: 0 };
}

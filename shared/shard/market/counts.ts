import { LRUCache } from "lru-cache";
import type { Sequelize } from "sequelize";

import { isWithinReadShare } from "../../platform/db/connection/connection.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { SqlParams } from "../../platform/db/sql-text.ts";
import type { Filters } from "./filters.ts";
import {
  countInPlaces,
  countInPrices,
  countNamed,
  countOfItem,
  type SearchPlan,
  selectMatching,
  selectVersioned,
} from "./search.sql.ts";

/** How many listings match, and how they are best found. */
export interface Matches {
  readonly total: number;
  readonly plan: SearchPlan;
  /** When the total was begun to be counted; `performance.now()`. */
  readonly begunAt: number;
}

/**
 * Looking this many up one by one costs about as much as walking an index from its end until a
 * page of as many is full: both take a few milliseconds then, in a market of a million listings.
 */
export const fewMatches = 1_000;

/** So many are looked up one by one for a page that lies deep among them. */
const someMatches = 6_000;

/**
 * Counts exactly what matches, and says by which filter the listings are found.
 * @param since the version of the market to count in, or a later one; without it the total may be
 * that of a moment ago
 */
export async function countMatches(
  filters: Filters,
  sequelize: Sequelize,
  since?: number,
): Promise<Matches> {
  const asked = filtersAsked(filters);
  const [sole = inPrices(filters)] = asked;
  if (asksOne(filters)) {
    const { value, begunAt } = await countOne(sole, sequelize, since);
    return { total: value, plan: value <= someMatches ? sole.plan : "walk", begunAt };
  }
  const plan = await choosePlan(asked, sequelize);
  const count = () => readCount(sequelize, (params) => selectCount(filters, plan, params));
  const { value, begunAt } = await cachedCount(JSON.stringify(filters), sequelize, count, since);
  return { total: value, plan, begunAt };
}

/** What counts the listings that match, as a value of a select. */
export function selectCount(filters: Filters, plan: SearchPlan, params: SqlParams): string {
  const [sole = inPrices(filters)] = filtersAsked(filters);
  if (asksOne(filters)) return sole.count(sole.value, params);
  return `(select count(*) from (${selectMatching(plan, filters, params)}) as matching)`;
}

/** Whether at most one filter is asked, which is counted without a look at each listing. */
const asksOne = (filters: Filters): boolean =>
  filtersAsked(filters).length === 0 || (filtersAsked(filters).length === 1 && !hasPrices(filters));

const hasPrices = ({ minPrice, maxPrice }: Filters): boolean =>
  (minPrice ?? maxPrice) !== undefined;

/** By a filter that few listings match; along an index when many match each of them. */
async function choosePlan(asked: readonly Asked[], sequelize: Sequelize): Promise<SearchPlan> {
  for (const one of asked) {
    const { value } = await countOne(one, sequelize);
    if (value <= someMatches) return one.plan;
  }
  return "walk";
}

/** A filter that is asked, and what counts the listings that match it alone. */
interface Asked {
  readonly plan: SearchPlan;
  readonly value: unknown;
  readonly count: (value: unknown, params: SqlParams) => string;
}

function filtersAsked({ pattern, itemId, placeIds }: Filters): Asked[] {
  const every: Asked[] = [
    { plan: "label", value: pattern, count: countNamed },
    { plan: "item", value: itemId, count: countOfItem },
    { plan: "place", value: placeIds, count: countInPlaces },
  ];
  return every.filter(({ value }) => value !== undefined);
}

/** All listings, or those in a range of prices. */
const inPrices = (filters: Filters): Asked => ({
  plan: "walk",
  value: JSON.stringify([filters.minPrice, filters.maxPrice]),
  count: (_value, params) => countInPrices(filters, params),
});

const countOne = (
  { plan, value, count }: Asked,
  sequelize: Sequelize,
  since?: number,
): Promise<DatedCount> =>
  cachedCount(
    `${plan} ${String(value)}`,
    sequelize,
    () => readCount(sequelize, (params) => count(value, params)),
    since,
  );

async function readCount(
  sequelize: Sequelize,
  select: (params: SqlParams) => string,
): Promise<Count> {
  const params = new SqlParams();
  const text = selectVersioned(select(params));
  return (await firstRow<Count>(sequelize, text, params.values)) ?? { version: 0, value: 0 };
}

/** How many listings match something, in which version of the market. */
interface Count {
  readonly version: number;
  readonly value: number;
}

/** A count, and when it was begun; `performance.now()`. */
interface DatedCount extends Count {
  readonly begunAt: number;
}

/** In memory: a count stays right for as long as the market keeps its version. */
const caches = new WeakMap<Sequelize, LRUCache<string, CachedCount>>();

interface CachedCount {
  readonly begunAt: number;
  readonly counted: Promise<Count>;
  /** It is being counted for strangers, and may wait for a connection, or be refused one, as they are. */
  mayWait: boolean;
}

/** The age bounds how long a database that was put back to an earlier version is counted wrongly. */
const createCache = () => new LRUCache<string, CachedCount>({ max: 1_000, ttl: 10_000 });

const begin = (count: () => Promise<Count>): CachedCount => ({
  begunAt: performance.now(),
  counted: count(),
  mayWait: isWithinReadShare(),
});

/**
 * A count of the market's version `since` or a later one, counted once however many ask at once. Who
 * is signed in does not wait for a count that strangers wait for.
 * Without a version any cached count is taken: as a guess, which costs time when it is wrong.
 */
async function cachedCount(
  key: string,
  sequelize: Sequelize,
  count: () => Promise<Count>,
  since = 0,
): Promise<DatedCount> {
  const cache = caches.get(sequelize) ?? createCache();
  caches.set(sequelize, cache);
  const known = cache.get(key);
  const isGood = known && (!known.mayWait || isWithinReadShare());
  const cached = isGood ? known : begin(count);
  if (cached !== known) cache.set(key, cached);
  const forget = (): void => void (cache.peek(key) === cached && cache.delete(key));
  const counted = await cached.counted.catch((error: unknown) => {
    forget();
    throw error;
  });
  cached.mayWait = false;
  if (counted.version >= since) return { ...counted, begunAt: cached.begunAt };
  forget();
  return cachedCount(key, sequelize, count, since);
}

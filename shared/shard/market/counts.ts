import { LRUCache } from "lru-cache";
import type { Sequelize } from "sequelize";

import { isAnonymousRead } from "../../platform/db/connection/connection.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { SqlParams } from "../../platform/db/sql-text.ts";
import type { ColumnFilters } from "./filters.ts";
import {
  countByPlaceSql,
  countByPriceSql,
  countByNameSql,
  countByItemSql,
  type SearchPlan,
  selectMatchingListingsSql,
  selectVersionedCountSql,
} from "./search.sql.ts";

/** The number of matching listings, and the fastest plan to find them. */
export interface MatchCount {
  readonly total: number;
  readonly plan: SearchPlan;
  /** The start of the count, from `performance.now()`. */
  readonly begunAt: number;
}

/**
 * The number of listings whose lookup takes as long as a scan of the price index of a million listings: a few
 * milliseconds.
 */
export const maxLookups = 1_000;

/** Maximum number of matches to look up one by one for a page with a large offset. */
const maxDeepLookups = 6_000;

/**
 * Counts the matching listings and chooses the plan to find them.
 * @param since the lowest acceptable version of the market; without it the total may be outdated
 */
export async function countMatchingListings(
  filters: ColumnFilters,
  sequelize: Sequelize,
  since?: number,
): Promise<MatchCount> {
  const asked = givenFilters(filters);
  const [sole = priceFilter(filters)] = asked;
  if (hasOneFilter(filters)) {
    const { value, begunAt } = await countOne(sole, sequelize, since);
    return { total: value, plan: value <= maxDeepLookups ? sole.plan : "walk", begunAt };
  }
  const plan = await choosePlan(asked, sequelize);
  const count = () => readCount(sequelize, (params) => buildCountSql(filters, plan, params));
  const { value, begunAt } = await cachedCount(JSON.stringify(filters), sequelize, count, since);
  return { total: value, plan, begunAt };
}

/** Returns an SQL expression that counts the matching listings. */
export function buildCountSql(filters: ColumnFilters, plan: SearchPlan, params: SqlParams): string {
  const [sole = priceFilter(filters)] = givenFilters(filters);
  if (hasOneFilter(filters)) return sole.count(sole.value, params);
  return `(select count(*) from (${selectMatchingListingsSql(plan, filters, params)}) as matching)`;
}

/** Returns true if there is at most one filter. Its matches are counted without reading each listing. */
const hasOneFilter = (filters: ColumnFilters): boolean =>
  givenFilters(filters).length === 0 || (givenFilters(filters).length === 1 && !hasPrices(filters));

const hasPrices = ({ minPrice, maxPrice }: ColumnFilters): boolean =>
  (minPrice ?? maxPrice) !== undefined;

/** Chooses the filter with few matches for a lookup, or the scan of the price index if all have many. */
async function choosePlan(
  asked: readonly GivenFilter[],
  sequelize: Sequelize,
): Promise<SearchPlan> {
  for (const one of asked) {
    const { value } = await countOne(one, sequelize);
    if (value <= maxDeepLookups) return one.plan;
  }
  return "walk";
}

/** One filter of the search, with the SQL that counts its matches. */
interface GivenFilter {
  readonly plan: SearchPlan;
  readonly value: unknown;
  readonly count: (value: unknown, params: SqlParams) => string;
}

function givenFilters({ pattern, itemId, placeIds }: ColumnFilters): GivenFilter[] {
  const every: GivenFilter[] = [
    { plan: "label", value: pattern, count: countByNameSql },
    { plan: "item", value: itemId, count: countByItemSql },
    { plan: "place", value: placeIds, count: countByPlaceSql },
  ];
  return every.filter(({ value }) => value !== undefined);
}

/** The filter by price. Without prices it counts all listings. */
const priceFilter = (filters: ColumnFilters): GivenFilter => ({
  plan: "walk",
  value: JSON.stringify([filters.minPrice, filters.maxPrice]),
  count: (_value, params) => countByPriceSql(filters, params),
});

const countOne = (
  { plan, value, count }: GivenFilter,
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
  const text = selectVersionedCountSql(select(params));
  return (await firstRow<Count>(sequelize, text, params.values)) ?? { version: 0, value: 0 };
}

/** A number of listings, and the version of the market in which they were counted. */
interface Count {
  readonly version: number;
  readonly value: number;
}

/** A count, and its start from `performance.now()`. */
interface DatedCount extends Count {
  readonly begunAt: number;
}

/** Cached counts of this process. A count is valid while the version of the market stays the same. */
const caches = new WeakMap<Sequelize, LRUCache<string, CachedCount>>();

interface CachedCount {
  readonly begunAt: number;
  readonly counted: Promise<Count>;
  /** True if an anonymous caller started the count, so that it may wait for a connection or be refused. */
  mayWait: boolean;
}

/** Counts expire, because a database restored to an earlier version would make wrong counts look valid. */
const createCache = () => new LRUCache<string, CachedCount>({ max: 1_000, ttl: 10_000 });

const startCount = (count: () => Promise<Count>): CachedCount => ({
  begunAt: performance.now(),
  counted: count(),
  mayWait: isAnonymousRead(),
});

/**
 * Returns a count of the market's version `since` or a later one. Concurrent callers share one count, but
 * signed-in callers do not wait for a count that an anonymous caller started. Without `since`, any cached count
 * is returned as an estimate; a wrong estimate only makes the search slower.
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
  const isGood = known && (!known.mayWait || isAnonymousRead());
  const cached = isGood ? known : startCount(count);
  if (cached !== known) cache.set(key, cached);
  const evict = (): void => void (cache.peek(key) === cached && cache.delete(key));
  const result = await cached.counted.catch((error: unknown) => {
    evict();
    throw error;
  });
  cached.mayWait = false;
  if (result.version >= since) return { ...result, begunAt: cached.begunAt };
  evict();
  return cachedCount(key, sequelize, count, since);
}

import { LRUCache } from "lru-cache";
import type { Sequelize } from "sequelize";

import { isWithinReadShare } from "../../platform/db/connection/read-share.ts";

/** How many listings match something, in which version of the market. */
export interface Count {
  readonly version: number;
  readonly value: number;
}

/** A count, and when it was begun; `performance.now()`. */
export interface DatedCount extends Count {
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
export async function cachedCount(
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

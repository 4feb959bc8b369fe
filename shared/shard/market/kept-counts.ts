import type { Sequelize } from "sequelize";

interface KeptCounts {
  readonly version: number;
  readonly counts: Map<string, Promise<number>>;
}

/** Held in memory, as a count is right for as long as the market keeps its version. */
const kept = new WeakMap<Sequelize, KeptCounts>();

/** Counts that are kept at once; the one that was not asked for longest makes room. */
const most = 1_000;

/**
 * What `count` counts in the market of this version, counted once however many ask.
 * @param version as the caller has just read it
 */
export function keepCount(
  key: string,
  version: number,
  sequelize: Sequelize,
  count: () => Promise<number>,
): Promise<number> {
  const counts = countsOf(version, sequelize);
  const counted = counts?.get(key) ?? count();
  if (!counts) return counted;
  counts.delete(key);
  counts.set(key, counted);
  const [oldest] = counts.keys();
  if (counts.size > most && oldest !== undefined) counts.delete(oldest);
  counted.catch(() => counts.delete(key));
  return counted;
}

/** Undefined for a version that has passed: somebody read it just before the market moved on. */
function countsOf(version: number, sequelize: Sequelize): KeptCounts["counts"] | undefined {
  const known = kept.get(sequelize);
  if (known && known.version > version) return undefined;
  if (known?.version === version) return known.counts;
  const counts = new Map<string, Promise<number>>();
  kept.set(sequelize, { version, counts });
  return counts;
}

import type { Sequelize } from "sequelize";

/** How many listings match something, in which version of the market. */
export interface Count {
  readonly version: number;
  readonly value: number;
}

/** A count, and when it was begun; `performance.now()`. */
export interface DatedCount extends Count {
  readonly begunAt: number;
}

interface Kept {
  readonly begunAt: number;
  readonly counted: Promise<Count>;
}

/** Held in memory: a count stays right for as long as the market keeps its version. */
const kept = new WeakMap<Sequelize, Map<string, Kept>>();

/** Counts that are kept at once; the one that was not asked for longest makes room. */
const most = 1_000;

/** A database that was put back to an earlier version may be counted wrongly for so long. */
const keptMs = 10_000;

/**
 * A count of this version of the market or a later one, counted once however many ask at once.
 * Without a version any that is kept will do: for a guess that costs time when it is off, no more.
 */
export async function keepCount(
  key: string,
  sequelize: Sequelize,
  count: () => Promise<Count>,
  since = 0,
): Promise<DatedCount> {
  const counts = countsOf(sequelize);
  const known = counts.get(key);
  const now = performance.now();
  const isKept = known !== undefined && known.begunAt + keptMs > now;
  const entry = isKept ? known : { begunAt: now, counted: count() };
  keep(key, entry, counts);
  const counted = await forgettingFailure(key, entry, counts);
  if (counted.version >= since) return { ...counted, begunAt: entry.begunAt };
  if (counts.get(key) === entry) counts.delete(key);
  return keepCount(key, sequelize, count, since);
}

function countsOf(sequelize: Sequelize): Map<string, Kept> {
  const counts = kept.get(sequelize) ?? new Map<string, Kept>();
  kept.set(sequelize, counts);
  return counts;
}

function keep(key: string, entry: Kept, counts: Map<string, Kept>): void {
  counts.delete(key);
  counts.set(key, entry);
  const [oldest] = counts.keys();
  if (counts.size > most && oldest !== undefined) counts.delete(oldest);
}

async function forgettingFailure(
  key: string,
  entry: Kept,
  counts: Map<string, Kept>,
): Promise<Count> {
  try {
    return await entry.counted;
  } catch (error) {
    if (counts.get(key) === entry) counts.delete(key);
    throw error;
  }
}

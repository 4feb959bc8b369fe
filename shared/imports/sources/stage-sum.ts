import { type Database, firstRow } from "../../platform/db/rows.ts";

/** What rows of a stage add up to: how many they are, and the sum of their hashes. */
export interface StageSum {
  readonly count: number;
  readonly hash: bigint;
}

export const emptySum: StageSum = { count: 0, hash: 0n };

export const addSums = (one: StageSum, other: StageSum): StageSum => ({
  count: one.count + other.count,
  hash: one.hash + other.hash,
});

/** The hash of each row of `from`, or of its columns. */
export const selectHashes = (from: string, hashed: string): string =>
  `select hash_record_extended(${hashed}, 0) as hash from ${from}`;

/** @param hashes statement that reads them */
export const selectSum = (hashes: string): string =>
  `select count(*)::integer as count, coalesce(sum(hash), 0)::text as hash
   from (${hashes}) as hashed`;

/**
 * Adds rows up. What is written to a stage is added up by the statement or in the transaction that
 * writes it, and all of it once more in the transaction that applies it.
 */
export async function readSum(
  statement: string,
  values: readonly unknown[],
  database: Database,
): Promise<StageSum> {
  const row = await firstRow<{ count: number; hash: string }>(database, statement, values);
  return { count: row?.count ?? 0, hash: BigInt(row?.hash ?? 0) };
}

/**
 * A crash of the database empties a stage, or takes its last rows: what is left would pass for all
 * that there is.
 * @throws when a stage holds something else than was written to it, so that the import begins anew
 */
export function requireWhole(stage: string, written: StageSum, found: StageSum): void {
  if (found.count === written.count && found.hash === written.hash) return;
  const counts = `${written.count} rows were written and ${found.count} are there`;
  throw new Error(`the stage of ${stage} was lost, as by a crash of PostgreSQL: ${counts}`);
}

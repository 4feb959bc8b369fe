import { type Database, firstRow } from "../../platform/db/rows.ts";

/** A checksum of a stage's rows: their number and the sum of their hashes. */
export interface StageChecksum {
  readonly count: number;
  readonly hash: bigint;
}

export const emptyChecksum: StageChecksum = { count: 0, hash: 0n };

export const addChecksums = (one: StageChecksum, other: StageChecksum): StageChecksum => ({
  count: one.count + other.count,
  hash: one.hash + other.hash,
});

/** Returns SQL that selects the hash of each row of `from`. @param hashed the columns to hash */
export const selectHashesSql = (from: string, hashed: string): string =>
  `select hash_record_extended(${hashed}, 0) as hash from ${from}`;

/** Returns SQL that selects a checksum. @param hashes a statement that selects hashes */
export const selectChecksumSql = (hashes: string): string =>
  `select count(*)::integer as count, coalesce(sum(hash), 0)::text as hash
   from (${hashes}) as hashed`;

/** Reads a checksum. Call it when rows are written to a stage, and again in the transaction that applies the rows. */
export async function readChecksum(
  statement: string,
  values: readonly unknown[],
  database: Database,
): Promise<StageChecksum> {
  const row = await firstRow<{ count: number; hash: string }>(database, statement, values);
  return { count: row?.count ?? 0, hash: BigInt(row?.hash ?? 0) };
}

/** Throws if a stage's checksums differ, so that the import starts again: a crash can lose staged rows. */
export function requireCompleteStage(
  stage: string,
  written: StageChecksum,
  found: StageChecksum,
): void {
  if (found.count === written.count && found.hash === written.hash) return;
  const counts = `${written.count} rows were written and ${found.count} exist`;
  throw new Error(
    `the stage of ${stage} was lost, for example in a crash of PostgreSQL: ${counts}`,
  );
}

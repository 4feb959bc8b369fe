import type { Sequelize } from "sequelize";

import { countChanged } from "./rows.ts";

/** Rows of one delete: few enough that nobody waits for it. */
const slice = 5_000;

/**
 * Repeats a delete that takes so many rows at the most until it finds fewer.
 * @param values what comes before its last parameter, which says how many
 * @returns how many rows were deleted
 */
export async function deleteInSlices(
  statement: string,
  values: readonly unknown[],
  sequelize: Sequelize,
): Promise<number> {
  for (let total = 0; ;) {
    const deleted = await countChanged(sequelize, statement, [...values, slice]);
    total += deleted;
    if (deleted < slice) return total;
  }
}

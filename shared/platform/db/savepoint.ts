import type { Transaction } from "sequelize";

import { countChanged } from "./rows.ts";
import type { Sql } from "./sql.ts";

/**
 * Does a part of a transaction that is undone by itself when it fails: what the transaction did before
 * stands, and more can follow. @throws what the part failed of
 */
export async function undoneAlone<T>(
  within: Transaction | Sql,
  work: () => Promise<T>,
): Promise<T> {
  await countChanged(within, "savepoint part");
  try {
    const result = await work();
    await countChanged(within, "release savepoint part");
    return result;
  } catch (error) {
    await countChanged(within, "rollback to savepoint part");
    throw error;
  }
}

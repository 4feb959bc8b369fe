import type { Transaction } from "sequelize";

import { countChanged } from "./rows.ts";
import type { SqlClient } from "./sql.ts";

/** Runs `work` in a savepoint, so that its failure undoes only its own changes. @throws the error of `work` */
export async function inSavepoint<T>(
  within: Transaction | SqlClient,
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

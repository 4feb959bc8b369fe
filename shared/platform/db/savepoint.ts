import type { Transaction } from "sequelize";

import { executeStatement } from "./rows.ts";
import type { SqlClient } from "./sql.ts";

/** Runs `work` in a savepoint, so that its failure undoes only its own changes. @throws the error of `work` */
export async function inSavepoint<T>(
  within: Transaction | SqlClient,
  work: () => Promise<T>,
): Promise<T> {
  await executeStatement(within, "savepoint part");
  try {
    const result = await work();
    await executeStatement(within, "release savepoint part");
    return result;
  } catch (error) {
    await executeStatement(within, "rollback to savepoint part");
    throw error;
  }
}

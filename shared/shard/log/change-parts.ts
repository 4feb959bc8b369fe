import type { Sequelize, Transaction } from "sequelize";

import { isLocked } from "../../db/database-away.ts";
import { rows } from "../../db/rows.ts";
import { inTransaction } from "../../db/transaction.ts";

/**
 * Changes the log's parts in one transaction. Whoever reads or writes the log waits behind a change
 * that waits, so it waits two seconds at most; a backup holds every part for as long as it takes.
 * @returns undefined when somebody held them: nothing is done, and the job's next run tries again
 */
export async function changeParts<T>(
  sequelize: Sequelize,
  change: (transaction: Transaction) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await inTransaction(sequelize, async (transaction) => {
      await rows(transaction, "set local lock_timeout = '2s'; set local statement_timeout = 0");
      return change(transaction);
    });
  } catch (error) {
    if (isLocked(error)) return undefined;
    throw error;
  }
}

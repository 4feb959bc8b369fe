import type { Sequelize, Transaction } from "sequelize";

import { isLocked } from "../../platform/db/connection/database-away.ts";
import { rows } from "../../platform/db/rows.ts";
import { shareSchema } from "../../platform/db/schema/share-schema.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { LogPart } from "./parts.ts";

/**
 * Changes the log's parts in one transaction. Whoever reads or writes the log waits behind a change
 * that waits, so it waits two seconds at most; a backup holds every part for as long as it takes.
 * @returns undefined when somebody held them, or a release changes the schema: nothing is done, and the
 *   job's next run tries again
 */
export async function changeParts<T>(
  sequelize: Sequelize,
  change: (transaction: Transaction) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await inTransaction(sequelize, async (transaction) => {
      if (!(await shareSchema(transaction))) return undefined;
      await rows(transaction, "set local lock_timeout = '2s'; set local statement_timeout = 0");
      return change(transaction);
    });
  } catch (error) {
    if (isLocked(error)) return undefined;
    throw error;
  }
}

/**
 * Changes one part while nobody else has the log.
 * @returns undefined when somebody held them, as above
 */
export async function changePart<T>(
  { name }: Pick<LogPart, "name">,
  sequelize: Sequelize,
  change: (transaction: Transaction) => Promise<T>,
): Promise<T | undefined> {
  // An autovacuum gives way to whoever has waited a second for the part: that wait comes before the
  // one for the log, during which everybody waits.
  const isFree = await changeParts(sequelize, (transaction) =>
    rows(transaction, `lock table ${name} in share update exclusive mode`),
  );
  if (!isFree) return undefined;
  return changeParts(sequelize, async (transaction) => {
    await holdLog(transaction);
    // Everybody waits from here on: a part that is held all the same is left for the next run.
    await rows(
      transaction,
      `set local lock_timeout = '100ms'; lock table ${name} in access exclusive mode`,
    );
    return change(transaction);
  });
}

/** Whoever reads or writes locks the log before its parts: in another order the two would deadlock. */
const holdLog = (transaction: Transaction) =>
  rows(transaction, "lock table only shard_events in access exclusive mode");

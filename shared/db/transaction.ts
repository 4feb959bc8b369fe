import type { Sequelize, Transaction } from "sequelize";

/**
 * Runs `work` in one transaction: the change, its activity row, what it enqueues and what it
 * notifies are committed together or not at all.
 */
export function inTransaction<T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return sequelize.transaction(work);
}

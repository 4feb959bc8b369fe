import { type Sequelize, Transaction } from "sequelize";

import { defineModels, type Models } from "../../../models/index.ts";
import { assertNoCaller, runWithCheckedRights } from "../access/caller-rights.ts";

/** The pool of each open transaction, which Sequelize does not expose. */
const pools = new WeakMap<Transaction, Sequelize>();

/**
 * Runs a request's `work` in one transaction: the change, its activity row, its jobs and its
 * notifications are committed together or not at all. THE place where the caller's rights are checked
 * again, under the first lock: the session may have ended while the request waited for its body, a lock
 * or a connection. Without a signed-in caller, nothing is checked.
 * @param lockFirst takes locks that precede the lock of the caller's row
 * @throws AppError unauthenticated, forbidden: then nothing is written
 */
export function inCallersTransaction<T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
  lockFirst?: (transaction: Transaction) => Promise<void>,
): Promise<T> {
  return sequelize.transaction(async (transaction) => {
    pools.set(transaction, sequelize);
    await lockFirst?.(transaction);
    return runWithCheckedRights(transaction, () => work(transaction));
  });
}

/**
 * Runs the `work` of a job in one transaction, as `inCallersTransaction` does for a request. It checks
 * nobody's rights, so it refuses to run while a signed-in caller's request is answered.
 */
export async function inTransaction<T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  assertNoCaller();
  return sequelize.transaction(async (transaction) => {
    pools.set(transaction, sequelize);
    return work(transaction);
  });
}

/** Like `inTransaction`, for data that a crash may lose: the commit does not wait for disk or standby. */
export const inAsyncCommitTransaction = <T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> =>
  inTransaction(sequelize, async (transaction) => {
    await sequelize.query("set local synchronous_commit = off", { transaction });
    return work(transaction);
  });

/** Runs reads in one snapshot, so that they see no commit made in between. */
export function inSnapshot<T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const isolationLevel = Transaction.ISOLATION_LEVELS.REPEATABLE_READ;
  return sequelize.transaction({ isolationLevel, readOnly: true }, (transaction) => {
    pools.set(transaction, sequelize);
    return work(transaction);
  });
}

export function poolOf(transaction: Transaction): Sequelize {
  const pool = pools.get(transaction);
  if (!pool) throw new Error("the transaction was not started by this module");
  return pool;
}

export const modelsOf = (transaction: Transaction): Models => defineModels(poolOf(transaction));

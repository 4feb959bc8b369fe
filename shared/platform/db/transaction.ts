import { type Sequelize, Transaction } from "sequelize";

import { defineModels, type Models } from "../../../models/index.ts";
import { withinRights } from "../access/acting.ts";

/** The pool of each open transaction: Sequelize keeps that to itself. */
const pools = new WeakMap<Transaction, Sequelize>();

/**
 * Runs `work` in one transaction: the change, its activity row, what it enqueues and what it
 * notifies are committed together or not at all. THE place where the rights of a request's caller
 * are asked for once more, under the first lock: the session that the request was let in with may
 * have ended while it waited for its body, for a lock or for a connection.
 * @param lockFirst takes locks that come before that of the caller's row
 * @throws AppError unauthenticated, forbidden: nothing of the transaction is done then
 */
export function inTransaction<T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
  lockFirst?: (transaction: Transaction) => Promise<void>,
): Promise<T> {
  return sequelize.transaction(async (transaction) => {
    pools.set(transaction, sequelize);
    await lockFirst?.(transaction);
    return withinRights(transaction, () => work(transaction));
  });
}

/**
 * The same for what nobody misses when the database forgets it in a crash or a failover: it waits for no
 * disk and for no standby, and holds up nobody who waits for its rows.
 */
export const inForgettableTransaction = <T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> =>
  inTransaction(sequelize, async (transaction) => {
    await sequelize.query("set local synchronous_commit = off", { transaction });
    return work(transaction);
  });

/**
 * Runs reads that belong together: all of them see the rows of one moment. What a writer commits
 * between two of them is seen by none.
 */
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

/** The pool that a transaction of `inTransaction` belongs to. */
export function poolOf(transaction: Transaction): Sequelize {
  const pool = pools.get(transaction);
  if (!pool) throw new Error("a transaction begins with inTransaction()");
  return pool;
}

/** The models of the pool that a transaction of `inTransaction` belongs to. */
export const modelsOf = (transaction: Transaction): Models => defineModels(poolOf(transaction));

import type { Transaction } from "sequelize";

import { modelsOf } from "../../platform/db/transaction.ts";
import { foldUsername } from "../rules/usernames.ts";

/**
 * Works out the fold of names that have none: an older release made or changed them while this one
 * took over, or an older account had the same fold until now. Done every hour, and before a name is
 * given away, so that the account that had it first keeps it.
 */
export async function foldStoredNames(transaction: Transaction): Promise<void> {
  const { User } = modelsOf(transaction);
  const unfolded = await User.findAll({
    attributes: ["id", "username"],
    where: { usernameFold: null },
    order: ["id"],
    lock: transaction.LOCK.NO_KEY_UPDATE,
    skipLocked: true,
    transaction,
  });
  for (const { id, username } of unfolded) {
    const usernameFold = foldUsername(username);
    const isTaken = await User.findOne({
      attributes: ["id"],
      where: { usernameFold },
      transaction,
    });
    if (!isTaken) await User.update({ usernameFold }, { where: { id }, transaction });
  }
}

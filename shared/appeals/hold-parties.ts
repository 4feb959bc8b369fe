import type { Transaction } from "sequelize";

import type { Caller } from "../platform/access/caller.ts";
import { modelsOf } from "../platform/db/transaction.ts";

interface Parties {
  readonly ownerId: number;
  /** Who of staff acts; the owner otherwise. */
  readonly caller?: Caller;
}

/**
 * Holds the users that an act on an appeal refers to, before anything of the appeal. A user who is
 * deleted is locked first, and takes or leaves punishments and then appeals: whoever locked them the
 * other way round would wait for the deletion, and it for them. The order is users, punishments,
 * appeals.
 * @returns whether the owner is still there
 * @throws AppError unauthenticated, forbidden where the caller may no longer act
 */
export async function holdParties(
  { ownerId, caller }: Parties,
  transaction: Transaction,
): Promise<boolean> {
  await caller?.holdRights(transaction);
  const lock = transaction.LOCK.KEY_SHARE;
  const owner = { attributes: ["id"], transaction, lock };
  return (await modelsOf(transaction).User.findByPk(ownerId, owner)) !== null;
}

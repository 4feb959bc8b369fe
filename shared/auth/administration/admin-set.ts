import { Op, type Transaction } from "sequelize";

import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { lockForTransaction } from "../../platform/db/lock.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError, missing } from "../../platform/errors/errors.ts";
import { lockCaller } from "../sessions/own-account.ts";
import { lockUser, type UserRow } from "../users/users.ts";

/**
 * Runs what an administrator does to the set of administrators or to another user, with the set
 * locked before the actor's row and that before any other user's. Such changes run one after another:
 * two at once could each rely on the administrator whom the other removes, or wait for each other.
 * @throws AppError forbidden when the actor is no administrator any more, unauthenticated when its
 *   session has ended: a stolen session must not leave an account or an invitation behind
 */
export function inAdminSet<T>(
  actor: Caller,
  context: Context,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const lockFirst = async (transaction: Transaction): Promise<void> => {
    await lockAdmins(transaction);
    if (await isAnyAdmin({ [Op.eq]: actor.userId }, transaction)) return;
    throw new AppError("role_required", "Admin role required");
  };
  const act = async (transaction: Transaction): Promise<T> => {
    await lockCaller(actor, transaction, context);
    return work(transaction);
  };
  return inTransaction(context.sequelize, act, lockFirst);
}

/** Comes before the lock of any user's row. */
export const lockAdmins = (transaction: Transaction): Promise<void> =>
  lockForTransaction("adminSet", transaction);

/** The same, for what is done to one user, whose row is locked. @throws AppError missing too */
export const toUser = <T>(
  userId: number,
  actor: Caller,
  context: Context,
  work: (user: UserRow, transaction: Transaction) => Promise<T>,
): Promise<T> =>
  inAdminSet(actor, context, async (transaction) => {
    const user = await lockUser(userId, transaction);
    if (!user) throw missing("Unknown user");
    return work(user, transaction);
  });

/** @throws AppError conflict when the user is the only one who can administer the site */
export async function keepAnAdmin(user: UserRow, transaction: Transaction): Promise<void> {
  if (user.role !== "admin" || user.disabledAt) return;
  if (!(await isAnyAdmin({ [Op.ne]: user.id }, transaction))) {
    throw new AppError("last_admin", "Last admin");
  }
}

/** The names of the site's administrators, the oldest account first. */
export async function readAdminNames({ models }: Pick<Context, "models">): Promise<string[]> {
  const { User } = models;
  const read = { attributes: ["username"], order: ["id"] };
  const admins = await User.scope("administrators").findAll(read);
  return admins.map(({ username }) => username);
}

async function isAnyAdmin(
  id: { readonly [Op.eq]: number } | { readonly [Op.ne]: number },
  transaction: Transaction,
): Promise<boolean> {
  const { User } = modelsOf(transaction);
  const read = { attributes: ["id"], where: { id }, transaction };
  return (await User.scope("administrators").findOne(read)) !== null;
}

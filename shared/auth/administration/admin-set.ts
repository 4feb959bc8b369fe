import { Op, type Transaction } from "sequelize";

import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { takeTransactionLock } from "../../platform/db/lock.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError, notFoundError } from "../../platform/errors/errors.ts";
import { lockCaller } from "../sessions/lock-caller.ts";
import { lockUser, type UserRow } from "../users/users.ts";

/**
 * Runs a change of a user or of the administrators. It locks the set of administrators, then the actor's
 * row, then other rows: otherwise two administrators could remove each other or deadlock.
 * @throws AppError forbidden if the actor is no longer an administrator, unauthenticated if the actor's
 * session ended: a stolen session must not leave an account or an invitation behind
 */
export function runWithAdminLock<T>(
  actor: Caller,
  context: Context,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const lockAdminSet = async (transaction: Transaction): Promise<void> => {
    await lockAdmins(transaction);
    if (await isAnyAdmin({ [Op.eq]: actor.userId }, transaction)) return;
    throw new AppError("role_required", "Admin role required");
  };
  const act = async (transaction: Transaction): Promise<T> => {
    await lockCaller(actor, transaction, context);
    return work(transaction);
  };
  return inCallersTransaction(context.sequelize, act, lockAdminSet);
}

/** Take this lock before the lock of any user's row. */
export const lockAdmins = (transaction: Transaction): Promise<void> =>
  takeTransactionLock("adminSet", transaction);

/** Does the same as `runWithAdminLock` and locks a user. @throws AppError missing for an unknown user */
export const runWithAdminAndUserLock = <T>(
  userId: number,
  actor: Caller,
  context: Context,
  work: (user: UserRow, transaction: Transaction) => Promise<T>,
): Promise<T> =>
  runWithAdminLock(actor, context, async (transaction) => {
    const user = await lockUser(userId, transaction);
    if (!user) throw notFoundError("Unknown user");
    return work(user, transaction);
  });

/** @throws AppError conflict if the user is the last active administrator */
export async function requireOtherAdmin(user: UserRow, transaction: Transaction): Promise<void> {
  if (user.role !== "admin" || user.disabledAt) return;
  if (!(await isAnyAdmin({ [Op.ne]: user.id }, transaction))) {
    throw new AppError("last_admin", "Last admin");
  }
}

/** Lists the administrators' names, oldest account first. */
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

import { Op, type Transaction } from "sequelize";

import type { Context } from "../../context.ts";
import { lockForTransaction } from "../../db/lock.ts";
import { modelsOf } from "../../db/transaction.ts";
import { AppError, missing } from "../../errors.ts";
import type { Caller } from "../caller/caller.ts";
import { lockCaller } from "../sessions/own-account.ts";
import { lockUser, type UserRow } from "../users/users.ts";

/**
 * Locks the set of administrators, and then the user to be changed. Such changes run one after
 * another: two at once could each rely on the administrator whom the other removes, and an actor
 * could act on after the loss of the role.
 * @throws AppError forbidden, unauthenticated, missing
 */
export async function lockForAdmin(
  userId: number,
  actor: Caller,
  transaction: Transaction,
  context: Context,
): Promise<UserRow> {
  await lockAdminSet(actor, transaction, context);
  const user = await lockUser(userId, transaction);
  if (!user) throw missing("Unknown user");
  return user;
}

/**
 * @throws AppError forbidden when the actor is no administrator any more, unauthenticated when its
 *   session has ended: a stolen session must not leave an account or an invitation behind
 */
export async function lockAdminSet(
  actor: Caller,
  transaction: Transaction,
  context: Context,
): Promise<void> {
  await lockForTransaction("adminSet", transaction);
  if (!(await isAnyAdmin({ [Op.eq]: actor.userId }, transaction))) {
    throw new AppError("role_required", "Admin role required");
  }
  await lockCaller(actor, transaction, context);
}

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

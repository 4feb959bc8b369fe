import type { Transaction } from "sequelize";

import { lockAdmins, toUser, keepAnAdmin } from "../auth/administration/admin-set.ts";
import { endTokensOf } from "../auth/administration/api-tokens.ts";
import { lockCaller } from "../auth/sessions/own-account.ts";
import { revokeAll } from "../auth/sessions/revocation.ts";
import { orderMail } from "../auth/users/order-mail.ts";
import type { UserRow } from "../auth/users/users.ts";
import type { Caller } from "../platform/access/caller.ts";
import { forgetInLog, type Target } from "../platform/activity/activity-log.ts";
import { recordActivity } from "../platform/activity/activity.ts";
import { inTransaction, modelsOf } from "../platform/db/transaction.ts";
import type { SurvivalContext } from "../survival/context.ts";
import { forgetGrantsOf } from "../survival/permissions/grants/manage-grants.ts";

/**
 * Deletes the caller's own account for good. The line of the log names nobody but by the id.
 * @throws AppError conflict for the last administrator
 */
export function deleteOwnAccount(caller: Caller, context: SurvivalContext): Promise<void> {
  return inTransaction(
    context.sequelize,
    async (transaction) => {
      const { user } = await lockCaller(caller, transaction, context);
      const { id: userId, email } = user;
      await deleteUser(user, transaction, context);
      const target = { type: "user", id: userId };
      await recordActivity({ actorId: userId, action: "user.deleted", target }, transaction);
      if (email === null) return;
      await orderMail({ letter: "accountDeleted", userId, email }, transaction, context);
    },
    // As every change of the set does: of two last administrators who leave at once one stays.
    lockAdmins,
  );
}

/** Deletes a user for good, with all that is theirs; the log keeps the id. */
export function deleteAccount(
  userId: number,
  actor: Caller,
  context: SurvivalContext,
): Promise<void> {
  return toUser(userId, actor, context, async (user, transaction) => {
    await deleteUser(user, transaction, context);
    const { username, role } = user;
    const target = { type: "user", id: userId };
    const detail = { username, role };
    await recordActivity({ actor, action: "user.deleted", target, detail }, transaction);
  });
}

/**
 * Deletes a locked user with all that is theirs; the log keeps the id alone. The shard learns of it
 * from a job. Lock the set of administrators before the user.
 * @throws AppError conflict for the last administrator
 */
async function deleteUser(
  user: UserRow,
  transaction: Transaction,
  context: SurvivalContext,
): Promise<void> {
  const { models, queue } = context;
  const { id: userId } = user;
  await keepAnAdmin(user, transaction);
  await models.Invite.revokeAllBy(userId, transaction);
  await models.Invite.forgetAddressOf(userId, transaction);
  await endTokensOf(userId, transaction);
  // Tells every open stream; the rows themselves go with the user.
  await revokeAll(userId, { reason: "deletion", trustedDevices: true }, transaction);
  const own = await readOwnThings(userId, transaction);
  await forgetGrantsOf(userId, context, transaction);
  await models.User.destroy({ where: { id: userId }, transaction });
  await forgetInLog(userId, own, transaction);
  await queue.enqueue("shard.unlink-user", { userId }, { within: transaction });
}

/** What goes with a user who is deleted, and lines of the log are about. */
async function readOwnThings(userId: number, transaction: Transaction): Promise<Target[]> {
  const { Appeal, SurvivalGrant } = modelsOf(transaction);
  const read = { attributes: ["id"], where: { userId }, transaction };
  const appeals = await Appeal.findAll(read);
  const grants = await SurvivalGrant.findAll(read);
  return [
    ...appeals.map(({ id }) => ({ type: "appeal", id })),
    ...grants.map(({ id }) => ({ type: "survival_grant", id })),
  ];
}

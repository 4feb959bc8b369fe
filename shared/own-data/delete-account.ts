import type { Transaction } from "sequelize";

import {
  lockAdmins,
  runWithAdminAndUserLock,
  requireOtherAdmin,
} from "../auth/administration/admin-set.ts";
import { revokeTokensOfUser } from "../auth/administration/api-tokens.ts";
import { lockCaller } from "../auth/sessions/lock-caller.ts";
import { revokeAllAccess } from "../auth/sessions/revocation.ts";
import { enqueueMail } from "../auth/users/order-mail.ts";
import type { UserRow } from "../auth/users/users.ts";
import type { Caller } from "../platform/access/caller.ts";
import { anonymizeLog, type ActivityTarget } from "../platform/activity/activity-log.ts";
import { recordActivity } from "../platform/activity/activity.ts";
import { inCallersTransaction, modelsOf } from "../platform/db/transaction.ts";
import type { SurvivalContext } from "../survival/context.ts";
import { deleteGrantsOf } from "../survival/permissions/grants/manage-grants.ts";

/** Deletes the caller's account permanently. @throws AppError conflict for the last administrator */
export function deleteOwnAccount(caller: Caller, context: SurvivalContext): Promise<void> {
  return inCallersTransaction(
    context.sequelize,
    async (transaction) => {
      const { user } = await lockCaller(caller, transaction, context);
      const { id: userId, email } = user;
      await deleteUser(user, transaction, context);
      const target = { type: "user", id: userId };
      await recordActivity({ actorId: userId, action: "user.deleted", target }, transaction);
      if (email === null) return;
      await enqueueMail({ letter: "accountDeleted", userId, email }, transaction, context);
    },
    // Every change of the set of administrators takes this lock. Without it, the last two administrators could
    // delete their accounts at the same time.
    lockAdmins,
  );
}

/** Deletes a user and their data permanently. The activity log keeps the user's id. */
export function deleteAccount(
  userId: number,
  actor: Caller,
  context: SurvivalContext,
): Promise<void> {
  return runWithAdminAndUserLock(userId, actor, context, async (user, transaction) => {
    await deleteUser(user, transaction, context);
    const { username, role } = user;
    const target = { type: "user", id: userId };
    const detail = { username, role };
    await recordActivity({ actor, action: "user.deleted", target, detail }, transaction);
  });
}

/**
 * Deletes a locked user and their data. A job removes the links on the shard. Lock the administrators before
 * the user.
 * @throws AppError conflict for the last administrator
 */
async function deleteUser(
  user: UserRow,
  transaction: Transaction,
  context: SurvivalContext,
): Promise<void> {
  const { models, queue } = context;
  const { id: userId } = user;
  await requireOtherAdmin(user, transaction);
  await models.Invite.revokeAllBy(userId, transaction);
  await models.Invite.deleteAddressOf(userId, transaction);
  await revokeTokensOfUser(userId, transaction);
  // Revoking the sessions ends open streams. The sessions' rows are deleted with the user.
  await revokeAllAccess(userId, { reason: "deletion", trustedDevices: true }, transaction);
  const own = await readOwnTargets(userId, transaction);
  await deleteGrantsOf(userId, context, transaction);
  await models.User.destroy({ where: { id: userId }, transaction });
  await anonymizeLog(userId, own, transaction);
  await queue.enqueue("shard.unlink-user", { userId }, { within: transaction });
}

/** Reads the rows that are deleted with the user and that log entries refer to. */
async function readOwnTargets(userId: number, transaction: Transaction): Promise<ActivityTarget[]> {
  const { Appeal, SurvivalGrant } = modelsOf(transaction);
  const read = { attributes: ["id"], where: { userId }, transaction };
  const appeals = await Appeal.findAll(read);
  const grants = await SurvivalGrant.findAll(read);
  return [
    ...appeals.map(({ id }) => ({ type: "appeal", id })),
    ...grants.map(({ id }) => ({ type: "survival_grant", id })),
  ];
}

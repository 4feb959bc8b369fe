import { lockAdmins } from "../auth/admins/admin-set.ts";
import { orderMail } from "../auth/mail/order-mail.ts";
import { lockCaller } from "../auth/sessions/own-account.ts";
import type { Caller } from "../platform/access/caller.ts";
import { recordActivity } from "../platform/activity/activity.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { SurvivalContext } from "../survival/context.ts";
import { deleteUser } from "./delete-user.ts";

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

import type { Transaction } from "sequelize";

import { recordActivity } from "../../activity/activity.ts";
import type { Context } from "../../context.ts";
import { lockAdmins } from "../admins/admin-set.ts";
import type { Caller } from "../caller/caller.ts";
import type { Client } from "../caller/client.ts";
import { orderMail } from "../mail/order-mail.ts";
import { reauthenticate, type Reauthentication } from "../second-factor/reauthentication.ts";
import type { UserRow } from "../users/users.ts";
import { deleteUser } from "./delete-user.ts";

/**
 * Deletes the caller's own account for good. The line of the log names nobody but by the id.
 * @throws AppError conflict for the last administrator
 */
export function deleteOwnAccount(
  caller: Caller,
  given: Reauthentication,
  client: Client,
  context: Context,
): Promise<void> {
  const act = async (user: UserRow, transaction: Transaction) => {
    const { id: userId, email } = user;
    await deleteUser(user, transaction, context);
    const target = { type: "user", id: userId };
    await recordActivity({ actorId: userId, action: "user.deleted", target }, transaction);
    if (email === null) return;
    await orderMail({ letter: "accountDeleted", userId, email }, transaction, context);
  };
  // As every change of the set does: of two last administrators who leave at once one stays.
  return reauthenticate({ caller, client, given, lockFirst: lockAdmins, act }, context);
}

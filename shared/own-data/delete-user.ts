import type { Transaction } from "sequelize";

import { keepAnAdmin } from "../auth/admins/admin-set.ts";
import { revokeAll } from "../auth/sessions/revocation.ts";
import { endTokensOf } from "../auth/tokens/end-tokens.ts";
import type { UserRow } from "../auth/users/users.ts";
import { forgetInLog } from "../platform/activity/forget-in-log.ts";
import type { SurvivalContext } from "../survival/context.ts";
import { forgetGrantsOf } from "../survival/permissions/grants/manage-grants.ts";
import { readOwnThings } from "./own-things.ts";

/**
 * Deletes a locked user with all that is theirs; the log keeps the id alone. The shard learns of it
 * from a job. Lock the set of administrators before the user.
 * @throws AppError conflict for the last administrator
 */
export async function deleteUser(
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

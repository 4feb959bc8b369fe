import { toUser } from "../auth/admins/admin-set.ts";
import type { Caller } from "../platform/access/caller.ts";
import { recordActivity } from "../platform/activity/activity.ts";
import type { SurvivalContext } from "../survival/context.ts";
import { deleteUser } from "./delete-user.ts";

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

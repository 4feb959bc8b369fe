import type { Context } from "../context.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { notify } from "../notify/notify.ts";
import type { Caller } from "./caller.ts";
import type { Client } from "./client.ts";
import { recordOwn } from "./own-activity.ts";
import { revokeFamily } from "./revocation.ts";
import { lockUser } from "./users.ts";

/** Ends the one session the caller uses; a device session ends with all its tokens. */
export function logout(caller: Caller, client: Client, context: Context): Promise<void> {
  const { userId, tokenId, expiresAt, familyId } = caller;
  return inTransaction(context.sequelize, async (transaction) => {
    // Whoever was deleted since has no session left to end.
    if (!(await lockUser(userId, transaction))) return;
    await sqlOf(transaction).query(
      `insert into revoked_tokens (token_id, user_id, expires_at)
       values ($1, $2, to_timestamp($3)) on conflict do nothing`,
      [tokenId, userId, expiresAt],
    );
    if (familyId !== null) {
      await revokeFamily({ userId, familyId, reason: "logout" }, transaction);
    }
    await recordOwn({ userId, action: "auth.logout", client }, transaction);
    await notify("auth_revoked", { userId, tokenId }, transaction);
  });
}

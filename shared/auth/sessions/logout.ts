import type { Context } from "../../context.ts";
import { countChanged } from "../../db/rows.ts";
import { inTransaction } from "../../db/transaction.ts";
import { notify } from "../../notify/notify.ts";
import type { Credential } from "../caller/caller.ts";
import type { Client } from "../caller/client.ts";
import { recordOwn } from "../users/own-activity.ts";
import { lockUser } from "../users/users.ts";
import { revokeFamily } from "./revocation.ts";

/**
 * Ends the one session that a genuine credential belongs to, with every token it was or will be
 * issued anew as; a device session ends with all its tokens. The credential may be cut off already:
 * a thief could have done that to go on with the session alone.
 */
export function logout(credential: Credential, client: Client, context: Context): Promise<void> {
  const { userId, tokenId, expiresAt, familyId } = credential;
  return inTransaction(context.sequelize, async (transaction) => {
    // A user who was deleted since has no session left to end.
    if (!(await lockUser(userId, transaction))) return;
    const revoked = await countChanged(
      transaction,
      `insert into revoked_tokens (token_id, user_id, expires_at)
       select $1, $2, to_timestamp($3) where to_timestamp($3) > clock_timestamp()
       on conflict do nothing`,
      [tokenId, userId, expiresAt],
    );
    const family = { userId, familyId: familyId ?? 0, reason: "logout" };
    const hasEnded = familyId !== null && (await revokeFamily(family, transaction));
    if (revoked === 0 && !hasEnded) return;
    await recordOwn({ userId, action: "auth.logout", client }, transaction);
    await notify("auth_revoked", { userId, tokenId }, transaction);
  });
}

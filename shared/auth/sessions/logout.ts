import type { Credential, Client } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { notify } from "../../platform/notify/channels.ts";
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
    const user = await lockUser(userId, transaction);
    if (!user) return;
    const revoked = { tokenId, userId, expiresAt: new Date(expiresAt * 1000) };
    const isRevoked =
      expiresAt > user.readAt &&
      (await context.models.RevokedToken.revokeOnce(revoked, transaction));
    const family = { userId, familyId: familyId ?? 0, reason: "logout" };
    const hasEnded = familyId !== null && (await revokeFamily(family, transaction));
    if (!isRevoked && !hasEnded) return;
    await recordOwn({ userId, action: "auth.logout", client }, transaction);
    await notify("auth_revoked", { userId, tokenId }, transaction);
  });
}

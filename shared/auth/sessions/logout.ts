import type { Credential, SignInClient } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { notify } from "../../platform/notify/channels.ts";
import { recordOwnActivity } from "../users/own-activity.ts";
import { lockUser } from "../users/users.ts";
import { revokeDeviceSession } from "./revocation.ts";

/**
 * Ends the session of a genuine credential, so that no earlier or later token of this session is valid. Revoked
 * credentials are accepted too: a thief could have revoked the owner's credential to keep the session alive.
 */
export function logout(
  credential: Credential,
  client: SignInClient,
  context: Context,
): Promise<void> {
  const { userId, tokenId, expiresAt, familyId } = credential;
  return inCallersTransaction(context.sequelize, async (transaction) => {
    // The row is missing if the user was deleted.
    const user = await lockUser(userId, transaction);
    if (!user) return;
    const revoked = { tokenId, userId, expiresAt: new Date(expiresAt * 1000) };
    const isRevoked =
      expiresAt > user.readAt &&
      (await context.models.RevokedToken.revokeOnce(revoked, transaction));
    const family = { userId, familyId: familyId ?? 0, reason: "logout" };
    const hasEnded = familyId !== null && (await revokeDeviceSession(family, transaction));
    if (!isRevoked && !hasEnded) return;
    await recordOwnActivity({ userId, action: "auth.logout", client }, transaction);
    await notify("auth_revoked", { userId, tokenId }, transaction);
  });
}

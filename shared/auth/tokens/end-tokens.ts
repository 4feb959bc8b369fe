import type { Transaction } from "sequelize";

import { modelsOf } from "../../platform/db/transaction.ts";
import { notify } from "../../platform/notify/notify.ts";

/** Ends the tokens of a user who administers the site no more, for good, with their streams. */
export async function endTokensOf(userId: number, transaction: Transaction): Promise<void> {
  const revoked = await modelsOf(transaction).ApiToken.revokeAllBy(userId, transaction);
  for (const { id } of revoked) {
    await notify("auth_revoked", { userId, apiTokenId: id }, transaction);
  }
}

import type { Transaction } from "sequelize";

import type { Caller } from "../../platform/access/caller.ts";
import type { Client } from "../../platform/access/client.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { tellUser } from "../mail/order-mail.ts";
import { lockCaller } from "../sessions/own-account.ts";
import { recordOwn } from "../users/own-activity.ts";
import {
  countRecoveryCodes,
  makeRecoveryCodes,
  type RecoveryCodes,
  replaceRecoveryCodes,
} from "./recovery-codes.ts";

export interface CodesRequest {
  readonly caller: Caller;
  readonly client: Client;
  /** `first` refuses when there is a set already, `replace` takes its place. */
  readonly mode: "first" | "replace";
}

/** A set of recovery codes for a caller with a second factor. @returns the codes, shown once */
export async function issueRecoveryCodes(
  { caller, client, mode }: CodesRequest,
  context: Context,
): Promise<readonly string[]> {
  const { userId } = caller;
  let recovery: RecoveryCodes | undefined;
  if (!(await findObstacle(caller, mode, context))) {
    recovery = await makeRecoveryCodes(client, context.config);
  }
  return inTransaction(context.sequelize, async (transaction) => {
    const { user } = await lockCaller(caller, transaction, context);
    const now = { userId, totpEnabled: user.totpEnabled };
    const obstacle = await findObstacle(now, mode, context, transaction);
    if (obstacle) throw obstacle;
    recovery ??= await makeRecoveryCodes(client, context.config);
    await replaceRecoveryCodes(userId, recovery, transaction);
    await recordOwn({ userId, action: "auth.recovery.regenerated", client }, transaction);
    await tellUser(userId, "recoveryCodesMade", transaction, context);
    return recovery.codes;
  });
}

/**
 * Why no set may be made. Asked first to save ten slow hashes, and refused under the lock alone: an
 * earlier refusal would tell a guesser whose code is used or locked that the code is right.
 */
async function findObstacle(
  { userId, totpEnabled }: Pick<Caller, "userId" | "totpEnabled">,
  mode: CodesRequest["mode"],
  { models }: Context,
  transaction?: Transaction,
): Promise<AppError | null> {
  if (!totpEnabled) {
    return new AppError("second_factor_disabled", "The second factor is not enabled");
  }
  const { total } = await countRecoveryCodes(userId, { models }, transaction);
  const isThere = mode === "first" && total > 0;
  return isThere ? new AppError("recovery_codes_exist", "There are recovery codes already") : null;
}

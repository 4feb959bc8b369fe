import type { Transaction } from "sequelize";

import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Caller } from "../caller/caller.ts";
import type { Client } from "../caller/client.ts";
import { tellUser } from "../mail/order-mail.ts";
import { recordOwn } from "../users/own-activity.ts";
import type { UserRow } from "../users/users.ts";
import { reauthenticate, type Reauthentication } from "./reauthentication.ts";
import {
  countRecoveryCodes,
  makeRecoveryCodes,
  type RecoveryCodes,
  replaceRecoveryCodes,
} from "./recovery-codes.ts";

export interface CodesRequest {
  readonly caller: Caller;
  readonly client: Client;
  readonly given: Reauthentication;
  /** `first` refuses when there is a set already, `replace` takes its place. */
  readonly mode: "first" | "replace";
}

/** A set of recovery codes for a caller with a second factor. @returns the codes, shown once */
export async function issueRecoveryCodes(
  { caller, client, given, mode }: CodesRequest,
  context: Context,
): Promise<readonly string[]> {
  const { userId } = caller;
  let recovery: RecoveryCodes | undefined;
  const prepare = async () => {
    if (await findObstacle(caller, mode, context)) return;
    recovery = await makeRecoveryCodes(client, context.config);
  };
  const act = async (user: UserRow, transaction: Transaction) => {
    const now = { userId, totpEnabled: user.totpEnabled };
    const obstacle = await findObstacle(now, mode, context, transaction);
    if (obstacle) throw obstacle;
    recovery ??= await makeRecoveryCodes(client, context.config);
    await replaceRecoveryCodes(userId, recovery, transaction);
    await recordOwn({ userId, action: "auth.recovery.regenerated", client }, transaction);
    await tellUser(userId, "recoveryCodesMade", transaction, context);
    return recovery.codes;
  };
  return reauthenticate({ caller, client, given, prepare, act }, context);
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

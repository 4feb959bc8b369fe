import type { Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { type AppError, conflict } from "../errors.ts";
import type { Caller } from "./caller.ts";
import type { Client } from "./client.ts";
import { tellUser } from "./order-mail.ts";
import { recordOwn } from "./own-activity.ts";
import { reauthenticate, type Reauthentication } from "./reauthentication.ts";
import {
  countRecoveryCodes,
  makeRecoveryCodes,
  type RecoveryCodes,
  replaceRecoveryCodes,
} from "./recovery-codes.ts";
import type { UserRow } from "./users.ts";

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
    recovery = await makeRecoveryCodes(context.config);
  };
  const act = async (user: UserRow, transaction: Transaction) => {
    const now = { userId, totpEnabled: user.totpEnabled };
    const obstacle = await findObstacle(now, mode, context, transaction);
    if (obstacle) throw obstacle;
    recovery ??= await makeRecoveryCodes(context.config);
    await replaceRecoveryCodes(userId, recovery, transaction);
    await recordOwn({ userId, action: "auth.recovery.regenerated", client }, transaction);
    await tellUser(userId, "recoveryCodesMade", transaction, context);
    return recovery.codes;
  };
  return reauthenticate({ caller, client, given, prepare, act }, context);
}

/**
 * Why no set may be made. Asked before ten slow hashes are made for nothing, and again under the
 * lock, where it is refused: a code that is used or locked must not learn from it that it is right.
 */
async function findObstacle(
  { userId, totpEnabled }: Pick<Caller, "userId" | "totpEnabled">,
  mode: CodesRequest["mode"],
  { sequelize }: Context,
  transaction?: Transaction,
): Promise<AppError | null> {
  if (!totpEnabled) return conflict("The second factor is not enabled");
  const { total } = await countRecoveryCodes(userId, sequelize, transaction);
  const isThere = mode === "first" && total > 0;
  return isThere ? conflict("There are recovery codes already") : null;
}

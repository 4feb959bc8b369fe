import type { Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { conflict } from "../errors.ts";
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
  let recovery: RecoveryCodes;
  const prepare = async () => {
    await refuseNeedless(caller, mode, context);
    recovery = await makeRecoveryCodes(context.config);
  };
  const act = async (user: UserRow, transaction: Transaction) => {
    await refuseNeedless({ userId, totpEnabled: user.totpEnabled }, mode, context, transaction);
    await replaceRecoveryCodes(userId, recovery, transaction);
    await recordOwn({ userId, action: "auth.recovery.regenerated", client }, transaction);
    await tellUser(userId, "recoveryCodesMade", transaction, context);
    return recovery.codes;
  };
  return reauthenticate({ caller, client, given, prepare, act }, context);
}

/** Asked before ten slow hashes are made for nothing, and again under the lock. */
async function refuseNeedless(
  { userId, totpEnabled }: Pick<Caller, "userId" | "totpEnabled">,
  mode: CodesRequest["mode"],
  { sequelize }: Context,
  transaction?: Transaction,
): Promise<void> {
  if (!totpEnabled) throw conflict("The second factor is not enabled");
  const { total } = await countRecoveryCodes(userId, sequelize, transaction);
  if (mode === "first" && total > 0) throw conflict("There are recovery codes already");
}

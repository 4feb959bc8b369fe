import type { Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { conflict } from "../errors.ts";
import type { Caller } from "./caller.ts";
import type { Client } from "./client.ts";
import { tellUser } from "./order-mail.ts";
import { recordOwn } from "./own-activity.ts";
import { reauthenticate, type Reauthentication } from "./reauthentication.ts";
import { countRecoveryCodes, makeRecoveryCodes, replaceRecoveryCodes } from "./recovery-codes.ts";
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
  const recovery = await makeRecoveryCodes(context.config);
  const act = async ({ totpEnabled }: UserRow, transaction: Transaction) => {
    if (!totpEnabled) throw conflict("The second factor is not enabled");
    const { total } = await countRecoveryCodes(userId, context.sequelize, transaction);
    if (mode === "first" && total > 0) throw conflict("There are recovery codes already");
    await replaceRecoveryCodes(userId, recovery, transaction);
    await recordOwn({ userId, action: "auth.recovery.regenerated", client }, transaction);
    await tellUser(userId, "recoveryCodesMade", transaction, context);
    return recovery.codes;
  };
  return reauthenticate({ caller, client, given, act }, context);
}

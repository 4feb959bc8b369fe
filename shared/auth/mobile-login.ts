import type { Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Client } from "./client.ts";
import { admit, completeLogin } from "./complete-login.ts";
import { type MobileSignedIn, openFamily } from "./mobile-tokens.ts";
import { type PasswordAttempt, provePassword } from "./prove-password.ts";
import { codeRequired, wrongCode } from "./refusals.ts";
import { consumeSecondFactor, factorOf, type GivenFactor } from "./second-factor.ts";
import type { UserRow } from "./users.ts";

export interface MobileCredentials extends PasswordAttempt, GivenFactor {}

export interface MobileAttempt extends MobileCredentials {
  readonly deviceName: string | null;
}

/**
 * Password and second factor in one request. No device is trusted here: the app keeps its session
 * by refreshing.
 * @throws SignInRefusal
 */
export async function mobileLogin(
  attempt: MobileAttempt,
  client: Client,
  context: Context,
): Promise<MobileSignedIn> {
  const proven = await provePassword(attempt, client, context);
  const { deviceName, code, recoveryCode } = attempt;
  const finish = async (amr: readonly string[], transaction: Transaction) => {
    const user = await completeLogin({ user: proven, amr, via: "mobile", client }, transaction);
    return { user, pair: await openFamily({ user, deviceName }, transaction, context) };
  };
  if (!proven.totpEnabled || (code === undefined && recoveryCode === undefined)) {
    return inTransaction(context.sequelize, async (transaction) => {
      // Asked again under the lock: it may have been enabled since the password was read.
      const { totpEnabled } = await admit(proven, transaction);
      if (totpEnabled) throw codeRequired();
      return finish(["pwd"], transaction);
    });
  }
  const factor = factorOf({ code, recoveryCode });
  const amr = ["pwd", "recoveryCode" in factor ? "recovery" : "otp"];
  const act = (_user: UserRow, transaction: Transaction) => finish(amr, transaction);
  const use = { userId: proven.id, factor, purpose: "auth", client, act } as const;
  const done = await consumeSecondFactor(use, context);
  if (!done) throw wrongCode();
  return done.result;
}

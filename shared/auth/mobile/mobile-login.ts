import type { Client } from "../../platform/access/client.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { admitByProof, completeLogin } from "../login/complete-login.ts";
import { codeRequired, wrongCode } from "../rules/refusals.ts";
import { consumeSecondFactor, factorOf, type GivenFactor } from "../second-factor/second-factor.ts";
import type { Admission } from "../sessions/admission.ts";
import { type MobileSignedIn, openFamily } from "../sessions/mobile-tokens.ts";
import { type LockedUser, lockUser, type UserRow } from "../users/users.ts";

export interface MobileAttempt extends GivenFactor {
  /** Whose password was right. */
  readonly proven: UserRow;
  readonly deviceName: string | null;
}

/**
 * Proven password and second factor in one request. No device is trusted here: the app keeps its session
 * by refreshing.
 * @throws SignInRefusal
 */
export async function mobileLogin(
  attempt: MobileAttempt,
  client: Client,
  context: Context,
): Promise<MobileSignedIn> {
  const { proven, deviceName, code, recoveryCode } = attempt;
  const finish = async (admission: Admission, amr: readonly string[]) => {
    await completeLogin(admission, { amr, via: "mobile", client });
    return { user: admission.user, pair: await openFamily(admission, deviceName, context) };
  };
  if (!proven.totpEnabled || (code === undefined && recoveryCode === undefined)) {
    return inTransaction(context.sequelize, async (transaction) => {
      // Asked again under the lock: it may have been enabled since the password was read.
      const admission = await admitByProof(proven, await lockUser(proven.id, transaction), context);
      if (admission.user.totpEnabled) throw codeRequired();
      return finish(admission, ["pwd"]);
    });
  }
  const factor = factorOf({ code, recoveryCode });
  const amr = ["pwd", "recoveryCode" in factor ? "recovery" : "otp"];
  const act = async (user: LockedUser) => finish(await admitByProof(proven, user, context), amr);
  const use = { userId: proven.id, factor, purpose: "auth", client, act } as const;
  const done = await consumeSecondFactor(use, context);
  if (!done) throw wrongCode();
  return done.result;
}

import type { Transaction } from "sequelize";

import { transactionStartPlus, transactionStart } from "../../../models/queries/clock.ts";
import type { Caller, SignInClient } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { generateTotpSecret, otpauthUrl } from "../../platform/crypto/totp.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { wrongOwnCodeError } from "../rules/sign-in-errors.ts";
import { authorizeCaller, lockCaller } from "../sessions/lock-caller.ts";
import { reissueSession, type ReissuedSession } from "../sessions/reissue.ts";
import { revokeAllAccess } from "../sessions/revocation.ts";
import { enqueueNoticeMail } from "../users/order-mail.ts";
import { recordOwnActivity } from "../users/own-activity.ts";
import type { LockedUser } from "../users/users.ts";
import { makeRecoveryCodes, replaceRecoveryCodes } from "./recovery-codes.ts";
import { consumeSecondFactor, factorOf, type FactorFields } from "./second-factor.ts";
import { checkTotpCode, sealTotpSecret } from "./totp-secret.ts";

/** The data that the user enters into an authenticator app. */
export interface Enrollment {
  readonly secret: string;
  readonly otpauthUrl: string;
}

/** Begins enrollment. The secret has no effect until the user enters one of its codes. */
export function beginEnrollment(caller: Caller, context: Context): Promise<Enrollment> {
  const secret = generateTotpSecret();
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const { user } = await lockCaller(caller, transaction, context);
    const { id, username, totpEnabled } = user;
    if (totpEnabled) {
      throw new AppError("second_factor_enabled", "The second factor is enabled already");
    }
    const secretSealed = sealTotpSecret(id, secret, context);
    const expiresAt = transactionStartPlus(context.config.TOTP_SETUP_TTL);
    const pending = { userId: id, secretSealed, expiresAt };
    await context.models.PendingTotp.upsert(pending, { transaction });
    return { secret, otpauthUrl: otpauthUrl(secret, username) };
  });
}

/** Completes enrollment with the first code. Sessions stay valid. @returns the recovery codes, shown once */
export async function enableTotp(
  caller: Caller,
  code: string,
  client: SignInClient,
  context: Context,
): Promise<readonly string[]> {
  const { userId } = caller;
  await verifyPending(userId, code, context);
  // Hashing is slow, so do it before the lock; the code is checked again under the lock.
  const recovery = await makeRecoveryCodes(client, context.config);
  await inCallersTransaction(context.sequelize, async (transaction) => {
    await lockCaller(caller, transaction, context);
    const sealed = await verifyPending(userId, code, context, transaction);
    await promotePending(userId, sealed, transaction);
    await replaceRecoveryCodes(userId, recovery, transaction);
    await recordOwnActivity({ userId, action: "auth.totp.enabled", client }, transaction);
    await enqueueNoticeMail(userId, "totpEnabled", transaction, context);
  });
  return recovery.codes;
}

const enrollmentNotBegunError = () =>
  new AppError("enrolment_not_begun", "No second factor is being set up: start with totp/setup");

/** Removes the second factor with one of its codes and ends all sessions except the caller's own. */
export async function disableTotp(
  caller: Caller,
  given: FactorFields,
  client: SignInClient,
  context: Context,
): Promise<ReissuedSession> {
  const factor = factorOf(given);
  if (!caller.totpEnabled) {
    throw new AppError("second_factor_disabled", "The second factor is not enabled");
  }
  const { userId } = caller;
  const act = async (user: LockedUser) => {
    const { transaction } = user;
    const authorized = await authorizeCaller(caller, user, context);
    await removeSecondFactor(userId, transaction, caller.familyId);
    await recordOwnActivity({ userId, action: "auth.totp.disabled", client }, transaction);
    await enqueueNoticeMail(userId, "totpDisabled", transaction, context);
    return reissueSession(authorized, caller, context);
  };
  const use = { userId, factor, purpose: "disable", client, act } as const;
  const done = await consumeSecondFactor(use, context);
  if (!done) throw wrongOwnCodeError();
  return done.result;
}

/** Removes the second factor and ends all sessions. @param spared device session that stays */
export async function removeSecondFactor(
  userId: number,
  transaction: Transaction,
  spared: number | null = null,
): Promise<void> {
  await revokeAllAccess(
    userId,
    { reason: "second factor", trustedDevices: true, spared },
    transaction,
  );
  const { RecoveryCode, User } = modelsOf(transaction);
  const off = { totpEnabled: false, totpSecretSealed: null, ...resetFailures() };
  await User.update(off, { where: { id: userId }, transaction });
  await RecoveryCode.destroy({ where: { userId }, transaction });
}

const resetFailures = () => ({
  totpFailCount: 0,
  totpLockedUntil: null,
  updatedAt: transactionStart(),
});

/** @returns the pending secret that the code matches @throws AppError forbidden, conflict */
async function verifyPending(
  userId: number,
  code: string,
  context: Context,
  transaction?: Transaction,
): Promise<string> {
  const read = transaction && { transaction, lock: transaction.LOCK.UPDATE };
  const pending = await context.models.PendingTotp.scope("live").findByPk(userId, read);
  if (!pending) throw enrollmentNotBegunError();
  const { secretSealed: sealed } = pending;
  if (checkTotpCode({ userId, sealed }, code, context) === null) throw wrongOwnCodeError();
  return sealed;
}

/** Enables the pending secret. Deletes the used time steps, because they belong to the former secret. */
async function promotePending(
  userId: number,
  sealed: string,
  transaction: Transaction,
): Promise<void> {
  const { PendingTotp, TotpUse, User } = modelsOf(transaction);
  await PendingTotp.destroy({ where: { userId }, transaction });
  await TotpUse.destroy({ where: { userId }, transaction });
  const enabled = { totpEnabled: true, totpSecretSealed: sealed, ...resetFailures() };
  await User.update(enabled, { where: { id: userId }, transaction });
}

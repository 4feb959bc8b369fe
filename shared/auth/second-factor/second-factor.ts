import { Op, type Transaction } from "sequelize";

import type { SignInClient } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { doublingIntervalSql } from "../../platform/db/sql-text.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { invalidFieldsError } from "../../platform/errors/errors.ts";
import { enqueueNoticeMail } from "../users/order-mail.ts";
import { recordOwnActivity } from "../users/own-activity.ts";
import { findUser, type LockedUser, lockUser, type UserRow } from "../users/users.ts";
import { findRecoveryCode } from "./recovery-codes.ts";
import { checkTotpCode, isTotpStepUsed, consumeTotpStep, type TotpPurpose } from "./totp-secret.ts";

export type Factor = { readonly code: string } | { readonly recoveryCode: string };

export interface FactorFields {
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

/** @throws AppError invalid unless exactly one of code and recovery code is given */
export function factorOf({ code, recoveryCode }: FactorFields): Factor {
  if (code !== undefined && recoveryCode !== undefined) {
    throw invalidFieldsError([
      { path: "recoveryCode", message: "recoveryCode cannot be combined with code" },
    ]);
  }
  if (code !== undefined) return { code };
  if (recoveryCode !== undefined) return { recoveryCode };
  throw invalidFieldsError([{ path: "code", message: "code or recoveryCode is required" }]);
}

/** A factor to check, with its user, its purpose and the client that sent it. */
export interface FactorCheck<F extends Factor = Factor> {
  readonly userId: number;
  readonly factor: F;
  readonly purpose: TotpPurpose;
  readonly client: SignInClient;
}

export interface FactorUse<T> extends FactorCheck {
  /** Called with the user's row locked. If the call throws, the code stays unused. */
  readonly act: (user: LockedUser) => Promise<T>;
}

/**
 * Marks a second factor as used. Of several concurrent requests, only one succeeds.
 * @returns null if the factor is wrong, used or locked; the failure is counted
 */
export async function consumeSecondFactor<T>(
  use: FactorUse<T>,
  context: Context,
): Promise<{ readonly result: T } | null> {
  const user = await findUser(use.userId, context);
  const proof = user && (await matchFactor(user, use, context));
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const current = await lockUser(use.userId, transaction);
    if (!current?.totpEnabled) return null;
    if (!(await useFactorLocked(proof, { use, current }, context))) {
      await recordFailure(current, use, transaction, context);
      return null;
    }
    return { result: await use.act(current) };
  });
}

/**
 * Checks a code that the confirmed action later marks as used. Locked, used and wrong codes are refused
 * here in the same way: a later refusal would reveal that the code is correct.
 * @returns false if the code is wrong, used or locked; the failure is counted
 */
export const verifyUnusedCode = (
  use: FactorCheck<{ readonly code: string }>,
  context: Context,
): Promise<boolean> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const current = await lockUser(use.userId, transaction);
    if (!current?.totpEnabled) return false;
    const secret = { userId: current.id, sealed: current.totpSecretSealed };
    const step = current.totpLocked ? null : checkTotpCode(secret, use.factor.code, context);
    if (step !== null && !(await isTotpStepUsed({ ...use, step }, transaction))) return true;
    await recordFailure(current, use, transaction, context);
    return false;
  });

/** @returns false if the code is now wrong, used or locked */
export async function consumeTotpCode(
  use: FactorCheck<{ readonly code: string }>,
  transaction: Transaction,
  context: Context,
): Promise<boolean> {
  const current = await lockUser(use.userId, transaction);
  if (!current?.totpEnabled) return false;
  const proof = await matchFactor(current, use, context);
  return useFactorLocked(proof, { use, current }, context);
}

/** Counts a failure for a factor that another request used after this request had checked the factor. */
export const countWrongFactor = (use: FactorCheck, context: Context): Promise<void> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const current = await lockUser(use.userId, transaction);
    if (current?.totpEnabled) await recordFailure(current, use, transaction, context);
  });

/** Uses a factor of a locked user. Checks a TOTP code again, because the secret may have been replaced. */
async function useFactorLocked(
  proof: FactorMatch | null,
  { use, current }: { readonly use: FactorCheck; readonly current: LockedUser },
  context: Context,
): Promise<boolean> {
  if (!proof || current.totpLocked) return false;
  const currentProof = "codeId" in proof ? proof : await matchFactor(current, use, context);
  if (!currentProof || !(await useFactor(currentProof, use, current.transaction))) return false;
  await recordSuccess(use, current.transaction, context);
  return true;
}

type FactorMatch = { readonly step: number } | { readonly codeId: number };

async function matchFactor(
  user: UserRow,
  { factor, client }: Pick<FactorCheck, "factor" | "client">,
  context: Context,
): Promise<FactorMatch | null> {
  if ("recoveryCode" in factor) {
    const codeId = await findRecoveryCode(user.id, factor.recoveryCode, client, context);
    return codeId === null ? null : { codeId };
  }
  const secret = { userId: user.id, sealed: user.totpSecretSealed };
  const step = checkTotpCode(secret, factor.code, context);
  return step === null ? null : { step };
}

function useFactor(
  proof: FactorMatch,
  { userId, purpose }: Pick<FactorCheck, "userId" | "purpose">,
  transaction: Transaction,
): Promise<boolean> {
  if ("codeId" in proof) {
    return modelsOf(transaction).RecoveryCode.useOnce(proof.codeId, transaction);
  }
  return consumeTotpStep({ userId, purpose, step: proof.step }, transaction);
}

async function recordSuccess(
  use: FactorCheck,
  transaction: Transaction,
  context: Context,
): Promise<void> {
  const { userId, factor, purpose, client } = use;
  const hasFailed = {
    [Op.or]: [{ totpFailCount: { [Op.gt]: 0 } }, { totpLockedUntil: { [Op.ne]: null } }],
  };
  await context.models.User.update(
    { totpFailCount: 0, totpLockedUntil: null },
    { where: { id: userId, ...hasFailed }, transaction },
  );
  const isRecovery = "recoveryCode" in factor;
  const action = isRecovery ? "auth.recovery.used" : "auth.totp.success";
  await recordOwnActivity({ userId, action, client, detail: { purpose } }, transaction);
  if (isRecovery) await enqueueNoticeMail(userId, "recoveryCodeUsed", transaction, context);
}

/**
 * Records a failure, but does not count it while the factor is locked: otherwise guesses could extend the lock
 * for ever.
 */
async function recordFailure(
  user: UserRow,
  { factor, purpose, client }: FactorCheck,
  transaction: Transaction,
  { config }: Context,
): Promise<void> {
  const isNowLocked = !user.totpLocked && (await countFailure(user.id, transaction, config));
  const line = {
    actorId: null,
    target: { type: "user", id: user.id },
    address: client.address,
    detail: { purpose, factor: "recoveryCode" in factor ? "recovery" : "totp" },
  };
  await recordActivity({ ...line, action: "auth.totp.failure" }, transaction);
  if (isNowLocked) await recordActivity({ ...line, action: "auth.totp.locked" }, transaction);
}

/**
 * Counts a failure and locks the factor after every TOTP_LOCK_AFTER of them in a row, each time for twice as
 * long. A failure needs the password or a session, so a stranger cannot lock a user out.
 */
async function countFailure(
  userId: number,
  transaction: Transaction,
  { TOTP_LOCK_AFTER, TOTP_LOCK, TOTP_LOCK_LONGEST }: Config,
): Promise<boolean> {
  const counted = await firstRow<{ locked: boolean }>(
    transaction,
    `update users set totp_fail_count = totp_fail_count + 1,
       totp_locked_until = case when (totp_fail_count + 1) % $2 = 0
         then clock_timestamp() + ${lockIntervalSql} end
     where id = $1 returning totp_locked_until is not null as locked`,
    [userId, TOTP_LOCK_AFTER, TOTP_LOCK / 1000, TOTP_LOCK_LONGEST / 1000],
  );
  return counted?.locked === true;
}

const lockIntervalSql = doublingIntervalSql({
  first: "$3",
  longest: "$4",
  before: "(totp_fail_count + 1) / $2 - 1",
});

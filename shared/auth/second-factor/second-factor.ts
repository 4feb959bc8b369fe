import { Op, type Transaction } from "sequelize";

import type { Client } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { firstRow } from "../../platform/db/rows.ts";
import { doublingTime } from "../../platform/db/sql-text.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { invalidFields } from "../../platform/errors/errors.ts";
import { tellUser } from "../users/order-mail.ts";
import { recordOwn } from "../users/own-activity.ts";
import { findUser, type LockedUser, lockUser, type UserRow } from "../users/users.ts";
import { findRecoveryCode } from "./recovery-codes.ts";
import { checkTotpCode, isStepSpent, spendTotpStep, type TotpPurpose } from "./totp-secret.ts";

/** A code of the authenticator app, or a recovery code. */
export type Factor = { readonly code: string } | { readonly recoveryCode: string };

export interface GivenFactor {
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

/** @throws AppError invalid unless exactly one is given */
export function factorOf({ code, recoveryCode }: GivenFactor): Factor {
  if (code !== undefined && recoveryCode !== undefined) {
    throw invalidFields([{ path: "recoveryCode", message: "recoveryCode excludes code" }]);
  }
  if (code !== undefined) return { code };
  if (recoveryCode !== undefined) return { recoveryCode };
  throw invalidFields([{ path: "code", message: "code or recoveryCode is required" }]);
}

/** Whose factor is used, for what and from where. */
export interface FactorGiven<F extends Factor = Factor> {
  readonly userId: number;
  readonly factor: F;
  readonly purpose: TotpPurpose;
  readonly client: Client;
}

export interface FactorUse<T> extends FactorGiven {
  /** What the factor is spent for, with the user's row locked: if it throws, nothing is spent. */
  readonly act: (user: LockedUser) => Promise<T>;
}

/**
 * Uses a second factor up: for sign-in by web, mobile and provider. A code counts once however many
 * requests carry it at the same time.
 * @returns null when the factor is wrong, used or locked; the failure is counted then
 */
export async function consumeSecondFactor<T>(
  use: FactorUse<T>,
  context: Context,
): Promise<{ readonly result: T } | null> {
  const user = await findUser(use.userId, context);
  const proof = user && (await prove(user, use, context));
  return inTransaction(context.sequelize, async (transaction) => {
    const current = await lockUser(use.userId, transaction);
    if (!current?.totpEnabled) return null;
    if (!(await spendUnderLock(proof, { use, current }, context))) {
      await recordFailure(current, use, transaction, context);
      return null;
    }
    return { result: await use.act(current) };
  });
}

/**
 * Checks a code that is used up later, by the act that it confirms. Locked, used and wrong codes are
 * refused alike: a later refusal would tell a guesser that the code is right.
 * @returns false when the code is wrong, used or locked; the failure is counted then
 */
export const proveUnusedCode = (
  use: FactorGiven<{ readonly code: string }>,
  context: Context,
): Promise<boolean> =>
  inTransaction(context.sequelize, async (transaction) => {
    const current = await lockUser(use.userId, transaction);
    if (!current?.totpEnabled) return false;
    const secret = { userId: current.id, sealed: current.totpSecretSealed };
    const step = current.totpLocked ? null : checkTotpCode(secret, use.factor.code, context);
    if (step !== null && !(await isStepSpent({ ...use, step }, transaction))) return true;
    await recordFailure(current, use, transaction, context);
    return false;
  });

/** @returns false when the code is wrong, used or locked by now */
export async function spendCode(
  use: FactorGiven<{ readonly code: string }>,
  transaction: Transaction,
  context: Context,
): Promise<boolean> {
  const current = await lockUser(use.userId, transaction);
  if (!current?.totpEnabled) return false;
  const proof = await prove(current, use, context);
  return spendUnderLock(proof, { use, current }, context);
}

/** Counts a factor that was used up by another request between its proof and its use. */
export const countWrongFactor = (use: FactorGiven, context: Context): Promise<void> =>
  inTransaction(context.sequelize, async (transaction) => {
    const current = await lockUser(use.userId, transaction);
    if (current?.totpEnabled) await recordFailure(current, use, transaction, context);
  });

/** Another secret may have been enrolled since the proof: a code is checked again with the one that stands. */
async function spendUnderLock(
  proof: Proof | null,
  { use, current }: { readonly use: FactorGiven; readonly current: LockedUser },
  context: Context,
): Promise<boolean> {
  if (!proof || current.totpLocked) return false;
  const standing = "codeId" in proof ? proof : await prove(current, use, context);
  if (!standing || !(await spend(standing, use, current.transaction))) return false;
  await recordSuccess(use, current.transaction, context);
  return true;
}

type Proof = { readonly step: number } | { readonly codeId: number };

async function prove(
  user: UserRow,
  { factor, client }: Pick<FactorGiven, "factor" | "client">,
  context: Context,
): Promise<Proof | null> {
  if ("recoveryCode" in factor) {
    const codeId = await findRecoveryCode(user.id, factor.recoveryCode, client, context);
    return codeId === null ? null : { codeId };
  }
  const secret = { userId: user.id, sealed: user.totpSecretSealed };
  const step = checkTotpCode(secret, factor.code, context);
  return step === null ? null : { step };
}

function spend(
  proof: Proof,
  { userId, purpose }: Pick<FactorGiven, "userId" | "purpose">,
  transaction: Transaction,
): Promise<boolean> {
  if ("codeId" in proof) {
    return modelsOf(transaction).RecoveryCode.useOnce(proof.codeId, transaction);
  }
  return spendTotpStep({ userId, purpose, step: proof.step }, transaction);
}

async function recordSuccess(
  use: FactorGiven,
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
  await recordOwn({ userId, action, client, detail: { purpose } }, transaction);
  if (isRecovery) await tellUser(userId, "recoveryCodeUsed", transaction, context);
}

/** While the factor is locked no failure is counted, or guesses could keep it locked for ever. */
async function recordFailure(
  user: UserRow,
  { factor, purpose, client }: FactorGiven,
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
 * Locks after so many failures in a row, and for twice as long after as many more. It takes the
 * password or a session to fail here, so a stranger locks nobody out.
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
         then clock_timestamp() + ${lockLength} end
     where id = $1 returning totp_locked_until is not null as locked`,
    [userId, TOTP_LOCK_AFTER, TOTP_LOCK / 1000, TOTP_LOCK_LONGEST / 1000],
  );
  return counted?.locked === true;
}

const lockLength = doublingTime({
  first: "$3",
  longest: "$4",
  before: "(totp_fail_count + 1) / $2 - 1",
});

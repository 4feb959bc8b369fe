import { Op, type Transaction } from "sequelize";

import { recordActivity } from "../../activity/activity.ts";
import type { Config } from "../../config/config.ts";
import type { Context } from "../../context.ts";
import { doublingTime } from "../../db/doubling.ts";
import { firstRow } from "../../db/rows.ts";
import { inTransaction, modelsOf } from "../../db/transaction.ts";
import { invalidFields } from "../../errors.ts";
import type { Client } from "../caller/client.ts";
import { tellUser } from "../mail/order-mail.ts";
import { recordOwn } from "../users/own-activity.ts";
import { findUser, type LockedUser, lockUser, type UserRow } from "../users/users.ts";
import { findRecoveryCode } from "./recovery-codes.ts";
import { checkTotpCode, spendTotpStep, type TotpPurpose } from "./totp-secret.ts";

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

export interface FactorUse<T> {
  readonly userId: number;
  readonly factor: Factor;
  readonly purpose: TotpPurpose;
  readonly client: Client;
  /** What is slow and needs no lock, done before the transaction: only `act` may refuse. */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** Locks that come before that of the user's row. */
  readonly lockFirst?: ((transaction: Transaction) => Promise<void>) | undefined;
  /** What the factor is spent for, with the user's row locked: if it throws, nothing is spent. */
  readonly act: (user: LockedUser) => Promise<T>;
}

/**
 * The one place where a second factor is used up: sign-in by web, mobile and provider, and proof
 * by those who are signed in. A code counts once however many requests carry it at the same time.
 * @returns null when the factor is wrong, used or locked; the failure is counted then
 */
export async function consumeSecondFactor<T>(
  use: FactorUse<T>,
  context: Context,
): Promise<{ readonly result: T } | null> {
  const user = await findUser(use.userId, context);
  const proof = user && (await prove(user, use, context));
  // A lock answers right and wrong codes alike, and as fast.
  if (proof && !user.totpLocked) await use.prepare?.();
  const useOnce = async (transaction: Transaction): Promise<{ readonly result: T } | null> => {
    const current = await lockUser(use.userId, transaction);
    if (!current?.totpEnabled) return null;
    const isRight =
      !current.totpLocked && proof && (await spendUnderLock(proof, { use, current }, context));
    if (!isRight) {
      await recordFailure(current, use, transaction, context);
      return null;
    }
    await recordSuccess(use, transaction, context);
    return { result: await use.act(current) };
  };
  return inTransaction(context.sequelize, useOnce, use.lockFirst);
}

/** Another secret may have been enrolled since the proof: a code is checked again with the one that stands. */
async function spendUnderLock(
  proof: Proof,
  { use, current }: { readonly use: FactorUse<unknown>; readonly current: LockedUser },
  context: Context,
): Promise<boolean> {
  const standing = "codeId" in proof ? proof : await prove(current, use, context);
  return standing !== null && spend(standing, use, current.transaction);
}

type Proof = { readonly step: number } | { readonly codeId: number };

async function prove(
  user: UserRow,
  { factor, client }: Pick<FactorUse<unknown>, "factor" | "client">,
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
  { userId, purpose }: Pick<FactorUse<unknown>, "userId" | "purpose">,
  transaction: Transaction,
): Promise<boolean> {
  if ("codeId" in proof) {
    return modelsOf(transaction).RecoveryCode.useOnce(proof.codeId, transaction);
  }
  return spendTotpStep({ userId, purpose, step: proof.step }, transaction);
}

async function recordSuccess(
  use: FactorUse<unknown>,
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
  { factor, purpose, client }: FactorUse<unknown>,
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

import type { Transaction } from "sequelize";

import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import { doublingTime } from "../db/doubling.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalidFields } from "../errors.ts";
import { recordActivity } from "../site/activity.ts";
import type { Client } from "./client.ts";
import { tellUser } from "./order-mail.ts";
import { recordOwn } from "./own-activity.ts";
import { findRecoveryCode, spendRecoveryCode } from "./recovery-codes.ts";
import { checkTotpCode, spendTotpStep, type TotpPurpose } from "./totp-secret.ts";
import { findUser, lockUser, type UserRow } from "./users.ts";

/** One code from the app, or one from the paper in the drawer. */
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
  /** What the factor is spent for: if it throws, the factor is not spent. */
  readonly act: (user: UserRow, transaction: Transaction) => Promise<T>;
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
  const user = await findUser(use.userId, context.sequelize);
  const proof = user && (await prove(user, use.factor, context));
  // A lock answers right and wrong codes alike, and as fast.
  if (proof && !user.totpLocked) await use.prepare?.();
  return inTransaction(context.sequelize, async (transaction) => {
    const current = await lockUser(use.userId, transaction);
    if (!current?.totpEnabled) return null;
    const isRight = !current.totpLocked && proof && (await spend(proof, use, transaction));
    if (!isRight) {
      await recordFailure(current, use, transaction, context);
      return null;
    }
    await recordSuccess(use, transaction, context);
    return { result: await use.act(current, transaction) };
  });
}

type Proof = { readonly step: number } | { readonly codeId: number };

async function prove(user: UserRow, factor: Factor, context: Context): Promise<Proof | null> {
  if ("recoveryCode" in factor) {
    const codeId = await findRecoveryCode(user.id, factor.recoveryCode, context);
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
  if ("codeId" in proof) return spendRecoveryCode(proof.codeId, transaction);
  return spendTotpStep({ userId, purpose, step: proof.step }, transaction);
}

async function recordSuccess(
  use: FactorUse<unknown>,
  transaction: Transaction,
  context: Context,
): Promise<void> {
  const { userId, factor, purpose, client } = use;
  await sqlOf(transaction).query(
    `update users set totp_fail_count = 0, totp_locked_until = null
     where id = $1 and (totp_fail_count > 0 or totp_locked_until is not null)`,
    [userId],
  );
  const isRecovery = "recoveryCode" in factor;
  const action = isRecovery ? "auth.recovery.used" : "auth.totp.success";
  await recordOwn({ userId, action, client, detail: { purpose } }, transaction);
  if (isRecovery) await tellUser(userId, "recoveryCodeUsed", transaction, context);
}

/** While it is locked nothing more is counted: or the lock could be kept up for ever. */
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
 * Locks after so many failures in a row, and for twice as long after as many more.
 * Only who knows the password or is signed in gets here, so no stranger locks anybody out.
 */
async function countFailure(
  userId: number,
  transaction: Transaction,
  { TOTP_LOCK_AFTER, TOTP_LOCK, TOTP_LOCK_LONGEST }: Config,
): Promise<boolean> {
  const { rows } = await sqlOf(transaction).query<{ locked: boolean }>(
    `update users set totp_fail_count = totp_fail_count + 1,
       totp_locked_until = case when (totp_fail_count + 1) % $2 = 0
         then clock_timestamp() + ${lockLength} end
     where id = $1 returning totp_locked_until is not null as locked`,
    [userId, TOTP_LOCK_AFTER, TOTP_LOCK / 1000, TOTP_LOCK_LONGEST / 1000],
  );
  return rows[0]?.locked === true;
}

const lockLength = doublingTime({
  first: "$3",
  longest: "$4",
  before: "(totp_fail_count + 1) / $2 - 1",
});

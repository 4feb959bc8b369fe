import type { Transaction } from "sequelize";

import type { Caller, Client } from "../../platform/access/caller.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import {
  hashRecoveryCode,
  newRecoveryCodes,
  normalizeRecoveryCode,
  slotOf,
  verifyRecoveryCode,
} from "../../platform/crypto/recovery-codes.ts";
import { costOf } from "../../platform/crypto/slow-hash.ts";
import { modelsOf, inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { lockCaller } from "../sessions/own-account.ts";
import { tellUser } from "../users/order-mail.ts";
import { recordOwn } from "../users/own-activity.ts";

const codesPerUser = 10;

/** A new set: what the user sees once, and what is stored of it. */
export interface RecoveryCodes {
  readonly codes: readonly string[];
  readonly hashes: readonly string[];
}

/** Ten slow hashes would hold the user's row for long: make the set before the transaction. */
export async function makeRecoveryCodes(
  { address }: Client,
  { BCRYPT_COST }: Config,
): Promise<RecoveryCodes> {
  const codes = newRecoveryCodes(codesPerUser);
  const hashes: string[] = [];
  // One after another, so that a set takes one place in the hashing queue and not ten.
  for (const code of codes) hashes.push(await hashRecoveryCode(code, BCRYPT_COST, address));
  return { codes, hashes };
}

/** The new set counts alone from now on. The user's row is locked. */
export async function replaceRecoveryCodes(
  userId: number,
  { codes, hashes }: RecoveryCodes,
  transaction: Transaction,
): Promise<void> {
  const { RecoveryCode } = modelsOf(transaction);
  await RecoveryCode.destroy({ where: { userId }, transaction });
  const rows = codes.map((code, at) => ({
    userId,
    slot: slotOf(code),
    codeHash: hashes[at] as string,
  }));
  await RecoveryCode.bulkCreate(rows, { transaction });
}

export interface RecoveryCodeCount {
  readonly remaining: number;
  readonly total: number;
  readonly createdAt: Date | null;
}

export async function countRecoveryCodes(
  userId: number,
  { models }: Pick<Context, "models">,
  transaction?: Transaction,
): Promise<RecoveryCodeCount> {
  const codes = await models.RecoveryCode.findAll({
    attributes: ["usedAt", "createdAt"],
    where: { userId },
    order: ["createdAt"],
    ...(transaction && { transaction }),
  });
  return {
    remaining: codes.filter(({ usedAt }) => usedAt === null).length,
    total: codes.length,
    createdAt: codes[0]?.createdAt ?? null,
  };
}

/** @returns the row of the unused code this is, or null; either is the same work */
export async function findRecoveryCode(
  userId: number,
  text: string,
  { address }: Client,
  { models, config }: Context,
): Promise<number | null> {
  const code = normalizeRecoveryCode(text) ?? "";
  const rows = await models.RecoveryCode.scope("unused").findAll({ where: { userId } });
  const row = rows.find(({ slot }) => slot === slotOf(code));
  const cost = Math.max(config.BCRYPT_COST, ...rows.map(({ codeHash }) => costOf(codeHash)));
  const matches = await verifyRecoveryCode(code, row?.codeHash ?? null, cost, address);
  return matches && row ? row.id : null;
}

interface CodesRequest {
  readonly caller: Caller;
  readonly client: Client;
  /** `first` refuses when there is a set already, `replace` takes its place. */
  readonly mode: "first" | "replace";
}

/** A set of recovery codes for a caller with a second factor. @returns the codes, shown once */
export async function issueRecoveryCodes(
  { caller, client, mode }: CodesRequest,
  context: Context,
): Promise<readonly string[]> {
  const { userId } = caller;
  let recovery: RecoveryCodes | undefined;
  if (!(await findObstacle(caller, mode, context))) {
    recovery = await makeRecoveryCodes(client, context.config);
  }
  return inTransaction(context.sequelize, async (transaction) => {
    const { user } = await lockCaller(caller, transaction, context);
    const now = { userId, totpEnabled: user.totpEnabled };
    const obstacle = await findObstacle(now, mode, context, transaction);
    if (obstacle) throw obstacle;
    recovery ??= await makeRecoveryCodes(client, context.config);
    await replaceRecoveryCodes(userId, recovery, transaction);
    await recordOwn({ userId, action: "auth.recovery.regenerated", client }, transaction);
    await tellUser(userId, "recoveryCodesMade", transaction, context);
    return recovery.codes;
  });
}

/**
 * Why no set may be made. Asked first to save ten slow hashes, and refused under the lock alone: an
 * earlier refusal would tell a guesser whose code is used or locked that the code is right.
 */
async function findObstacle(
  { userId, totpEnabled }: Pick<Caller, "userId" | "totpEnabled">,
  mode: CodesRequest["mode"],
  { models }: Context,
  transaction?: Transaction,
): Promise<AppError | null> {
  if (!totpEnabled) {
    return new AppError("second_factor_disabled", "The second factor is not enabled");
  }
  const { total } = await countRecoveryCodes(userId, { models }, transaction);
  const isThere = mode === "first" && total > 0;
  return isThere ? new AppError("recovery_codes_exist", "There are recovery codes already") : null;
}

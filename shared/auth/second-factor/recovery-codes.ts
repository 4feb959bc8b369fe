import { randomInt } from "node:crypto";

import type { Transaction } from "sequelize";

import type { Caller, SignInClient } from "../../platform/access/caller.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { readHashCost, compareSlowHash, computeSlowHash } from "../../platform/crypto/slow-hash.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { normalizeTypedCode } from "../../platform/texts/typed-text.ts";
import { lockCaller } from "../sessions/lock-caller.ts";
import { enqueueNoticeMail } from "../users/order-mail.ts";
import { recordOwnActivity } from "../users/own-activity.ts";

const codesPerUser = 10;

/** A new set of recovery codes, shown once: only their hashes are stored. */
export interface RecoveryCodes {
  readonly codes: readonly string[];
  readonly hashes: readonly string[];
}

/** Makes recovery codes. Call it before the transaction: ten slow hashes would keep the user's row locked. */
export async function makeRecoveryCodes(
  { address }: SignInClient,
  { BCRYPT_COST }: Config,
): Promise<RecoveryCodes> {
  const codes = generateRecoveryCodes(codesPerUser);
  const hashes: string[] = [];
  // Hash the codes one at a time, so that a set takes one place in the hashing queue and not ten.
  for (const code of codes) hashes.push(await hashRecoveryCode(code, BCRYPT_COST, address));
  return { codes, hashes };
}

/** Replaces the set of a user whose row is locked. */
export async function replaceRecoveryCodes(
  userId: number,
  { codes, hashes }: RecoveryCodes,
  transaction: Transaction,
): Promise<void> {
  const { RecoveryCode } = modelsOf(transaction);
  await RecoveryCode.destroy({ where: { userId }, transaction });
  const rows = codes.map((code, at) => ({
    userId,
    slot: recoveryCodeSlotOf(code),
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

/** @returns the id of the matching unused code, or null; takes the same time in both cases */
export async function findRecoveryCode(
  userId: number,
  text: string,
  { address }: SignInClient,
  { models, config }: Context,
): Promise<number | null> {
  const code = normalizeRecoveryCode(text) ?? "";
  const rows = await models.RecoveryCode.scope("unused").findAll({ where: { userId } });
  const row = rows.find(({ slot }) => slot === recoveryCodeSlotOf(code));
  const cost = Math.max(config.BCRYPT_COST, ...rows.map(({ codeHash }) => readHashCost(codeHash)));
  const matches = await verifyRecoveryCode(code, row?.codeHash ?? null, cost, address);
  return matches && row ? row.id : null;
}

interface CodesRequest {
  readonly caller: Caller;
  readonly client: SignInClient;
  /** `first` fails if a set exists; `replace` replaces an existing set. */
  readonly mode: "first" | "replace";
}

/** Issues recovery codes to a caller with a second factor. @returns the codes, shown once */
export async function issueRecoveryCodes(
  { caller, client, mode }: CodesRequest,
  context: Context,
): Promise<readonly string[]> {
  const { userId } = caller;
  let recovery: RecoveryCodes | undefined;
  if (!(await findCodesRefusal(caller, mode, context))) {
    recovery = await makeRecoveryCodes(client, context.config);
  }
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const { user } = await lockCaller(caller, transaction, context);
    const now = { userId, totpEnabled: user.totpEnabled };
    const obstacle = await findCodesRefusal(now, mode, context, transaction);
    if (obstacle) throw obstacle;
    recovery ??= await makeRecoveryCodes(client, context.config);
    await replaceRecoveryCodes(userId, recovery, transaction);
    await recordOwnActivity({ userId, action: "auth.recovery.regenerated", client }, transaction);
    await enqueueNoticeMail(userId, "recoveryCodesMade", transaction, context);
    return recovery.codes;
  });
}

/**
 * Returns the reason to refuse a new set, or null. The call before the lock only avoids hashing ten codes in
 * vain. Its refusal is not sent, because that would reveal that a used or locked code is correct.
 */
async function findCodesRefusal(
  { userId, totpEnabled }: Pick<Caller, "userId" | "totpEnabled">,
  mode: CodesRequest["mode"],
  { models }: Context,
  transaction?: Transaction,
): Promise<AppError | null> {
  if (!totpEnabled) {
    return new AppError("second_factor_disabled", "The second factor is not enabled");
  }
  const { total } = await countRecoveryCodes(userId, { models }, transaction);
  const hasCodes = mode === "first" && total > 0;
  return hasCodes ? new AppError("recovery_codes_exist", "Recovery codes already exist") : null;
}

/** Crockford's base 32: no letters that look like digits, and no U. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const pattern = new RegExp(`^[${alphabet}]{12}$`);

/**
 * The maximum cost of a hash. The codes are random, so a higher cost would not protect them, only delay their
 * owner.
 */
const maxCost = 10;

/**
 * Creates codes `SS-XXXXX-XXXXX`. The first two characters find the row, so that an attempt costs one
 * comparison. The ten others hold 50 random bits.
 */
export function generateRecoveryCodes(count: number): string[] {
  const slots = new Set<string>();
  while (slots.size < count) slots.add(randomText(2));
  return [...slots].map((slot) => `${slot}-${randomText(5)}-${randomText(5)}`);
}

const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join("");

/** Converts a typed code to the issued form without dashes; null if it cannot be a code. */
export function normalizeRecoveryCode(text: string): string | null {
  const code = normalizeTypedCode(text).toUpperCase().replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return pattern.test(code) ? code : null;
}

export const recoveryCodeSlotOf = (normalized: string): string => normalized.slice(0, 2);

/** @param address of the client, as for `computeSlowHash` */
export const hashRecoveryCode = (
  code: string,
  cost: number,
  address: string | undefined,
): Promise<string> => computeSlowHash(code.replaceAll("-", ""), Math.min(cost, maxCost), address);

/**
 * @param cost at least that of any stored hash, so that the work does not depend on the hash
 * @param address of the client, as for `computeSlowHash`
 */
export const verifyRecoveryCode = (
  normalized: string,
  hash: string | null,
  cost: number,
  address: string | undefined,
): Promise<boolean> => compareSlowHash(normalized, hash, Math.min(cost, maxCost), address);

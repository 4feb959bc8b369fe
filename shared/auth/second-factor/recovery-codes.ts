import type { Transaction } from "sequelize";

import type { Client } from "../../platform/access/client.ts";
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
import { modelsOf } from "../../platform/db/transaction.ts";

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

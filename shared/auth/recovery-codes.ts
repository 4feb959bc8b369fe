import { QueryTypes, type Sequelize, type Transaction } from "sequelize";

import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import {
  hashRecoveryCode,
  newRecoveryCodes,
  normalizeRecoveryCode,
  slotOf,
  verifyRecoveryCode,
} from "../crypto/recovery-codes.ts";
import { sqlOf } from "../db/sql.ts";

const codesPerUser = 10;

/** A new set: what the user sees once, and what is stored of it. */
export interface RecoveryCodes {
  readonly codes: readonly string[];
  readonly hashes: readonly string[];
}

/** Made before the transaction that stores it: ten slow hashes would hold the user's row. */
export async function makeRecoveryCodes({ BCRYPT_COST }: Config): Promise<RecoveryCodes> {
  const codes = newRecoveryCodes(codesPerUser);
  const hashes: string[] = [];
  // One after another, so that a set takes one place in the hashing queue and not ten.
  for (const code of codes) hashes.push(await hashRecoveryCode(code, BCRYPT_COST));
  return { codes, hashes };
}

/** The new set counts alone from now on. The user's row is locked. */
export async function replaceRecoveryCodes(
  userId: number,
  { codes, hashes }: RecoveryCodes,
  transaction: Transaction,
): Promise<void> {
  await deleteRecoveryCodes(userId, transaction);
  await sqlOf(transaction).query(
    `insert into recovery_codes (user_id, slot, code_hash)
     select $1, slot, code_hash from unnest($2::text[], $3::text[]) as given (slot, code_hash)`,
    [userId, codes.map(slotOf), hashes],
  );
}

export async function deleteRecoveryCodes(userId: number, transaction: Transaction): Promise<void> {
  await sqlOf(transaction).query("delete from recovery_codes where user_id = $1", [userId]);
}

export interface RecoveryCodeCount {
  readonly remaining: number;
  readonly total: number;
  readonly createdAt: Date | null;
}

export async function countRecoveryCodes(
  userId: number,
  sequelize: Sequelize,
  transaction?: Transaction,
): Promise<RecoveryCodeCount> {
  const [count] = await sequelize.query<RecoveryCodeCount>(
    `select count(*) filter (where used_at is null)::integer as remaining,
            count(*)::integer as total, min(created_at) as "createdAt"
     from recovery_codes where user_id = $1`,
    { bind: [userId], type: QueryTypes.SELECT, ...(transaction && { transaction }) },
  );
  return count ?? { remaining: 0, total: 0, createdAt: null };
}

/** @returns the row of the unused code this is, or null; either takes the same time */
export async function findRecoveryCode(
  userId: number,
  text: string,
  { models, config }: Context,
): Promise<number | null> {
  const code = normalizeRecoveryCode(text) ?? "";
  const row = await models.RecoveryCode.findOne({
    where: { userId, slot: slotOf(code), usedAt: null },
  });
  const matches = await verifyRecoveryCode(code, row?.codeHash ?? null, config.BCRYPT_COST);
  return matches && row ? row.id : null;
}

/** @returns false for all but the first */
export async function spendRecoveryCode(
  codeId: number,
  transaction: Transaction,
): Promise<boolean> {
  const { rowCount } = await sqlOf(transaction).query(
    "update recovery_codes set used_at = now() where id = $1 and used_at is null",
    [codeId],
  );
  return rowCount === 1;
}

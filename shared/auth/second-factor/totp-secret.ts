import { Op, type Transaction } from "sequelize";

import type { Context } from "../../platform/context.ts";
import { sealText, unsealText, UnreadableSecretError } from "../../platform/crypto/sealed.ts";
import { findTotpStep } from "../../platform/crypto/totp.ts";
import { executeStatement } from "../../platform/db/rows.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { normalizeTypedCode } from "../../platform/texts/typed-text.ts";

/** Each purpose stores its own used time steps, so a code works once for each purpose. */
export type TotpPurpose = "auth" | "stepup" | "disable";

/** The encryption context of a user's TOTP secrets, the same for pending and enabled ones. */
export const totpSealContext = (userId: number): string => `users|totp|${userId}`;

export const sealTotpSecret = (userId: number, secret: string, { config }: Context): string =>
  sealText(secret, totpSealContext(userId), config.SECRETS_KEYS);

/**
 * @param code as typed: apps show it in two halves, and some keyboards type other digits
 * @returns the time step of a correct code, otherwise null
 * @throws AppError unavailable if the secret cannot be decrypted; that is not a failed guess
 */
export function checkTotpCode(
  { userId, sealed }: { userId: number; sealed: string | null },
  code: string,
  { config, log }: Context,
): number | null {
  if (sealed === null) return null;
  try {
    const secret = unsealText(sealed, totpSealContext(userId), config.SECRETS_KEYS);
    return findTotpStep(secret, normalizeTypedCode(code));
  } catch (error) {
    if (!(error instanceof UnreadableSecretError)) throw error;
    log.error(
      { userId, err: error },
      "the secret of a second factor cannot be decrypted: bring back its key in SECRETS_KEYS",
    );
    throw new AppError("second_factor_unavailable", "Codes cannot be checked at the moment", {
      retryAfter: 10,
    });
  }
}

interface TotpStep {
  readonly userId: number;
  readonly purpose: TotpPurpose;
  readonly step: number;
}

/** True if this time step or a later one was used. */
export async function isTotpStepUsed(
  { userId, purpose, step }: TotpStep,
  transaction: Transaction,
): Promise<boolean> {
  const where = { userId, purpose, step: { [Op.gte]: step } };
  return (await modelsOf(transaction).TotpUse.count({ where, transaction })) > 0;
}

/** Marks a time step and all earlier ones as used. @returns false if it was already used */
export async function consumeTotpStep(
  { userId, purpose, step }: TotpStep,
  transaction: Transaction,
): Promise<boolean> {
  const spent = await executeStatement(
    transaction,
    `insert into totp_used (user_id, purpose, step) values ($1, $2, $3)
     on conflict (user_id, purpose) do update set step = excluded.step
     where totp_used.step < excluded.step`,
    [userId, purpose, step],
  );
  return spent === 1;
}

import { computeColumn, readPlainRows } from "../../../models/queries/plain-rows.ts";
import type { SignInClient } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import {
  matchPassword,
  type PasswordMatch,
  type StoredPassword,
} from "../../platform/crypto/passwords.ts";

/**
 * Compares a password with the stored hash. Every comparison costs as much as the most expensive hash in
 * the table: otherwise its time would reveal if the user exists and how old the password is.
 * @param stored null for an unknown user
 * @param client the sender of the password
 */
export async function comparePassword(
  plain: string,
  stored: StoredPassword | null,
  { address }: SignInClient,
  { config, models }: Pick<Context, "config" | "models">,
): Promise<PasswordMatch> {
  const { BCRYPT_COST, PASSWORD_PEPPERS } = config;
  // Read the highest cost from an index each time, so that all processes use the same cost.
  const [highest] = await readPlainRows(models.User, { columns: [], computed: highestCost });
  const cost = Math.max(BCRYPT_COST, highest?.cost ?? 0);
  return matchPassword(plain, stored, { BCRYPT_COST: cost, PASSWORD_PEPPERS }, address);
}

const highestCost = {
  cost: computeColumn<number | null>("max(substr(password_hash, 5, 2))::integer"),
};

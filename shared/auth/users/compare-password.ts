import type { Sequelize } from "sequelize";

import type { Context } from "../../context.ts";
import { type StoredPassword, verifyPassword } from "../../crypto/passwords.ts";
import { firstRow } from "../../db/rows.ts";

/**
 * Whether a password is the stored one. Every comparison costs as much as the most expensive hash
 * in the table, or the time of the answer would tell whether the user exists and how old the
 * password is.
 * @param stored null when there is no such user
 */
export async function comparePassword(
  plain: string,
  stored: StoredPassword | null,
  { config, sequelize }: Pick<Context, "config" | "sequelize">,
): Promise<boolean> {
  const { BCRYPT_COST, PASSWORD_PEPPERS } = config;
  const cost = Math.max(BCRYPT_COST, await readHighestCost(sequelize));
  return verifyPassword(plain, stored, { BCRYPT_COST: cost, PASSWORD_PEPPERS });
}

/** Read each time, from the end of an index, so that all processes use the same cost. */
async function readHighestCost(sequelize: Sequelize): Promise<number> {
  const row = await firstRow<{ cost: number | null }>(
    sequelize,
    "select max(substr(password_hash, 5, 2))::integer as cost from users",
  );
  return row?.cost ?? 0;
}

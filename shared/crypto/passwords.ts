import { createHmac } from "node:crypto";

import type { Config } from "../config/config.ts";
import { costOf, slowCompare, slowHash } from "./slow-hash.ts";

type PasswordConfig = Pick<Config, "BCRYPT_COST" | "PASSWORD_PEPPERS">;

/** A password as it is stored: both fields go into the user's row together. */
export interface StoredPassword {
  readonly passwordHash: string | null;
  /** The pepper in the hash; null when none was configured. */
  readonly pepperId: string | null;
}

/**
 * @param address of the client that it is done for, as for `slowHash`
 * @throws AppError unavailable when too many wait for their turn
 */
export async function hashPassword(
  plain: string,
  config: PasswordConfig,
  address: string | undefined,
): Promise<StoredPassword> {
  const pepperId = currentPepper(config);
  const digest = digestOf(plain, pepperId, config);
  return { passwordHash: await slowHash(digest, config.BCRYPT_COST, address), pepperId };
}

/**
 * Compares with the same work whether or not there is a password to compare with.
 * @param stored null when nobody bears the name
 * @param config with a cost that is no lower than that of any stored hash
 * @param address as for `slowHash`
 * @throws AppError unavailable when too many wait for their turn
 */
export function verifyPassword(
  plain: string,
  stored: StoredPassword | null,
  config: PasswordConfig,
  address: string | undefined,
): Promise<boolean> {
  const { passwordHash, pepperId } = stored ?? nothingStored;
  const known = pepperId === null || config.PASSWORD_PEPPERS.has(pepperId);
  const digest = digestOf(plain, known ? pepperId : currentPepper(config), config);
  return slowCompare(digest, known ? passwordHash : null, config.BCRYPT_COST, address);
}

/** Whether a hash was made at another cost or with another pepper than new ones are. */
export function isOutdated(stored: StoredPassword, config: PasswordConfig): boolean {
  const { passwordHash, pepperId } = stored;
  if (passwordHash === null) return false;
  return costOf(passwordHash) !== config.BCRYPT_COST || pepperId !== currentPepper(config);
}

const nothingStored: StoredPassword = { passwordHash: null, pepperId: null };

function currentPepper({ PASSWORD_PEPPERS }: PasswordConfig): string | null {
  const [first] = PASSWORD_PEPPERS.keys();
  return first ?? null;
}

/**
 * bcrypt reads 72 bytes and drops the rest silently; this digest is 64 whatever the length. Its
 * key keeps it apart from plain digests in leaked lists even where no pepper is configured.
 */
function digestOf(plain: string, pepperId: string | null, config: PasswordConfig): string {
  const pepper = pepperId === null ? undefined : config.PASSWORD_PEPPERS.get(pepperId);
  return createHmac("sha384", pepper ?? "guildhall password")
    .update(plain)
    .digest("base64");
}

import { createHmac } from "node:crypto";

import type { Config } from "../config/config.ts";
import { normalizePassword } from "../texts/typed-text.ts";
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
  const digest = digestOf(normalizePassword(plain), pepperId, config);
  return { passwordHash: await slowHash(digest, config.BCRYPT_COST, address), pepperId };
}

/**
 * How a password matches a stored hash: in the form in which hashes are made, or only as it was sent,
 * which is how older releases made them. Null: not at all.
 */
export type PasswordMatch = "normalized" | "as_sent" | null;

/**
 * Compares with the same work whether or not there is a password to compare with, and whether or not
 * it matches: once, and once more where the text as it was sent is not in the form of hashes.
 * @param stored null when nobody bears the name
 * @param config with a cost that is no lower than that of any stored hash
 * @param address as for `slowHash`; each comparison takes a turn of its own
 * @throws AppError unavailable when too many wait for their turn
 */
export async function matchPassword(
  plain: string,
  stored: StoredPassword | null,
  config: PasswordConfig,
  address: string | undefined,
): Promise<PasswordMatch> {
  const normalized = normalizePassword(plain);
  const matches = await compareDigest(normalized, stored, config, address);
  if (normalized === plain) return matches ? "normalized" : null;
  const matchesAsSent = await compareDigest(plain, stored, config, address);
  if (matches) return "normalized";
  return matchesAsSent ? "as_sent" : null;
}

/** Whether a password is the stored one, as `matchPassword` finds. */
export const verifyPassword = async (
  ...compared: Parameters<typeof matchPassword>
): Promise<boolean> => (await matchPassword(...compared)) !== null;

function compareDigest(
  text: string,
  stored: StoredPassword | null,
  config: PasswordConfig,
  address: string | undefined,
): Promise<boolean> {
  const { passwordHash, pepperId } = stored ?? nothingStored;
  const known = pepperId === null || config.PASSWORD_PEPPERS.has(pepperId);
  const digest = digestOf(text, known ? pepperId : currentPepper(config), config);
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

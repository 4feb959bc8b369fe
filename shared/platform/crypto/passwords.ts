import { createHmac } from "node:crypto";

import type { Config } from "../config/config.ts";
import { normalizePassword } from "../texts/typed-text.ts";
import { readHashCost, compareSlowHash, computeSlowHash } from "./slow-hash.ts";

type PasswordConfig = Pick<Config, "BCRYPT_COST" | "PASSWORD_PEPPERS">;

/** A stored password. Store both fields together. */
export interface StoredPassword {
  readonly passwordHash: string | null;
  /** Id of the hash's pepper; null if none was configured. */
  readonly pepperId: string | null;
}

/** @param address of the client, as for `computeSlowHash` @throws AppError unavailable if too many wait */
export async function hashPassword(
  plain: string,
  config: PasswordConfig,
  address: string | undefined,
): Promise<StoredPassword> {
  const pepperId = currentPepper(config);
  const digest = digestOf(normalizePassword(plain), pepperId, config);
  return { passwordHash: await computeSlowHash(digest, config.BCRYPT_COST, address), pepperId };
}

/**
 * `normalized`: the normalized password matches. `as_sent`: only the password without normalization matches,
 * because an older release stored its hash.
 */
export type PasswordMatch = "normalized" | "as_sent" | null;

/**
 * Compares a password in the normalized form, and as sent if that differs. The amount of work does not depend on
 * the result or on `stored`.
 * @param stored null for an unknown user
 * @param config its cost must be at least that of any stored hash
 * @param address of the client, as for `computeSlowHash`; each comparison waits in the queue of the address
 * @throws AppError unavailable if too many wait
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

export const verifyPassword = async (
  ...compared: Parameters<typeof matchPassword>
): Promise<boolean> => (await matchPassword(...compared)) !== null;

function compareDigest(
  text: string,
  stored: StoredPassword | null,
  config: PasswordConfig,
  address: string | undefined,
): Promise<boolean> {
  const { passwordHash, pepperId } = stored ?? noPassword;
  const isPepperKnown = pepperId === null || config.PASSWORD_PEPPERS.has(pepperId);
  const digest = digestOf(text, isPepperKnown ? pepperId : currentPepper(config), config);
  return compareSlowHash(digest, isPepperKnown ? passwordHash : null, config.BCRYPT_COST, address);
}

/** True if new hashes have another cost or pepper than this hash. */
export function isPasswordHashOutdated(stored: StoredPassword, config: PasswordConfig): boolean {
  const { passwordHash, pepperId } = stored;
  if (passwordHash === null) return false;
  return readHashCost(passwordHash) !== config.BCRYPT_COST || pepperId !== currentPepper(config);
}

const noPassword: StoredPassword = { passwordHash: null, pepperId: null };

function currentPepper({ PASSWORD_PEPPERS }: PasswordConfig): string | null {
  const [first] = PASSWORD_PEPPERS.keys();
  return first ?? null;
}

/**
 * bcrypt ignores bytes after the 72nd, so it hashes this digest, which always has 64 bytes. The digest has a
 * key, so that it differs from plain digests in leaked lists even without a pepper.
 */
function digestOf(plain: string, pepperId: string | null, config: PasswordConfig): string {
  const pepper = pepperId === null ? undefined : config.PASSWORD_PEPPERS.get(pepperId);
  return createHmac("sha384", pepper ?? "guildhall password")
    .update(plain)
    .digest("base64");
}

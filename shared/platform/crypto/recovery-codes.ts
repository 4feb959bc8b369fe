import { randomInt } from "node:crypto";

import { normalizeTypedCode } from "../texts/typed-text.ts";
import { slowCompare, slowHash } from "./slow-hash.ts";

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
export function newRecoveryCodes(count: number): string[] {
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

export const readRecoveryCodeSlot = (normalized: string): string => normalized.slice(0, 2);

/** @param address of the client, as for `slowHash` */
export const hashRecoveryCode = (
  code: string,
  cost: number,
  address: string | undefined,
): Promise<string> => slowHash(code.replaceAll("-", ""), Math.min(cost, maxCost), address);

/**
 * @param cost at least that of any stored hash, so that the work does not depend on the hash
 * @param address of the client, as for `slowHash`
 */
export const verifyRecoveryCode = (
  normalized: string,
  hash: string | null,
  cost: number,
  address: string | undefined,
): Promise<boolean> => slowCompare(normalized, hash, Math.min(cost, maxCost), address);

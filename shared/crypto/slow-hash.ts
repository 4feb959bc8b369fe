import { availableParallelism } from "node:os";

import bcrypt from "bcrypt";
import pLimit from "p-limit";

import { AppError } from "../errors.ts";

/** Hashes a text of at most 72 bytes: bcrypt drops what comes after. */
export const slowHash = (text: string, cost: number): Promise<string> =>
  inTurn(() => bcrypt.hash(text, cost));

/**
 * Compares with the same work whether or not there is a hash to compare with, whatever cost it was
 * made at, and whether or not it matches.
 * @param cost of the work: no stored hash was made at a higher one
 * @throws AppError unavailable when too many wait for their turn
 */
export function slowCompare(text: string, hash: string | null, cost: number): Promise<boolean> {
  return inTurn(async () => {
    const matches = await bcrypt.compare(text, hash ?? unmatchableHash(cost));
    if (hash === null) return false;
    // 2^c + 2^c + 2^(c+1) + … + 2^(cost-1) = 2^cost
    for (let rest = costOf(hash); rest < cost; rest += 1) {
      await bcrypt.compare(text, unmatchableHash(rest));
    }
    return matches;
  });
}

/** Whether a hash would be refused now. */
export const isFull = (): boolean => hashing.pendingCount >= maxWaiting;

/** Whether a hash would wait for its turn, behind others and before those who come later. */
export const isBusy = (): boolean => hashing.pendingCount > 0;

/** @throws AppError unavailable when too many wait for their turn */
export function refuseWhenFull(): void {
  if (isFull()) throw new AppError("busy", "Too many sign-ins at once", { retryAfter: 2 });
}

export const costOf = (hash: string): number => bcrypt.getRounds(hash);

/** Costs what a real one costs and matches nothing. */
const unmatchableHash = (cost: number): string =>
  `$2b$${String(cost).padStart(2, "0")}$abcdefghijklmnopqrstuu${"x".repeat(31)}`;

/** One core is left to everything else: beside hashes on all of them, every request would wait. */
const atOnce = Math.max(1, availableParallelism() - 1);
const maxWaiting = 32;

/**
 * Hashes that run at once. In a burst of sign-ins more of them would fill every core, and the thread
 * pool that file and name look-ups share.
 */
const hashing = pLimit(atOnce);

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  refuseWhenFull();
  return hashing(work);
}

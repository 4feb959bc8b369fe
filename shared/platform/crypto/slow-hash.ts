import { availableParallelism } from "node:os";

import bcrypt from "bcrypt";

import { AppError } from "../errors/errors.ts";
import { FairQueue } from "../net/fair-queue.ts";

/**
 * Hashes a text of at most 72 bytes: bcrypt drops what comes after.
 * @param address of the client that it is done for: networks take turns. Undefined where none is
 * @throws AppError unavailable when too many wait for their turn
 */
export const slowHash = (
  text: string,
  cost: number,
  address: string | undefined,
): Promise<string> => hashing.run(address, () => bcrypt.hash(text, cost));

/**
 * Compares with the same work whether or not there is a hash to compare with, whatever cost it was
 * made at, and whether or not it matches.
 * @param cost of the work: no stored hash was made at a higher one
 * @param address as for `slowHash`
 * @throws AppError unavailable when too many wait for their turn
 */
export function slowCompare(
  text: string,
  hash: string | null,
  cost: number,
  address: string | undefined,
): Promise<boolean> {
  return hashing.run(address, async () => {
    const matches = await bcrypt.compare(text, hash ?? unmatchableHash(cost));
    if (hash === null) return false;
    // 2^c + 2^c + 2^(c+1) + … + 2^(cost-1) = 2^cost
    for (let rest = costOf(hash); rest < cost; rest += 1) {
      await bcrypt.compare(text, unmatchableHash(rest));
    }
    return matches;
  });
}

/** Whether a hash for this address would be refused now. */
export const isFullFor = (address: string | undefined): boolean => hashing.isFullFor(address);

/** Whether a hash would wait for its turn. */
export const isBusy = (): boolean => hashing.waiting > 0;

/** @throws AppError unavailable when too many of the address's network wait for their turn */
export function refuseWhenFull(address: string | undefined): void {
  if (isFullFor(address)) throw busy();
}

const busy = (): AppError => new AppError("busy", "Too many sign-ins at once", { retryAfter: 2 });

export const costOf = (hash: string): number => bcrypt.getRounds(hash);

/** Costs what a real one costs and matches nothing. */
const unmatchableHash = (cost: number): string =>
  `$2b$${String(cost).padStart(2, "0")}$abcdefghijklmnopqrstuu${"x".repeat(31)}`;

/** One core is left to everything else: beside hashes on all of them, every request would wait. */
const atOnce = Math.max(1, availableParallelism() - 1);

/** One network's burst of sign-ins waits for seconds, and leaves room for those of others. */
const caps = { network: 32, total: 128 };

/**
 * Hashes that run at once. In a burst of sign-ins more of them would fill every core, and the thread
 * pool that file and name look-ups share.
 */
const hashing = new FairQueue({ atOnce, caps, refusal: busy });

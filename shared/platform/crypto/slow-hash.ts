import { availableParallelism } from "node:os";

import bcrypt from "bcrypt";

import { AppError } from "../errors/errors.ts";
import { FairQueue } from "../net/fair-queue.ts";

/**
 * Hashes a text of at most 72 bytes; bcrypt ignores the rest.
 * @param address of the client, so that networks take turns; undefined if there is none
 * @throws AppError unavailable if too many wait
 */
export const computeSlowHash = (
  text: string,
  cost: number,
  address: string | undefined,
): Promise<string> => hashQueue.run(address, () => bcrypt.hash(text, cost));

/**
 * Compares a text with a hash. The amount of work depends neither on the hash's cost nor on the result, and is
 * the same if there is no hash.
 * @param cost at least that of any stored hash
 * @param address of the client, as for `computeSlowHash`
 * @throws AppError unavailable if too many wait
 */
export function compareSlowHash(
  text: string,
  hash: string | null,
  cost: number,
  address: string | undefined,
): Promise<boolean> {
  return hashQueue.run(address, async () => {
    const matches = await bcrypt.compare(text, hash ?? unmatchableHash(cost));
    if (hash === null) return false;
    // If the hash has a lower cost c, add work up to `cost`: 2^c + 2^c + 2^(c+1) + … + 2^(cost-1) = 2^cost.
    for (let rest = readHashCost(hash); rest < cost; rest += 1) {
      await bcrypt.compare(text, unmatchableHash(rest));
    }
    return matches;
  });
}

/** True if the queue would refuse a hash for this address now. */
export const isHashQueueFull = (address: string | undefined): boolean =>
  hashQueue.isFullFor(address);

/** True if a hash would have to wait. */
export const isHashQueueBusy = (): boolean => hashQueue.waiting > 0;

/** @throws AppError unavailable if too many requests of the address's network wait */
export function requireQueueSpace(address: string | undefined): void {
  if (isHashQueueFull(address)) throw busyError();
}

const busyError = (): AppError =>
  new AppError("busy", "Too many sign-ins at once", { retryAfter: 2 });

export const readHashCost = (hash: string): number => bcrypt.getRounds(hash);

/** Returns a hash that costs as much as a real one and matches no text. */
const unmatchableHash = (cost: number): string =>
  `$2b$${String(cost).padStart(2, "0")}$abcdefghijklmnopqrstuu${"x".repeat(31)}`;

/** Leave one core free: hashes on all cores would delay every other request. */
const atOnce = Math.max(1, availableParallelism() - 1);

/** Maximum number of waiting requests. The cap per network leaves space for other networks in a burst. */
const caps = { network: 32, total: 128 };

/**
 * Limits concurrency: otherwise a burst fills all cores and the thread pool of file access and DNS
 * lookups.
 */
const hashQueue = new FairQueue({ atOnce, caps, refusal: busyError });

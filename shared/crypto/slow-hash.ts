import { availableParallelism } from "node:os";

import bcrypt from "bcrypt";

import { unavailable } from "../errors.ts";

/** Hashes a text of at most 72 bytes: bcrypt drops what comes after. */
export const slowHash = (text: string, cost: number): Promise<string> =>
  inTurn(() => bcrypt.hash(text, cost));

/**
 * Compares in the same time whether or not there is a hash to compare with.
 * @throws AppError unavailable when too many wait for their turn
 */
export async function slowCompare(
  text: string,
  hash: string | null,
  cost: number,
): Promise<boolean> {
  const matches = await inTurn(() => compareAtCost(text, hash ?? unmatchableHash(cost), cost));
  return matches && hash !== null;
}

/** A miss against a hash of a lower cost would tell by its haste that there is such a user. */
async function compareAtCost(text: string, hash: string, cost: number): Promise<boolean> {
  const matches = await bcrypt.compare(text, hash);
  if (!matches && costOf(hash) < cost) await bcrypt.compare(text, unmatchableHash(cost));
  return matches;
}

export const costOf = (hash: string): number => bcrypt.getRounds(hash);

/** Costs what a real one costs and matches nothing. */
const unmatchableHash = (cost: number): string =>
  `$2b$${String(cost).padStart(2, "0")}$abcdefghijklmnopqrstuu${"x".repeat(31)}`;

const atOnce = availableParallelism();
const queueLength = 32;

// In memory on purpose: it guards this process's own cores and thread pool.
const waiting: (() => void)[] = [];
let running = 0;

/**
 * As many at once as there are cores. Without it a burst of sign-ins would fill the thread pool
 * that file and name look-ups share, and every other request would wait.
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < atOnce) running += 1;
  else await waitForTurn();
  try {
    return await work();
  } finally {
    // The one who finishes hands its place over, so `running` stays as it is.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

async function waitForTurn(): Promise<void> {
  if (waiting.length >= queueLength) throw unavailable("Too many sign-ins at once", 2);
  await new Promise<void>((resolve) => waiting.push(resolve));
}

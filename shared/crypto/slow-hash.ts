import { availableParallelism } from "node:os";

import bcrypt from "bcrypt";

import { unavailable } from "../errors.ts";
import { Turns } from "../turns.ts";

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

/** Whether a hash would be refused now. */
export const isFull = (): boolean => turns.waiting >= maxWaiting;

/** Whether a hash would wait for its turn, behind others and before those who come later. */
export const isBusy = (): boolean => turns.waiting > 0;

/** @throws AppError unavailable when too many wait for their turn */
export function refuseWhenFull(): void {
  if (isFull()) throw unavailable("Too many sign-ins at once", 2);
}

export const costOf = (hash: string): number => bcrypt.getRounds(hash);

/** Costs what a real one costs and matches nothing. */
const unmatchableHash = (cost: number): string =>
  `$2b$${String(cost).padStart(2, "0")}$abcdefghijklmnopqrstuu${"x".repeat(31)}`;

/** One core is left to everything else: beside hashes on all of them, every request would wait. */
const atOnce = Math.max(1, availableParallelism() - 1);
const maxWaiting = 32;

/**
 * Only so many at once. Without it a burst of sign-ins would fill the thread pool that file and
 * name look-ups share, and every core.
 */
const turns = new Turns(atOnce);

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  refuseWhenFull();
  return turns.take(work);
}

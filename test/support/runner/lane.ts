import { describe, it } from "vitest";

/** Set by `npm run test:long`: exhaustive tables run completely, and races run between processes. */
export const isLongLane = process.env["TEST_LANE"] === "long";

const { runIf } = describe;

/** Declares tests that only the long lane runs, in a file that both lanes run. */
export const describeInLongLane = runIf(isLongLane);

/** Declares a test that only the long lane runs, because it waits or computes for many seconds. */
export const itInLongLane = isLongLane ? it : it.skip;

/** Drawn once per run by the global setup, which prints it. `TEST_SEED` repeats a run's sample. */
const seed = Number(process.env["TEST_SEED"] ?? 0);

/**
 * Returns the cases of an exhaustive table for this lane: all cases in the long lane, otherwise a seeded
 * sample of each kind that differs between runs.
 * @param kindOf groups cases that are equivalent for the test
 * @param perKind the number of cases of each kind in the main lane
 */
export function sample<T>(cases: readonly T[], kindOf: (one: T) => string, perKind = 1): T[] {
  if (isLongLane) return [...cases];
  const kinds = Map.groupBy(cases, kindOf);
  const taken = new Set([...kinds].flatMap(([kind, all]) => draw(all, perKind, kind)));
  return cases.filter((one) => taken.has(one));
}

/** The number of random cases of a property in this lane; the main lane draws a quarter. */
export const runsOf = (all: number): number => (isLongLane ? all : Math.ceil(all / 4));

/** Draws this many cases in random order. */
function draw<T>(all: readonly T[], count: number, kind: string): T[] {
  return all
    .map((one, index) => ({ one, rank: hash(`${seed}:${kind}:${index}`) }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ one }) => one);
}

/** FNV-1a with a final mix, so that texts differing in one digit get distant hashes. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (const sign of text) value = Math.imul(value ^ (sign.codePointAt(0) ?? 0), 0x01_00_01_93);
  value = Math.imul(value ^ (value >>> 15), 0x2c_1b_3c_6d);
  return (value ^ (value >>> 13)) >>> 0;
}

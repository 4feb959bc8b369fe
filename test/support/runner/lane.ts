import { describe, it } from "vitest";

/**
 * True in the long lane (`npm run test:long`). There, tables of cases run completely, and races run
 * between processes.
 */
export const isLongLane = process.env["TEST_LANE"] === "long";

const { runIf } = describe;

/** Declares a group that runs only in the long lane, in a file that runs in both lanes. */
export const describeInLongLane = runIf(isLongLane);

/** Declares a test that runs only in the long lane, because it takes many seconds. */
export const itInLongLane = isLongLane ? it : it.skip;

/**
 * The seed of samples. The global setup draws it once per run and prints it. With `TEST_SEED`, a
 * run uses the samples of an earlier run.
 */
const seed = Number(process.env["TEST_SEED"] ?? 0);

/**
 * Returns the cases of a table that run in this lane. The long lane runs all cases. The main lane
 * runs a random sample of each kind, which differs between runs.
 * @param kindOf returns the kind of a case; cases of a kind are equivalent for the test
 * @param perKind the number of cases of each kind in the main lane
 */
export function sampleCases<T>(cases: readonly T[], kindOf: (one: T) => string, perKind = 1): T[] {
  if (isLongLane) return [...cases];
  const kinds = Map.groupBy(cases, kindOf);
  const taken = new Set([...kinds].flatMap(([kind, all]) => draw(all, perKind, kind)));
  return cases.filter((one) => taken.has(one));
}

/**
 * Returns the number of random cases that a property checks in this lane. The main lane checks a
 * quarter.
 */
export const propertyRunsOf = (all: number): number => (isLongLane ? all : Math.ceil(all / 4));

/** Returns this many cases, in random order. */
function draw<T>(all: readonly T[], count: number, kind: string): T[] {
  return all
    .map((one, index) => ({ one, rank: hash(`${seed}:${kind}:${index}`) }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ one }) => one);
}

/**
 * Hashes a text by FNV-1a. The result is mixed once more, so that texts which differ in one digit
 * get very different hashes.
 */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (const sign of text) value = Math.imul(value ^ (sign.codePointAt(0) ?? 0), 0x01_00_01_93);
  value = Math.imul(value ^ (value >>> 15), 0x2c_1b_3c_6d);
  return (value ^ (value >>> 13)) >>> 0;
}

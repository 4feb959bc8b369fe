import { describe, it } from "vitest";

/** `npm run test:long` sets it: exhaustive tables run whole and races run between processes. */
export const isLongLane = process.env["TEST_LANE"] === "long";

const { runIf } = describe;

/** Declares tests that only the long lane runs, in a file that both lanes run. */
export const describeInLongLane = runIf(isLongLane);

/** Declares a test that only the long lane runs, because it waits or computes for many seconds. */
export const itInLongLane = isLongLane ? it : it.skip;

/** Drawn once a run by the global setup, which prints it; `TEST_SEED` repeats a run's sample. */
const seed = Number(process.env["TEST_SEED"] ?? 0);

/**
 * Cases of an exhaustive table to run in this lane: all of them in the long lane, elsewhere a
 * seeded sample of each kind, another one each run.
 * @param kindOf groups cases that differ in nothing that matters to the test
 * @param perKind how many of each kind the main lane runs
 */
export function sample<T>(cases: readonly T[], kindOf: (one: T) => string, perKind = 1): T[] {
  if (isLongLane) return [...cases];
  const kinds = Map.groupBy(cases, kindOf);
  const taken = new Set([...kinds].flatMap(([kind, all]) => draw(all, perKind, kind)));
  return cases.filter((one) => taken.has(one));
}

/** How many cases of a property to draw in this lane: the main lane draws a quarter of them. */
export const runsOf = (all: number): number => (isLongLane ? all : Math.ceil(all / 4));

/** As many as asked for, without an order that a reader could rely on. */
function draw<T>(all: readonly T[], count: number, kind: string): T[] {
  return all
    .map((one, index) => ({ one, rank: hash(`${seed}:${kind}:${index}`) }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ one }) => one);
}

/** FNV-1a with a final mix: texts that differ in one digit land far apart. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (const sign of text) value = Math.imul(value ^ (sign.codePointAt(0) ?? 0), 0x01_00_01_93);
  value = Math.imul(value ^ (value >>> 15), 0x2c_1b_3c_6d);
  return (value ^ (value >>> 13)) >>> 0;
}

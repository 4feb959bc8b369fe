import { statSync } from "node:fs";

import type { Test } from "@jest/reporters";

/**
 * CATALOGUE of the test files that take longest, the longest first. Most of them wait for processes
 * that start, stop and are killed: begun last, one of them would run on when all others have ended.
 */
const long = [
  "survival/evening",
  "ops/queues-browser",
  "imports/machinery",
  "ops/ending",
  "ops/silent-database",
  "auth/races",
  "ops/start",
  "push/delivery",
  "http/openapi",
  "auth/restarts",
  "appeals/killed-unban",
  "events/engine",
  "imports/killed-at-every-phase",
  "ops/backup",
  "shard/ingest",
  "auth/configured-limits",
  "webhooks/delivery",
  "appeals/appeals",
  "ops/two-releases",
  "content/content-races",
  "imports/item-art",
  "auth/session-races",
  "imports/real-trees",
  "ops/starting",
] as const;

/** The order in which test files begin: the long ones, then by size, which goes with the time most take. */
export default class LongestFirst {
  sort(tests: readonly Test[]): Test[] {
    const sizes = new Map(tests.map(({ path }) => [path, statSync(path).size]));
    const sizeOf = ({ path }: Test) => sizes.get(path) ?? 0;
    return tests.toSorted((a, b) => rankOf(a) - rankOf(b) || sizeOf(b) - sizeOf(a));
  }

  allFailedTests(tests: readonly Test[]): readonly Test[] {
    return tests;
  }

  /** No run knows of the one before: each begins in the same order. */
  cacheResults(): void {}
}

function rankOf({ path }: Test): number {
  const at = long.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return at === -1 ? long.length : at;
}

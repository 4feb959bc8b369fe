import { statSync } from "node:fs";

import type { Test } from "@jest/reporters";

/**
 * CATALOGUE of the test files that take longest, the longest first. Most of them wait for processes
 * that start, stop and are killed: begun last, one of them would run on when all others have ended.
 */
const long = [
  "events/readme-evening",
  "events/publishing",
  "survival/demo-evening",
  "appeals/appeals",
  "auth/session-races",
  "push/delivery",
  "ops/backup",
  "http/odd-requests",
  "webhooks/delivery",
  "events/engine",
  "ops/starting",
  "auth/races",
  "shard/ingest",
  "survival/evening",
  "imports/assets",
  "auth/sso",
  "http/openapi",
  "imports/real-trees",
  "shard/shard-faults",
  "push/devices",
  "imports/machinery",
  "ops/start",
  "auth/interleavings",
  "http/overtaken-writes",
  "http/generated-client",
  "auth/api-tokens",
  "ops/two-releases",
  "shard/stream-resume",
  "ops/ending",
  "imports/killed-at-every-phase",
  "http/gates",
  "auth/sso-races",
  "shard/market-store",
  "auth/restarts",
  "auth/link-races",
  "content/content-races",
  "appeals/killed-unban",
  "survival/npc-placements",
  "ops/silent-database",
  "shard/stream-connections",
  "survival/steam-links",
  "ops/user",
  "http/late-bodies",
  "auth/password-reset",
  "auth/hostile-requests",
  "survival/npc-pushes",
  "content/visibility",
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

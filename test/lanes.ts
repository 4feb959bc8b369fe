/**
 * CATALOGUE of the lanes. Names are paths below `test/`, without `.test.ts`. A test file that stands
 * in no list runs in the main lane (`npm test`).
 */

/** Files that open pages in Chromium: `npm run test:browser`. */
export const browserFiles = "test/**/*-browser.test.ts";

/** Test files that run in `npm run test:long` alone, by the reason. */
export const longLane = {
  "kills, restarts or stops processes of the service": [
    "appeals/killed-unban",
    "auth/clocks",
    "auth/restarts",
    "events/clocks",
    "imports/assets-killed",
    "imports/killed-at-every-phase",
    "imports/machinery",
    "ops/deaf-process",
    "ops/ending",
    "ops/starting",
    "ops/stopping",
    "ops/supervised",
    "shard/killed-commands",
    "shard/link-state",
    "shard/market-live",
    "survival/administered-servers",
    "survival/clocks",
    "survival/config-killed",
    "survival/told-changes",
  ],
  "takes the database away, silences or replaces it": [
    "imports/lost-stages",
    "ops/database-away",
    "ops/errors-of-away",
    "ops/no-connection-left",
    "ops/pooler",
    "ops/restarted-database",
    "ops/silent-database",
    "ops/standby-away",
  ],
  "starts programs for people who operate a site, one process a case": [
    "ops/art",
    "ops/backup",
    "ops/compile-cache",
    "ops/copy",
    "ops/doctor",
    "ops/environment",
    "ops/given-up-statements",
    "ops/own-database",
    "ops/procfile",
    "ops/rotate-secrets",
    "ops/start",
    "ops/stray-output",
    "ops/two-releases",
    "ops/user",
    "ops/worker-groups",
  ],
  "plays a whole evening of the demo in processes of its own": [
    "events/readme-evening",
    "ops/demo",
    "survival/demo-evening",
    "survival/evening",
  ],
  "tests the simulator of game servers, not the service": [
    "bridge/simulator",
    "simulator/accounts",
    "simulator/control",
    "simulator/control-faults",
    "simulator/moderation",
    "simulator/simulator",
    "simulator/sources",
    "simulator/stream",
    "simulator/stream-faults",
    "simulator/survival/control",
    "simulator/survival/faults",
    "simulator/survival/stream",
  ],
  "tests what runs the tests": ["ops/killed-test-run", "structure/ended-servers"],
  "imports real game-server trees": ["imports/real-trees"],
  "compiles a client program against generated types": ["http/generated-client"],
  "counts the rows that each page reads in tables of thousands": ["http/paged-reads"],
} as const;

/** Test files of which the main lane runs a part and the long lane all, by what the long lane adds. */
export const wholeInLongLane = {
  "races run between two processes, one with its clock off, and in rounds": [
    "appeals/appeal-races",
    "auth/caps-at-once",
    "auth/link-races",
    "auth/races",
    "auth/session-races",
    "auth/sso-races",
    "auth/token-races",
    "content/content-races",
    "http/cap-races",
    "http/row-races",
    "shard/account-races",
    "survival/cap-races",
    "survival/deletion-races",
    "survival/steam-link-races",
  ],
  "kills a worker, or waits half a minute for a process": [
    "content/content-races",
    "http/late-bodies",
    "push/keeping",
    "webhooks/delivery",
  ],
  "properties, of which the main lane draws a quarter of the cases": [
    "auth/foreign-requests",
    "content/excerpt",
    "content/texts",
    "events/schedule",
    "shard/canary",
    "shard/market-store",
    "shard/stream-resume",
    "survival/wipes",
  ],
  "exhaustive tables, of which the main lane draws a sample": [
    "auth/session-races",
    "http/odd-requests",
    "http/overtaken-writes",
  ],
} as const;

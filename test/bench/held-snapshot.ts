import { setTimeout as sleep } from "node:timers/promises";

import { type Bench, type BenchRow, buildBenchRow } from "./bench.ts";
import {
  type ChurnPart,
  churnParts,
  ratePerMinute,
  type Reading,
  takeReading,
} from "./held-snapshot/readings.ts";
import { formatRun } from "./held-snapshot/report.ts";
import { type ChurnSite, endRun, holdSnapshot, openSite } from "./held-snapshot/site.ts";
import {
  formatSlowedStatements,
  readStatements,
  resetStatements,
  type StatementReading,
} from "./held-snapshot/statements.ts";

const name = "held-snapshot";

interface Length {
  readonly warmUpMs: number;
  /** The number of intervals of a run, and the length of each. */
  readonly intervals: number;
  readonly everyMs: number;
}

const full: Length = { warmUpMs: 20_000, intervals: 10, everyMs: 60_000 };
const short: Length = { warmUpMs: 1_000, intervals: 5, everyMs: 1_000 };

/** The number of last intervals that are compared. Dead rows accumulate from the start of a run. */
const comparedIntervals = 3;

/**
 * Measures jobs, sessions, streams and a plugin while an idle transaction keeps PostgreSQL from removing dead
 * rows. The baseline (floor) is the same load without that transaction. Prints the rates and the dead rows of
 * both runs, and the statements that became slower.
 */
export const bench: Bench = {
  name,
  async run(options) {
    const length = options.short ? short : full;
    const site = await openSite(options.databaseUrl);
    try {
      await site.churn.call("begin");
      await sleep(length.warmUpMs);
      await endRun(site);
      const quiet = await measure("quiet", site, length);
      await endRun(site);
      const held = await measureHeld(site, options.databaseUrl, length);
      const slowed = formatSlowedStatements(quiet.statements, held.statements);
      process.stderr.write(`\nstatements that became slower, in the last intervals\n${slowed}\n`);
      return compareRuns(quiet, held);
    } finally {
      await site.stop();
    }
  },
};

interface Run {
  readonly readings: readonly Reading[];
  /** The statements of the compared intervals. */
  readonly statements: readonly StatementReading[];
}

async function measure(what: string, { churn, client }: ChurnSite, length: Length): Promise<Run> {
  const { intervals, everyMs } = length;
  await churn.call("begin");
  const readings = [await takeReading(churn, client)];
  const startedAt = performance.now();
  for (let interval = 1; interval <= intervals; interval++) {
    await sleep(startedAt + interval * everyMs - performance.now());
    readings.push(await takeReading(churn, client));
    if (interval === intervals - comparedIntervals) await resetStatements(client);
  }
  const statements = await readStatements(client);
  process.stderr.write(formatRun(what, readings));
  return { readings, statements };
}

async function measureHeld(site: ChurnSite, databaseUrl: string, length: Length): Promise<Run> {
  const holder = await holdSnapshot(databaseUrl);
  try {
    const held = await measure("held", site, length);
    // The statement fails if the server has ended the transaction before.
    await holder.query("commit");
    return held;
  } finally {
    await holder.end();
  }
}

function compareRuns(quiet: Run, held: Run): BenchRow[] {
  return churnParts.map((part) =>
    buildBenchRow({
      bench: name,
      figure: `${part}, held against quiet`,
      ours: lastRateOf(part, held),
      floor: lastRateOf(part, quiet),
      unit: "1/min",
      better: "higher",
      target: 0.9,
    }),
  );
}

/** Returns the rate of a part in the compared intervals. */
function lastRateOf(part: ChurnPart, { readings }: Run): number {
  const [first, last] = [readings.at(-1 - comparedIntervals), readings.at(-1)];
  return first && last ? ratePerMinute(part, first, last) : Number.NaN;
}

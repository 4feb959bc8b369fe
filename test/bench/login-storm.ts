import { setTimeout as sleep } from "node:timers/promises";

import { Client } from "pg";

import { throttleVariables } from "../../shared/platform/config/throttle-variables.ts";
import { type Bench, median, type BenchRow, buildBenchRow } from "./bench.ts";
import type { LoadResult } from "./http/load-client.ts";
import type { Statuses } from "./http/storm.ts";
import { startServiceProcess } from "./parts/processes.ts";
import { BenchProgram } from "./parts/remote.ts";

const name = "storm";
const lanes = 100;

/**
 * The pause between a connection's requests. Answers to anonymous callers are cached for half a
 * second. At this rate more than 5 % of them are read from the database, so the 95th percentile
 * measures database reads.
 */
const pauseMs = 40;

/** The time that a storm takes to open its hundred connections. It is not measured. */
const settleMs = 1_000;

/** Use the hash cost of production. The cost in tests is almost zero. */
const realHashes = { BCRYPT_COST: undefined };

/** Use the production limits instead of the high limits of the tests. */
const realLimits = Object.fromEntries(
  Object.keys(throttleVariables).map((variable) => [variable, undefined]),
);

/**
 * Measures public reads during a hundred concurrent sign-ins that fail. The baseline (floor) is the same site
 * without sign-ins.
 */
export const bench: Bench = {
  name,
  async run({ short, databaseUrl }) {
    const length = short ? { ms: 2_000, rounds: 1 } : { ms: 5_000, rounds: 3 };
    const rows: BenchRow[] = [];
    for (const setting of short ? settings.slice(0, 1) : settings) {
      rows.push(await measure(setting, databaseUrl, length));
    }
    return rows;
  },
};

interface Setting {
  readonly what: string;
  readonly environment: NodeJS.ProcessEnv;
}

const settings: readonly Setting[] = [
  { what: "no limits", environment: realHashes },
  { what: "limits as shipped", environment: { ...realHashes, ...realLimits } },
];

interface Length {
  readonly ms: number;
  readonly rounds: number;
}

async function measure({ what, environment }: Setting, databaseUrl: string, length: Length) {
  await forgetCounts(databaseUrl);
  const asker = await BenchProgram.start("http/load-client.ts");
  const storm = await BenchProgram.start("http/storm.ts");
  const web = await startServiceProcess("web", databaseUrl, environment);
  try {
    const [quiet, stormy] = await takeTurns(web.url, { asker, storm }, length);
    // On a busy machine the storm's first hash may end after the measurement, so wait for all
    // answers of the storm.
    await storm.call("end");
    const statuses = await storm.call<Statuses>("seen");
    if (!statuses["401"]) {
      throw new Error(`no password was checked: ${JSON.stringify(statuses)}`);
    }
    const figure = `${what}, p95 of a public read beside a quiet site`;
    const [ours, floor] = [median(stormy), median(quiet)];
    return buildBenchRow({
      bench: name,
      figure,
      ours,
      floor,
      unit: "ms",
      better: "lower",
      target: 5,
    });
  } finally {
    await storm.stop();
    await Promise.all([asker.stop(), web.stop()]);
  }
}

/**
 * Deletes the counts of earlier settings, because with the production limits these counts would refuse all
 * sign-ins.
 */
async function forgetCounts(databaseUrl: string): Promise<void> {
  const client = new Client(databaseUrl);
  await client.connect();
  await client.query("truncate rate_limits, ip_reputation");
  await client.end();
}

/** Measures reads without the storm and with it. @returns the 95th percentiles of the rounds, in ms */
async function takeTurns(
  origin: string,
  { asker, storm }: { readonly asker: BenchProgram; readonly storm: BenchProgram },
  { ms, rounds }: Length,
): Promise<[quiet: number[], stormy: number[]]> {
  const url = `${origin}/api/v1/public/status`;
  const poll = async (forMs: number) =>
    (await asker.call<LoadResult>("ask", { url, connections: 1, ms: forMs, pauseMs })).p95;
  const [quiet, stormy]: [number[], number[]] = [[], []];
  await poll(500);
  for (let round = 0; round < rounds; round++) {
    await storm.call("end");
    quiet.push(await poll(ms));
    await storm.call("begin", { url: `${origin}/api/v1/auth/login`, lanes });
    await sleep(settleMs);
    stormy.push(await poll(ms));
  }
  return [quiet, stormy];
}

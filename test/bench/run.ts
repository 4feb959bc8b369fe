import { writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";

import pLimit from "p-limit";

import { DatabaseServer } from "../support/database/database-server.ts";
import { keepRunOnDisk } from "../support/runner/run-folder.ts";
import { type Bench, meetsTarget, type BenchRow } from "./bench.ts";
import { bench as chain } from "./chain.ts";
import { bench as content } from "./content.ts";
import { bench as crowd } from "./crowd.ts";
import { bench as events } from "./events.ts";
import { bench as fanout } from "./fanout.ts";
import { bench as heldSnapshot } from "./held-snapshot.ts";
import { bench as imports } from "./imports.ts";
import { bench as ingest } from "./ingest.ts";
import { bench as justWritten } from "./just-written.ts";
import { bench as loginStorm } from "./login-storm.ts";
import { bench as marketSearches } from "./market-searches.ts";
import { bench as market } from "./market.ts";
import { bench as permissions } from "./permissions.ts";
import { bench as pickUp } from "./pick-up.ts";
import { bench as plugin } from "./plugin.ts";
import { bench as processes } from "./processes.ts";
import { bench as push } from "./push.ts";
import { bench as reads } from "./reads.ts";
import { bench as serverChanges } from "./server-changes.ts";
import { bench as survival } from "./survival.ts";
import { formatBenchTable } from "./table.ts";
import { bench as webhooks } from "./webhooks.ts";

/** CATALOGUE of benchmarks, in the order in which they run. */
const benches: readonly Bench[] = [
  ingest,
  fanout,
  chain,
  market,
  marketSearches,
  reads,
  content,
  crowd,
  loginStorm,
  pickUp,
  events,
  push,
  webhooks,
  permissions,
  survival,
  serverChanges,
  imports,
  plugin,
  heldSnapshot,
  justWritten,
  processes,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: "boolean", default: false } },
});
const { short } = values;
const asked = positionals.length > 0 ? positionals : benches.map(({ name }) => name);
const unknown = asked.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  const names = benches.map(({ name }) => name).join(", ");
  process.stderr.write(`No such benchmark: ${unknown.join(", ")}. There are ${names}.\n`);
  process.exit(78);
}

keepRunOnDisk();
// Commits wait for the disk, as in production.
const ground = await DatabaseServer.start({
  throwaway: false,
  settings: [
    "max_wal_size=4GB",
    // The extension records nothing until a benchmark enables it for its database.
    "shared_preload_libraries=pg_stat_statements",
    "pg_stat_statements.track=none",
  ],
});
process.on("uncaughtException", (error) => void giveUp(error));
// Benchmarks whose targets are checked run one at a time. A short run only shows that each
// benchmark works, and benchmarks wait most of the time, so three run at once.
const inTurn = pLimit(short ? 3 : 1);
const rows: BenchRow[] = [];
try {
  const chosen = benches.filter(({ name }) => asked.includes(name));
  const measured = await Promise.all(chosen.map((bench) => inTurn(() => measure(bench))));
  rows.push(...measured.flat());
} finally {
  await ground.stop();
}
process.stdout.write(formatBenchTable(rows));
writeFileSync("bench.json", JSON.stringify({ ...machine(), short, rows }, null, 2));
// Do not check the targets in a short run: its figures are too inexact.
process.exit(!short && rows.some((row) => meetsTarget(row) === false) ? 1 : 0);

async function measure(bench: Bench): Promise<BenchRow[]> {
  const startedAt = performance.now();
  const databaseUrl = await ground.createDatabase(`bench_${bench.name.replaceAll("-", "_")}`);
  const measured = await bench.run({ short, databaseUrl });
  const seconds = (performance.now() - startedAt) / 1000;
  process.stderr.write(`${bench.name} took ${seconds.toFixed(1)} s\n`);
  return measured;
}

async function giveUp(error: Error): Promise<void> {
  process.stderr.write(`${String(error.stack)}\n`);
  await ground.stop();
  process.exit(1);
}

function machine(): object {
  const model = cpus()[0]?.model ?? "unknown";
  return { at: new Date(), node: process.version, cores: availableParallelism(), model };
}

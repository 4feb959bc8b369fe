import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { type ProcessKind, processKinds } from "../../shared/platform/job-records/processes.ts";
import { descendantsOf, Launcher } from "../ops/launcher.ts";
import { type Bench, figureAlone, median, type BenchRow } from "./bench.ts";
import { memoryOf } from "./parts/memory.ts";
import { startServiceProcess } from "./parts/processes.ts";

const name = "processes";

/** Measures the duration of `npm start` and the memory of idle processes. */
export const bench: Bench = {
  name,
  async run({ short, databaseUrl }) {
    const idleMs = short ? 1_000 : 8_000;
    const folder = mkdtempSync(path.join(tmpdir(), "guildhall-bench-"));
    try {
      // This first start creates the database and fills the compile cache, and is not measured.
      const [alone] = await Promise.all([measureAlone(databaseUrl, idleMs), launch(folder, 0)]);
      const launches: Launched[] = [];
      for (let round = 0; round < (short ? 1 : 5); round++) {
        launches.push(await launch(folder, idleMs));
      }
      return [startRow(launches), ...together(launches), ...alone];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** The main file of each process. The process is found by this text in its command line. */
const files: Readonly<Record<ProcessKind, string>> = {
  web: "api/server.ts",
  ingest: "jobs/ingest.ts",
  worker: "jobs/worker.ts",
};

interface Launched {
  readonly seconds: number;
  /** Memory in MiB, by process. */
  readonly held: Readonly<Record<ProcessKind, number>>;
}

/** Starts all processes as `npm start` does, waits, and stops them. */
async function launch(folder: string, idleMs: number): Promise<Launched> {
  const startedAt = performance.now();
  const launcher = new Launcher({ folder });
  try {
    await launcher.ready();
    const seconds = (performance.now() - startedAt) / 1_000;
    await sleep(idleMs);
    const running = descendantsOf(launcher.pid);
    const heldBy = (kind: ProcessKind): number => {
      const found = running.find(({ command }) => command.endsWith(files[kind]));
      if (!found) throw new Error(`${kind} does not run`);
      return memoryOf(found.pid).held;
    };
    return { seconds, held: ofEach(heldBy) };
  } finally {
    await launcher.end("SIGTERM");
  }
}

/** Starts each process alone, without a compile cache. */
const measureAlone = (databaseUrl: string, idleMs: number): Promise<BenchRow[]> =>
  Promise.all(
    processKinds.map(async (kind) => {
      const deployed = await startServiceProcess(kind, databaseUrl);
      await sleep(idleMs);
      const row = idleRow(`${kind}, idle`, memoryOf(deployed.pid).held);
      await deployed.stop();
      return row;
    }),
  );

const startRow = (launches: readonly Launched[]): BenchRow =>
  figureAlone({
    bench: name,
    figure: "npm start until ready",
    ours: median(launches.map(({ seconds }) => seconds)),
    unit: "s",
    better: "lower",
    target: 5,
  });

const together = (launches: readonly Launched[]): BenchRow[] =>
  processKinds.map((kind) =>
    idleRow(`${kind} of npm start, idle`, median(launches.map(({ held }) => held[kind]))),
  );

const idleRow = (figure: string, ours: number): BenchRow =>
  figureAlone({ bench: name, figure, ours, unit: "MiB", better: "lower", target: 150 });

const ofEach = <Value>(read: (kind: ProcessKind) => Value): Readonly<Record<ProcessKind, Value>> =>
  Object.fromEntries(processKinds.map((kind) => [kind, read(kind)])) as Record<ProcessKind, Value>;

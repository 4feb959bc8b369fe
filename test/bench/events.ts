import { setTimeout as sleep } from "node:timers/promises";

import { loadConfig } from "../../shared/platform/config/config.ts";
import { createLogger } from "../../shared/platform/log.ts";
import { createPgBoss, createQueue } from "../../shared/platform/queue/queue.ts";
import { testEnvironment } from "../support/service/server.ts";
import {
  type Bench,
  compareWithFloor,
  figureAlone,
  type FigureValues,
  quantile,
  type BenchRow,
} from "./bench.ts";
import { FloorJobChains, measureStartDelay } from "./events/chains.ts";
import { EventBenchSite } from "./events/stage.ts";

const name = "events";

interface Size {
  /** The number of other active runs during the measurement. */
  readonly active: number;
  readonly rounds: number;
  readonly chains: number;
  readonly burst: number;
  readonly steps: number;
  readonly singles: number;
}

const long: Size = { active: 1_000, rounds: 3, chains: 4, burst: 40, steps: 10, singles: 30 };
const brief: Size = { active: 100, rounds: 1, chains: 2, burst: 6, steps: 5, singles: 5 };

/**
 * Measures the time from a step's due time until its effect. The baseline (floor) is a job of pg-boss without the
 * service.
 */
export const bench: Bench = {
  name,
  async run({ short, databaseUrl }) {
    const stage = await EventBenchSite.start(databaseUrl);
    const bare = await FloorJobChains.start(databaseUrl, stage);
    try {
      const size = short ? brief : long;
      await stage.fill(size.active);
      const scene = { stage, bare, size };
      return [
        ...(await measureChains(scene)),
        ...(await measureClock(scene)),
        ...(await measureRetries(scene)),
        ...(await measureSingles(scene, databaseUrl)),
        await countStatements(scene),
      ];
    } finally {
      await bare.stop();
      await stage.stop();
    }
  },
};

interface Scene {
  readonly stage: EventBenchSite;
  readonly bare: FloorJobChains;
  readonly size: Size;
}

interface Acted {
  readonly dueAt: number;
  readonly actedAt: number;
}

const ms = { unit: "ms", better: "lower" } as const;

/**
 * Compares steps that are due at the end of the previous step, with few and with many concurrent
 * runs.
 */
async function measureChains({ stage, bare, size }: Scene): Promise<BenchRow[]> {
  const { chains, burst, steps, rounds } = size;
  const event = await stage.write(Array.from({ length: steps }, () => 0));
  const late = await compareWithFloor(
    name,
    { "late, p50": ms, "late, p99": ms },
    {
      rounds,
      ours: async () => {
        const acted = await stage.actedOf(await stage.schedule(event, chains));
        return lateness(
          "late",
          acted.filter(({ seq }) => seq > 1),
        );
      },
      floor: async () =>
        lateness(
          "late",
          (await bare.run(chains, { steps })).filter(({ isFirst }) => !isFirst),
        ),
    },
  );
  const rate = await compareWithFloor(
    name,
    { "steps a second": { unit: "1/s", better: "higher", target: 0.7 } },
    {
      rounds,
      ours: async () => rateOf(await stage.actedOf(await stage.schedule(event, burst))),
      floor: async () => rateOf(await bare.run(burst, { steps })),
    },
  );
  return [...late, ...targetsOf(late), ...rate];
}

/** Adds a row with an absolute target for each 99th percentile. */
const targetsOf = (rows: readonly BenchRow[]): BenchRow[] =>
  rows
    .filter(({ figure }) => figure.endsWith("p99"))
    .map(({ figure, ours }) =>
      figureAlone({ bench: name, figure: `${figure}, by itself`, ours, ...ms, target: 100 }),
    );

/** Compares steps and jobs that are due at a fixed time. */
async function measureClock({ stage, bare, size }: Scene): Promise<BenchRow[]> {
  const { chains, steps } = size;
  const event = await stage.write(Array.from({ length: steps }, (_, at) => at + 1));
  return compareWithFloor(
    name,
    { "late by the clock, p50": ms, "late by the clock, p99": ms },
    {
      rounds: 1,
      ours: async () =>
        lateness("late by the clock", await stage.actedOf(await stage.schedule(event, chains))),
      floor: async () => {
        const from = Date.now() + 1_000;
        const dueAt = (at: number): number => from + at * 250;
        return lateness("late by the clock", await bare.run(chains * steps, { dueAt }));
      },
    },
  );
}

/** Compares steps and jobs whose first attempt fails. */
async function measureRetries({ stage, bare, size }: Scene): Promise<BenchRow[]> {
  const event = await stage.write([0]);
  const count = size.burst;
  return compareWithFloor(
    name,
    { "late again, p50": ms, "late again, p99": ms },
    {
      rounds: 1,
      ours: async () => {
        const runs = await stage.schedule(event, count);
        await stage.refuse(count);
        const acted = await stage.actedOf(runs);
        return lateness(
          "late again",
          acted.filter(({ attempts }) => attempts > 1),
        );
      },
      floor: async () => lateness("late again", await bare.run(count, { fails: true })),
    },
  );
}

/** Compares queues that run one job at a time. */
async function measureSingles(
  { stage, bare, size }: Scene,
  databaseUrl: string,
): Promise<BenchRow[]> {
  const config = loadConfig(testEnvironment(databaseUrl));
  const boss = createPgBoss(config, createLogger("bench", "silent"));
  await boss.start();
  const queue = createQueue(boss);
  const ours = async (): Promise<FigureValues> => {
    const begun: number[] = [];
    for (let at = 0; at < size.singles; at++) {
      begun.push(
        await measureStartDelay(await queue.enqueue("event.materialise", {}), "pgboss.job", stage),
      );
    }
    return figuresOf("singleton begun", begun);
  };
  const floor = async (): Promise<FigureValues> =>
    figuresOf("singleton begun", await bare.runSingles(size.singles));
  const figures = { "singleton begun, p50": ms, "singleton begun, p99": ms };
  try {
    return await compareWithFloor(name, figures, { rounds: 1, ours, floor });
  } finally {
    await boss.stop({ graceful: false });
  }
}

/**
 * Counts the SQL statements of whole runs, as the database recorded them. The statements of an idle
 * service in the same time are subtracted. With many concurrent runs, the queue's periodic
 * statements matter little.
 */
async function countStatements({ stage, size }: Scene): Promise<BenchRow> {
  const event = await stage.write(Array.from({ length: size.steps }, () => 0));
  const restMs = 2_000;
  const idleFrom = await stage.statements();
  await sleep(restMs);
  const idle = ((await stage.statements()) - idleFrom) / restMs;
  const runs = await stage.schedule(event, size.burst);
  const [from, at] = [await stage.statements(), performance.now()];
  await stage.untilAll(runs, "completed");
  const spent = (await stage.statements()) - from - idle * (performance.now() - at);
  return figureAlone({
    bench: name,
    figure: "SQL statements a step",
    ours: spent / (size.burst * size.steps),
    unit: "",
    better: "lower",
    target: 10,
  });
}

const lateness = (figure: string, acted: readonly Acted[]): FigureValues =>
  figuresOf(
    figure,
    acted.map(({ dueAt, actedAt }) => actedAt - dueAt),
  );

const figuresOf = (figure: string, values: readonly number[]): FigureValues => ({
  [`${figure}, p50`]: quantile(values, 0.5),
  [`${figure}, p99`]: quantile(values, 0.99),
});

function rateOf(acted: readonly Acted[]): FigureValues {
  const times = acted.map(({ actedAt }) => actedAt);
  const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
  return { "steps a second": (times.length - 1) / seconds };
}

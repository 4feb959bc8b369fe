import { setTimeout as sleep } from "node:timers/promises";

import { Client } from "pg";

import { loadConfig } from "../../shared/platform/config/config.ts";
import { createLogger } from "../../shared/platform/log.ts";
import { createPgBoss, createQueue } from "../../shared/platform/queue/queue.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { testEnvironment } from "../support/service/server.ts";
import { type Bench, compareWithFloor, type FigureValues, median, quantile } from "./bench.ts";
import { bareQueue, bareSchema, createFloorPgBoss } from "./jobs/bare-boss.ts";
import { startServiceProcess } from "./parts/processes.ts";
import { BenchProgram } from "./parts/remote.ts";

const name = "pickup";

/**
 * Measures the time from a job's creation to its start and to its end. The job has nothing to do.
 */
export const bench: Bench = {
  name,
  async run({ short, databaseUrl }) {
    const client = new Client(databaseUrl);
    await client.connect();
    const [bare, worker] = await Promise.all([
      BenchProgram.start("jobs/bare-worker.ts", { DATABASE_URL: databaseUrl }),
      startServiceProcess("worker", databaseUrl),
    ]);
    const sides = [await ourSide(databaseUrl), await bareSide(databaseUrl)] as const;
    const [ours, floor] = sides;
    const jobs = short ? 15 : 150;
    try {
      for (const side of sides) await pickUp(side, 5, client);
      return await compareWithFloor(name, figures, {
        rounds: short ? 1 : 5,
        ours: () => pickUp(ours, jobs, client),
        floor: () => pickUp(floor, jobs, client),
      });
    } finally {
      await Promise.all(sides.map((side) => side.stop()));
      await Promise.all([worker.stop(), bare.stop(), client.end()]);
    }
  },
};

const figures = {
  "begun, p50": { unit: "ms", better: "lower", target: 1.2 },
  "begun, p99": { unit: "ms", better: "lower", target: 1.2 },
  "done, p50": { unit: "ms", better: "lower" },
  "done, p99": { unit: "ms", better: "lower" },
} as const;

interface Side {
  /** The table that contains the jobs of this side: of the service or of bare pg-boss. */
  readonly table: string;
  /** Sends a job. @returns its id */
  send(): Promise<string | null>;
  stop(): Promise<void>;
}

/** The service's own mail queue. Its job ends at once, because no mail server is configured. */
async function ourSide(databaseUrl: string): Promise<Side> {
  const config = loadConfig(testEnvironment(databaseUrl));
  const boss = createPgBoss(config, createLogger("bench", "silent"));
  await boss.start();
  const queue = createQueue(boss);
  return {
    table: "pgboss.job",
    send: () => queue.enqueue("auth.send-mail", { letter: "invite", inviteId: 1 }),
    stop: () => boss.stop({ graceful: false }),
  };
}

async function bareSide(databaseUrl: string): Promise<Side> {
  const boss = createFloorPgBoss(databaseUrl);
  await boss.start();
  return {
    table: `${bareSchema}.job`,
    send: () => boss.send(bareQueue, {}),
    stop: () => boss.stop({ graceful: false }),
  };
}

/**
 * The pause between jobs: longer than a job takes, so that the worker waits for a notification
 * again.
 */
const everyMs = 60;

/**
 * Sends each job after the previous one has ended. Bare pg-boss wakes a worker for one job and leaves further
 * jobs for 30 seconds. All times are by the database's clock.
 */
async function pickUp(side: Side, count: number, client: Client): Promise<FigureValues> {
  const ids: (string | null)[] = [];
  const read = async (): Promise<Times[]> => {
    const times = `extract(epoch from started_on - created_on)::float8 * 1000 as begun,
      extract(epoch from completed_on - created_on)::float8 * 1000 as done`;
    const ended = `select ${times} from ${side.table} where id = any($1) and state = 'completed'`;
    return (await client.query<Times>(ended, [ids])).rows;
  };
  for (let sent = 1; sent <= count; sent++) {
    const due = sleep(everyMs);
    ids.push(await side.send());
    await due;
    await waitUntil("the job is done", async () => (await read()).length === sent);
  }
  const times = await read();
  const [begun, done] = [times.map((one) => one.begun), times.map((one) => one.done)];
  return {
    "begun, p50": median(begun),
    "begun, p99": quantile(begun, 0.99),
    "done, p50": median(done),
    "done, p99": quantile(done, 0.99),
  };
}

interface Times {
  /** Milliseconds from the job's creation to its start. */
  readonly begun: number;
  readonly done: number;
}

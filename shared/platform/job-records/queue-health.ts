import type { Sequelize } from "sequelize";

import type { Context } from "../context.ts";
import { rows } from "../db/rows.ts";
import { type QueueName, queues } from "../queue/queues.ts";
import { readAliveProcesses, type SeenProcess } from "./processes.ts";

/** Throughput is counted over this long. */
const windowMinutes = 60;

export interface QueueHealth {
  readonly name: string;
  readonly group: string;
  /** Jobs that wait, their time come or not. */
  readonly depth: number;
  /** Of those that wait: the ones that failed and are tried again. */
  readonly retrying: number;
  readonly active: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Seconds the oldest job waits that could run now; null when none does. */
  readonly oldestSeconds: number | null;
  /** Jobs completed within the last hour. */
  readonly completedLastHour: number;
  readonly failedLastHour: number;
  /** Processes that work this queue's group. */
  readonly workers: number;
  /** When it runs by itself, as a cron expression in UTC. */
  readonly schedule: string | null;
  readonly scheduleInWords: string | null;
  /** Since when no worker takes jobs from it, and by whom; null while workers do. */
  readonly paused: Pause | null;
}

type Stores = Pick<Context, "sequelize" | "models">;

interface Pause {
  readonly at: Date;
  /** Null once that user is deleted. */
  readonly by: string | null;
}

/** Every queue of the catalogue as it stands, and the processes that are alive. */
export interface QueuesNow {
  readonly queues: readonly QueueHealth[];
  readonly workers: readonly SeenProcess[];
}

type Counts = Omit<QueueHealth, "group" | "workers" | "schedule" | "scheduleInWords" | "paused">;

const nothing = {
  depth: 0,
  retrying: 0,
  active: 0,
  failed: 0,
  cancelled: 0,
  oldestSeconds: null,
  completedLastHour: 0,
  failedLastHour: 0,
};

export async function readQueueHealth(stores: Stores): Promise<QueuesNow> {
  const { sequelize } = stores;
  const [counts, pauseOf, workers, { default: cron }] = await Promise.all([
    readCounts(sequelize),
    readPauses(stores),
    readAliveProcesses(stores.models),
    loadCronWords(),
  ]);
  const countsOf = new Map(counts.map((count) => [count.name, count]));
  const names = Object.keys(queues) as QueueName[];
  const described = names.map((name) => {
    const { group, cron: schedule = null } = queues[name];
    return {
      ...nothing,
      ...countsOf.get(name),
      name,
      group,
      workers: workers.filter(({ queueGroups }) => queueGroups.includes(group)).length,
      schedule,
      scheduleInWords: schedule && cron.toString(schedule, { use24HourTimeFormat: true }),
      paused: pauseOf.get(name) ?? null,
    };
  });
  return { queues: described, workers };
}

/** One queue of the catalogue as it stands. */
export async function readHealthOf(name: QueueName, stores: Stores): Promise<QueueHealth> {
  const report = await readQueueHealth(stores);
  return report.queues.find((queue) => queue.name === name) as QueueHealth;
}

// Only who looks at the queues reads them: what words schedules is loaded with the first look.
const loadCronWords = () => import("cronstrue");

async function readPauses({ models }: Stores): Promise<ReadonlyMap<string, Pause>> {
  const pauser = { association: "pauser", attributes: ["username"] };
  const paused = await models.PausedQueue.findAll({ include: [pauser] });
  return new Map(
    paused.map((row) => [row.queue, { at: row.pausedAt, by: row.pauser?.username ?? null }]),
  );
}

function readCounts(sequelize: Sequelize): Promise<Counts[]> {
  return rows<Counts>(
    sequelize,
    `select name,
       count(*) filter (where state in ('created', 'retry')) as depth,
       count(*) filter (where state = 'retry') as retrying,
       count(*) filter (where state = 'active') as active,
       count(*) filter (where state = 'failed') as failed,
       count(*) filter (where state = 'cancelled') as cancelled,
       extract(epoch from now() - min(start_after)
         filter (where state in ('created', 'retry') and start_after <= now()))::integer
         as "oldestSeconds",
       count(*) filter (where state = 'completed' and completed_on > now() - make_interval(mins => $1))
         as "completedLastHour",
       count(*) filter (where state = 'failed' and completed_on > now() - make_interval(mins => $1))
         as "failedLastHour"
     from pgboss.job group by name`,
    [windowMinutes],
  );
}

import type { Sequelize } from "sequelize";

import type { Context } from "../context.ts";
import { rows } from "../db/rows.ts";
import { type QueueName, queues } from "../queue/queues.ts";
import { readAliveProcesses, type RunningProcess } from "./processes.ts";

const windowMinutes = 60;

export interface QueueHealth {
  readonly name: string;
  readonly group: string;
  /** Number of waiting jobs, including those that are not due yet. */
  readonly depth: number;
  /** Number of waiting jobs that have failed before. */
  readonly retrying: number;
  readonly active: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Seconds for which the oldest job that is due has waited; null if no job is due. */
  readonly oldestSeconds: number | null;
  readonly completedLastHour: number;
  readonly failedLastHour: number;
  readonly workers: number;
  /** Cron expression in UTC; null if the queue has no schedule. */
  readonly schedule: string | null;
  readonly scheduleInWords: string | null;
  /** The pause; null if the queue is not paused. */
  readonly paused: Pause | null;
}

type Stores = Pick<Context, "sequelize" | "models">;

interface Pause {
  readonly at: Date;
  /** The user who paused the queue; null if the user was deleted. */
  readonly by: string | null;
}

export interface QueueStates {
  readonly queues: readonly QueueHealth[];
  readonly workers: readonly RunningProcess[];
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

export async function readAllQueueHealth(stores: Stores): Promise<QueueStates> {
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

export async function readHealthOfQueue(name: QueueName, stores: Stores): Promise<QueueHealth> {
  const report = await readAllQueueHealth(stores);
  return report.queues.find((queue) => queue.name === name) as QueueHealth;
}

// Loaded on first use, because most processes never describe schedules.
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

import { QueryTypes, type Sequelize } from "sequelize";

import { aliveProcesses, type SeenProcess } from "../ops/processes.ts";
import { type QueueName, type QueueSpec, queues } from "./queues.ts";

/** Throughput is counted over this long. */
const windowMinutes = 60;

export interface QueueHealth {
  readonly name: string;
  readonly group: string;
  /** Jobs that wait, their time come or not. */
  readonly depth: number;
  readonly active: number;
  readonly failed: number;
  /** Seconds the oldest job waits that could run now; null when none does. */
  readonly oldestSeconds: number | null;
  /** Jobs completed within the last hour. */
  readonly completedLastHour: number;
  readonly failedLastHour: number;
  /** Processes that work this queue's group. */
  readonly workers: number;
  /** When it runs by itself, as a cron expression in UTC. */
  readonly schedule: string | null;
}

export interface QueueReport {
  readonly queues: readonly QueueHealth[];
  readonly workers: readonly SeenProcess[];
}

interface Counts {
  readonly name: string;
  readonly depth: number;
  readonly active: number;
  readonly failed: number;
  readonly oldestSeconds: number | null;
  readonly completedLastHour: number;
  readonly failedLastHour: number;
}

const nothing = {
  depth: 0,
  active: 0,
  failed: 0,
  oldestSeconds: null,
  completedLastHour: 0,
  failedLastHour: 0,
};

/** Every queue of the catalogue as it stands, and the processes that are alive. */
export async function readQueueHealth(sequelize: Sequelize): Promise<QueueReport> {
  const [counts, processes] = await Promise.all([readCounts(sequelize), aliveProcesses(sequelize)]);
  const byName = new Map(counts.map((count) => [count.name, count]));
  const names = Object.keys(queues) as QueueName[];
  const described = names.map((name) => {
    const { group, cron } = queues[name] as unknown as QueueSpec<unknown>;
    const workers = processes.filter(({ queueGroups }) => queueGroups.includes(group)).length;
    return { ...nothing, ...byName.get(name), name, group, workers, schedule: cron ?? null };
  });
  return { queues: described, workers: processes };
}

function readCounts(sequelize: Sequelize): Promise<Counts[]> {
  return sequelize.query<Counts>(
    `select name,
       count(*) filter (where state in ('created', 'retry')) as depth,
       count(*) filter (where state = 'active') as active,
       count(*) filter (where state = 'failed') as failed,
       extract(epoch from now() - min(start_after)
         filter (where state in ('created', 'retry') and start_after <= now()))::integer
         as "oldestSeconds",
       count(*) filter (where state = 'completed' and completed_on > now() - make_interval(mins => $1))
         as "completedLastHour",
       count(*) filter (where state = 'failed' and completed_on > now() - make_interval(mins => $1))
         as "failedLastHour"
     from pgboss.job group by name`,
    { bind: [windowMinutes], type: QueryTypes.SELECT },
  );
}

import { Gauge, type Registry } from "prom-client";
import type { Sequelize } from "sequelize";

import { type QueueHealth, readQueueHealth } from "./health.ts";

interface Measure {
  readonly help: string;
  readonly of: (queue: QueueHealth) => number;
}

/** CATALOGUE of what is measured of each queue, the same from every process that is asked. */
const measures: Readonly<Record<string, Measure>> = {
  depth: { help: "Jobs that wait.", of: ({ depth }) => depth },
  active: { help: "Jobs that run.", of: ({ active }) => active },
  failed: { help: "Jobs that were given up and are kept.", of: ({ failed }) => failed },
  oldest_seconds: {
    help: "How long the oldest job waits that could run now.",
    of: ({ oldestSeconds }) => oldestSeconds ?? 0,
  },
  completed_last_hour: {
    help: "Jobs that were completed within the last hour.",
    of: ({ completedLastHour }) => completedLastHour,
  },
  failed_last_hour: {
    help: "Jobs that were given up within the last hour.",
    of: ({ failedLastHour }) => failedLastHour,
  },
  workers: { help: "Processes alive that work the queue.", of: ({ workers }) => workers },
};

/** Shows how every queue of the catalogue stands whenever the metrics are read. */
export function observeQueues(registry: Registry, sequelize: Sequelize): void {
  let looking: Promise<readonly QueueHealth[]> | undefined;
  // All of them are collected at once: they share one look.
  const look = () => (looking ??= lookAtQueues(sequelize).finally(() => (looking = undefined)));
  for (const [name, { help, of }] of Object.entries(measures)) {
    const gauge: Gauge = new Gauge({
      name: `queue_${name}`,
      help,
      labelNames: ["queue"],
      registers: [registry],
      collect: async () => {
        gauge.reset();
        for (const queue of await look()) gauge.set({ queue: queue.name }, of(queue));
      },
    });
  }
}

/** Empty while the database cannot be read, so that the other metrics are still served. */
const lookAtQueues = (sequelize: Sequelize): Promise<readonly QueueHealth[]> =>
  readQueueHealth(sequelize).then(
    ({ queues }) => queues,
    () => [],
  );

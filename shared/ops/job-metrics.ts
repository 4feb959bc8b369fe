import { Counter, Histogram, type Registry } from "prom-client";

import type { QueueName } from "../platform/queue/queues.ts";

export type JobAttemptOutcome = "completed" | "retrying" | "failed";

const outcomes: readonly JobAttemptOutcome[] = ["completed", "retrying", "failed"];

export interface JobMetrics {
  observe(this: void, queue: QueueName, outcome: JobAttemptOutcome, ms: number): void;
}

/** Creates the metrics of job attempts, with zeros for each queue of the worker. */
export function createJobMetrics(registry: Registry, queues: readonly QueueName[]): JobMetrics {
  const attempts = new Counter({
    name: "guildhall_job_attempts_total",
    help:
      "Ended attempts of jobs in the process, by queue and outcome: `completed`, `retrying` (the " +
      "attempt failed, and the job will be retried) or `failed` (the last attempt failed).",
    labelNames: ["queue", "outcome"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "guildhall_job_duration_seconds",
    help: "Duration of one attempt of a job, by queue.",
    labelNames: ["queue"],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900],
    registers: [registry],
  });
  for (const queue of queues) {
    durations.zero({ queue });
    for (const outcome of outcomes) attempts.inc({ queue, outcome }, 0);
  }
  return {
    observe: (queue, outcome, ms) => {
      attempts.inc({ queue, outcome });
      durations.observe({ queue }, ms / 1000);
    },
  };
}

import type { QueueName } from "../shared/queue/queues.ts";
import type { Job } from "./job.ts";
import { pruneProcessesJob } from "./ops/prune-processes.job.ts";
import { pruneEventsJob } from "./shard/prune-events.job.ts";

/** THE map of queue to job: it does not compile while a queue of the catalogue lacks one. */
export const jobs = {
  "shard.prune-events": pruneEventsJob,
  "ops.prune-processes": pruneProcessesJob,
} as const satisfies { readonly [Name in QueueName]: Job<Name> };

import type { QueueName } from "../../platform/queue/queues.ts";

const queue: QueueName = "event.step";

/**
 * SQL that is true if an administrator paused the queue of steps. Steps also start without a job,
 * so the sweep and the end of the preceding step must check this too.
 */
export const areStepsPausedSql = `exists (select from paused_queues where queue = '${queue}')`;

import type { QueueName } from "../../platform/queue/queues.ts";

const queue: QueueName = "event.step";

/**
 * Whether an administrator paused the queue of steps, as SQL. Its jobs only wake: while they are kept
 * the sweep and the step before would begin steps all the same.
 */
export const areStepsPaused = `exists (select from paused_queues where queue = '${queue}')`;

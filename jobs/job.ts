import type { SiteContext } from "../shared/ops/site-context.ts";
import type { EndedAttempt } from "../shared/platform/job-records/job-states.ts";
import type { PayloadOf, QueueName } from "../shared/platform/queue/queues.ts";

export interface Attempt {
  readonly jobId: string;
  /** Aborts when the process stops or the attempt has run out of time. */
  readonly signal: AbortSignal;
}

/** The attempt after which the queue gives a job up. */
interface LastAttempt extends EndedAttempt {
  readonly cause: unknown;
}

/** What works one queue. Run twice, it does the same as run once. */
export interface Job<Name extends QueueName> {
  readonly queue: Name;
  run(
    this: void,
    payload: PayloadOf<Name>,
    context: SiteContext,
    attempt: Attempt,
  ): Promise<unknown>;
  /** What is done when the last try failed; the payload is null where it was none of the queue's. */
  onExhausted?(
    this: void,
    payload: PayloadOf<Name> | null,
    context: SiteContext,
    attempt: LastAttempt,
  ): Promise<void>;
}

export const defineJob = <Name extends QueueName>(job: Job<Name>): Job<Name> => job;

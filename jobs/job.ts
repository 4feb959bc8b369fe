import type { SiteContext } from "../shared/ops/site-context.ts";
import type { EndedJobAttempt } from "../shared/platform/job-records/job-states.ts";
import type { PayloadOf, QueueName } from "../shared/platform/queue/queues.ts";

export interface JobAttempt {
  readonly jobId: string;
  /** Aborts when the process stops or the attempt times out. */
  readonly signal: AbortSignal;
}

interface FinalAttempt extends EndedJobAttempt {
  readonly cause: unknown;
}

/** The handler of one queue. It must be idempotent. */
export interface Job<Name extends QueueName> {
  readonly queue: Name;
  run(
    this: void,
    payload: PayloadOf<Name>,
    context: SiteContext,
    attempt: JobAttempt,
  ): Promise<unknown>;
  /** Runs after the last attempt has failed. The payload is null if it is invalid. */
  onExhausted?(
    this: void,
    payload: PayloadOf<Name> | null,
    context: SiteContext,
    attempt: FinalAttempt,
  ): Promise<void>;
}

export const defineJob = <Name extends QueueName>(job: Job<Name>): Job<Name> => job;

import { type DatabaseHolder, query } from "./query.ts";

/** A job, as stored in the table of the queues. */
export interface StoredJob {
  readonly id: string;
  readonly state: string;
  readonly key: string | null;
  readonly policy: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly output: unknown;
  readonly startAfter: Date;
  readonly retryLimit: number;
  readonly retryDelay: number;
  readonly retryBackoff: boolean;
}

/** Returns the jobs of a queue whose payloads contain these values, oldest first. */
export const jobsOf = (
  on: DatabaseHolder,
  queue: string,
  payload: object = {},
): Promise<StoredJob[]> =>
  query<StoredJob>(
    on,
    `select id, state::text, singleton_key as key, policy, data, output,
       start_after as "startAfter", retry_limit as "retryLimit", retry_delay as "retryDelay",
       retry_backoff as "retryBackoff"
     from pgboss.job where name = $1 and coalesce(data, '{}') @> $2 order by created_on`,
    queue,
    JSON.stringify(payload),
  );

import { type OnDatabase, query } from "./query.ts";

/**
 * Has the jobs of a killed worker look as if it had been silent for long: whoever supervises the
 * queues misses it at once, and not after its heartbeat, and has them tried again without a pause.
 */
export const missWorker = async (on: OnDatabase): Promise<void> =>
  void (await query(
    on,
    `update pgboss.job set retry_delay = 0, retry_backoff = false,
       heartbeat_on = heartbeat_on - interval '1 hour'
     where state = 'active'`,
  ));

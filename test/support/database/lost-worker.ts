import { type DatabaseHolder, query } from "./query.ts";

/**
 * Sets the heartbeats of active jobs back, after their worker was killed. Then the supervision
 * notices the loss at once and retries the jobs without a delay.
 */
export const expireWorkerHeartbeats = async (on: DatabaseHolder): Promise<void> =>
  void (await query(
    on,
    `update pgboss.job set retry_delay = 0, retry_backoff = false,
       heartbeat_on = heartbeat_on - interval '1 hour'
     where state = 'active'`,
  ));

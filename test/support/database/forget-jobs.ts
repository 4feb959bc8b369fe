import { type OnDatabase, query } from "./query.ts";

/** Has the queues of these names, a pattern of SQL, lose every job, also one that runs. */
export const forgetJobs = async (on: OnDatabase, queues: string): Promise<void> =>
  void (await query(on, "delete from pgboss.job where name like $1", queues));

import { type DatabaseHolder, query } from "./query.ts";

/** Deletes all jobs, even active ones, of the queues whose names match an SQL pattern. */
export const forgetJobs = async (on: DatabaseHolder, queues: string): Promise<void> =>
  void (await query(on, "delete from pgboss.job where name like $1", queues));

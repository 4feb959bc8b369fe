import type { Transaction } from "sequelize";

import { firstRow } from "../db/rows.ts";
import type { JobState } from "./job-states.ts";

/** A job's row, which nobody changes until the transaction ends. */
export interface LockedJob {
  readonly state: JobState;
  /** How many attempts came before the one that it stands at. */
  readonly retryCount: number;
}

/**
 * Locks a job. When an attempt fails, pg-boss deletes the job's row and writes it anew: a lock that
 * waited for the end of that finds nothing, so it is asked for again while the job is there.
 * @returns null when there is no such job
 */
export async function lockJob(
  id: string,
  strength: "update" | "share",
  transaction: Transaction,
): Promise<LockedJob | null> {
  for (;;) {
    const locked = await firstRow<LockedJob>(
      transaction,
      `select state::text as state, retry_count as "retryCount"
       from pgboss.job where id = $1 for ${strength}`,
      [id],
    );
    if (locked) return locked;
    const sql = "select id from pgboss.job where id = $1";
    if (!(await firstRow(transaction, sql, [id]))) return null;
  }
}

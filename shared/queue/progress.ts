import type { Context } from "../context.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { notify } from "../notify/notify.ts";

/** How far a job has come: admins see it on the job and as `job.progress` on their stream. */
export interface Progress {
  readonly phase: string;
  readonly done: number;
  /** Null while nobody knows. */
  readonly total: number | null;
}

/** Thrown into a job that an admin cancelled, at its next report. */
export class JobCancelled extends Error {
  constructor() {
    super("the job was cancelled");
    this.name = "JobCancelled";
  }
}

/** Reports are written this seldom, but for the first of each phase. */
const leastMs = 1_000;

/** Tells how far one job has come. @throws {JobCancelled} when the job was cancelled meanwhile */
export type ReportProgress = (phase: string, done: number, total?: number | null) => Promise<void>;

export function createProgress(jobId: string, queue: string, context: Context): ReportProgress {
  let shown: { phase: string; at: number } | undefined;
  return async (phase, done, total = null) => {
    const now = performance.now();
    if (shown?.phase === phase && now - shown.at < leastMs) return;
    shown = { phase, at: now };
    await write({ jobId, queue, phase, done, total }, context);
  };
}

interface Written extends Progress {
  readonly jobId: string;
  readonly queue: string;
}

async function write(progress: Written, { sequelize }: Context): Promise<void> {
  const { jobId, queue, phase, done, total } = progress;
  const isCancelled = await inTransaction(sequelize, async (transaction) => {
    const sql = sqlOf(transaction);
    await sql.query(
      `insert into job_progress (job_id, queue, phase, done, total) values ($1, $2, $3, $4, $5)
       on conflict (job_id) do update set
         phase = excluded.phase, done = excluded.done, total = excluded.total,
         updated_at = clock_timestamp()`,
      [jobId, queue, phase, done, total],
    );
    await notify("stream_notices", { name: "job.progress", data: progress }, transaction);
    const { rows } = await sql.query<{ state: string }>(
      "select state::text as state from pgboss.job where name = $1 and id = $2",
      [queue, jobId],
    );
    return rows[0]?.state === "cancelled";
  });
  if (isCancelled) throw new JobCancelled();
}

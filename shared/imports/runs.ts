import { QueryTypes, type Sequelize, type Transaction } from "sequelize";

import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { notify } from "../notify/notify.ts";
import { failedImport, type ImportName, importNames } from "./kinds.ts";
import type { ImportResult } from "./result.ts";

/**
 * Takes a run for one attempt of its job: an earlier one, paused or lost, can no longer finish it.
 * A failed run that an administrator retries begins anew unless another of its kind runs.
 * @returns the attempt's number, or null when there is nothing to do
 */
export async function takeUpRun(jobId: string, sequelize: Sequelize): Promise<number | null> {
  const [row] = await sequelize.query<{ attempt: number }>(
    `update import_runs run set attempt = attempt + 1, result = null, finished_at = null
     where job_id = $1 and (finished_at is null or (
       result ->> 'status' = 'failed' and not exists (
         select from import_runs other where other.kind = run.kind and other.finished_at is null)))
     returning attempt`,
    { bind: [jobId], type: QueryTypes.SELECT },
  );
  return row?.attempt ?? null;
}

interface HeldRun {
  readonly jobId: string;
  readonly attempt: number;
}

/**
 * Keeps a run from being taken up by another attempt until the transaction ends.
 * @throws when another attempt holds the run, or it was given up
 */
export async function holdRun(
  { jobId, attempt }: HeldRun,
  transaction: Transaction,
): Promise<void> {
  const { rowCount } = await sqlOf(transaction).query(
    `select from import_runs where job_id = $1 and attempt = $2 and finished_at is null for share`,
    [jobId, attempt],
  );
  if (rowCount === 0) throw notHeld();
}

const notHeld = (): Error => new Error("another attempt holds the import, or it was given up");

/**
 * Writes what came of a run, once, and wakes whoever waits for it.
 * @throws when another attempt holds the run, or it was given up: nothing may be applied then
 */
export async function finishRun(
  { jobId, attempt }: HeldRun,
  result: ImportResult,
  transaction: Transaction,
): Promise<void> {
  const { rowCount } = await sqlOf(transaction).query(
    `update import_runs set result = $3, finished_at = clock_timestamp()
     where job_id = $1 and attempt = $2 and finished_at is null`,
    [jobId, attempt, JSON.stringify(result)],
  );
  if (rowCount === 0) throw notHeld();
  await notify("import_finished", { jobId }, transaction);
}

/** Ends a run, whichever attempt held it, with a fault of ours. */
export async function failRun(jobId: string, reason: string, sequelize: Sequelize): Promise<void> {
  await inTransaction(sequelize, async (transaction) => {
    const sql = sqlOf(transaction);
    const { rows } = await sql.query<{ kind: ImportName }>(
      `select kind from import_runs
       where job_id = $1 and finished_at is null and kind = any($2) for update`,
      [jobId, importNames],
    );
    if (!rows[0]) return;
    await sql.query(
      "update import_runs set result = $2, finished_at = clock_timestamp() where job_id = $1",
      [jobId, JSON.stringify(failedImport(rows[0].kind, reason))],
    );
    await notify("import_finished", { jobId }, transaction);
  });
}

/**
 * Ends runs whose job ended without a word: its worker was killed at the last try, or it was
 * cancelled before it began. A run that nobody can finish would keep its kind busy for ever. Kinds
 * that only a newer release knows are left to it.
 * @param jobId looks at one run alone
 */
export async function endLostRuns(sequelize: Sequelize, jobId?: string): Promise<void> {
  const lost = await sequelize.query<{ jobId: string; state: string | null }>(
    `select run.job_id as "jobId", job.state::text as state
     from import_runs run left join pgboss.job job on job.id = run.job_id
     where run.finished_at is null and ($1::uuid is null or run.job_id = $1) and run.kind = any($2)
       and (job.id is null or job.state in ('completed', 'cancelled', 'failed'))`,
    { bind: [jobId ?? null, importNames], type: QueryTypes.SELECT },
  );
  for (const { jobId: id, state } of lost) {
    await failRun(id, lostReasons[state ?? ""] ?? "The import's job is gone", sequelize);
  }
}

const lostReasons: Readonly<Record<string, string>> = {
  cancelled: "The import was cancelled",
  failed: "The import was given up: each worker that took it was lost",
  completed: "The import ended without a result",
};

const keptDays = 90;

/** Forgets runs and the progress of jobs after a while; whatever is lost is ended first. */
export async function pruneRuns(sequelize: Sequelize): Promise<void> {
  await endLostRuns(sequelize);
  const bind = [keptDays];
  await sequelize.query(
    "delete from import_runs where finished_at < now() - make_interval(days => $1)",
    { bind },
  );
  await sequelize.query(
    "delete from job_progress where updated_at < now() - make_interval(days => $1)",
    { bind },
  );
}

import type { Sequelize, Transaction } from "sequelize";

import type {
  ImportAttempt,
  ImportRun,
  ImportOutcome,
} from "../../../models/imports/import-run.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { inCallersTransaction, inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import {
  type JobState,
  type LockedJob,
  lockJob,
  type EndedJobAttempt,
  isCurrentAttempt,
} from "../../platform/job-records/job-states.ts";
import { JobCancelledError } from "../../platform/job-records/progress.ts";
import { notify } from "../../platform/notify/channels.ts";
import type { ImportResult } from "../results/codes.ts";
import {
  createFailedImportResult,
  importKinds,
  type ImportName,
  importNames,
} from "../results/kinds.ts";

/**
 * Takes the lease of a run for an attempt of its job, so an earlier attempt can no longer finish the run. A
 * failed run that an administrator retries starts again, unless another run of its kind is running.
 * @returns the attempt's number, or null if there is nothing to do
 */
export const leaseImportRun = (
  jobId: string,
  { models }: Pick<Context, "models">,
): Promise<number | null> => models.ImportRun.beginAttempt(jobId);

/**
 * Runs work in a transaction that holds the lease of the run. If the work throws, the transaction is rolled back.
 * The job is locked last, so that canceling the job does not wait for the work.
 * @throws if another attempt holds the lease, or the run has ended
 * @throws {JobCancelledError} if the job was canceled
 */
export const runWithImportLease = <T>(
  run: ImportAttempt,
  work: (transaction: Transaction) => Promise<T>,
  sequelize: Sequelize,
): Promise<T> =>
  inTransaction(sequelize, (transaction) =>
    runWithLease(run, { work, toFinish: false }, transaction),
  );

interface LeasedWork<T> {
  readonly work: (transaction: Transaction) => Promise<T>;
  /** True if the same transaction also finishes the run. */
  readonly toFinish: boolean;
}

async function runWithLease<T>(
  run: ImportAttempt,
  { work, toFinish }: LeasedWork<T>,
  transaction: Transaction,
): Promise<T> {
  if (!(await modelsOf(transaction).ImportRun.lockForAttempt(run, toFinish, transaction))) {
    throw leaseLost();
  }
  const done = await work(transaction);
  const job = await lockJob(run.jobId, "share", transaction);
  if (job?.state === "cancelled") throw new JobCancelledError();
  return done;
}

const leaseLost = (): Error =>
  new Error("another attempt runs the import, or the import was given up");

/** Runs work like `runWithImportLease` and finishes the run with the result. Throws like `runWithImportLease`. */
export function applyAndFinishRun<Result extends ImportResult>(
  run: ImportAttempt,
  work: (transaction: Transaction) => Promise<AppliedImportResult<Result>>,
  sequelize: Sequelize,
): Promise<Result> {
  return inTransaction(sequelize, async (transaction) => {
    const { result, loss = null } = await runWithLease(run, { work, toFinish: true }, transaction);
    await finishRun(run, { result, loss }, transaction);
    return result;
  });
}

export interface AppliedImportResult<Result> {
  readonly result: Result;
  /** Rows that the import would remove; they stay until an administrator approves the loss. */
  readonly loss?: readonly string[];
}

/** Stores the result of a run once, and notifies waiting requests. */
async function finishRun(
  run: ImportAttempt,
  outcome: ImportOutcome,
  transaction: Transaction,
): Promise<void> {
  const { ImportRun } = modelsOf(transaction);
  if (!(await ImportRun.finishAttempt(run, outcome, transaction))) throw leaseLost();
  await notify("import_finished", { jobId: run.jobId }, transaction);
}

/** Fails a run because of an internal error. Call it only for the last attempt of the run's job. */
export const failImportRun = (
  attempt: EndedJobAttempt,
  reason: string,
  sequelize: Sequelize,
): Promise<void> =>
  endRun(attempt.jobId, (job) => (isCurrentAttempt(job, attempt) ? reason : null), sequelize);

/** Fails an unfinished run. @param reasonOf gets the locked job; returns null if the run must not end */
async function endRun(
  jobId: string,
  reasonOf: (job: LockedJob | null) => string | null,
  sequelize: Sequelize,
): Promise<void> {
  await inCallersTransaction(sequelize, async (transaction) => {
    const run = await modelsOf(transaction).ImportRun.lockUnfinished(jobId, transaction);
    if (!run || !isKnownKind(run.kind)) return;
    const reason = reasonOf(await lockJob(jobId, "share", transaction));
    if (reason === null) return;
    await finishRun(
      run,
      { result: createFailedImportResult(run.kind, reason), loss: null },
      transaction,
    );
  });
}

const isKnownKind = (kind: string): kind is ImportName => importNames.some((name) => name === kind);

/**
 * Ends runs whose job was lost, or was canceled before it started: an unfinished run blocks new imports of its
 * kind. Skips kinds that only a newer release knows.
 * @param jobId limits the check to one run
 */
export async function endLostImportRuns(sequelize: Sequelize, jobId?: string): Promise<void> {
  const lost = await rows<Pick<ImportAttempt, "jobId">>(
    sequelize,
    `select run.job_id as "jobId"
     from import_runs run left join pgboss.job job on job.id = run.job_id
     where run.finished_at is null and ($1::uuid is null or run.job_id = $1) and run.kind = any($2)
       and (job.id is null or job.state in ('completed', 'cancelled', 'failed'))`,
    [jobId, importNames],
  );
  // `endRun` checks each job again, because a job may be retried meanwhile.
  for (const { jobId: id } of lost) await endRun(id, reasonOfLoss, sequelize);
}

const reasonOfLoss = (job: LockedJob | null): string | null =>
  job ? (lostReasons[job.state] ?? null) : "The job of the import was deleted";

const lostReasons: Readonly<Partial<Record<JobState, string>>> = {
  cancelled: "The import was cancelled",
  failed: "The import was given up: every worker that ran it was lost",
  completed: "The import ended without a result",
};

const retentionMs = 90 * 24 * 3_600_000;

/** Deletes old runs and the progress of old jobs, after ending lost runs. */
export async function pruneImportRuns({
  sequelize,
  models,
}: Pick<Context, "sequelize" | "models">): Promise<void> {
  await endLostImportRuns(sequelize);
  await models.ImportRun.deleteOlderThan(retentionMs);
  await models.JobProgress.deleteOlderThan(retentionMs);
}

/** An import that waits for an administrator to approve its losses. */
export interface ImportReview extends Readonly<Pick<ImportRun, "jobId" | "kind" | "finishedAt">> {
  readonly kind: ImportName;
  readonly queue: string;
  readonly reason: string | null;
  readonly finishedAt: Date;
}

/** Reads the imports whose latest run waits for approval. */
export async function readImportReviews(sequelize: Sequelize): Promise<ImportReview[]> {
  const runs = await rows<Omit<ImportReview, "queue">>(
    sequelize,
    `select * from (
       select distinct on (kind) kind, job_id as "jobId", result ->> 'status' as status,
         result ->> 'reason' as reason, finished_at as "finishedAt"
       from import_runs where kind = any($1) order by kind, asked_at desc) newest
     where status = 'needsReview'
       and (kind <> 'atlas' or exists (select from atlas_state where pending_status = 'pending'))`,
    [importNames],
  );
  return runs.map(({ kind, jobId, reason, finishedAt }) => {
    const { queue } = importKinds[kind];
    return { kind, queue, jobId, reason, finishedAt };
  });
}

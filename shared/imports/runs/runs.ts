import type { Sequelize, Transaction } from "sequelize";

import type { HeldRun, ImportRun, Outcome } from "../../../models/imports/import-run.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import {
  type JobState,
  type LockedJob,
  lockJob,
  type EndedAttempt,
  standsAt,
} from "../../platform/job-records/job-states.ts";
import { JobCancelled } from "../../platform/job-records/progress.ts";
import { notify } from "../../platform/notify/channels.ts";
import type { ImportResult } from "../results/codes.ts";
import { failedImport, importKinds, type ImportName, importNames } from "../results/kinds.ts";

/**
 * Takes a run for one attempt of its job: an earlier one, paused or lost, can no longer finish it.
 * A failed run that an administrator retries begins anew unless another of its kind runs.
 * @returns the attempt's number, or null when there is nothing to do
 */
export const takeUpRun = (
  jobId: string,
  { models }: Pick<Context, "models">,
): Promise<number | null> => models.ImportRun.takeUp(jobId);

/**
 * Does what only the attempt that holds a run may do, in a transaction of its own: nobody else takes the
 * run up meanwhile. The job is looked at last, so whoever cancels it does not wait for the work.
 * @throws when another attempt holds the run, or it was given up: nothing is done then
 * @throws {JobCancelled} when the job was cancelled: nothing is done then either
 */
export const whileHeld = <T>(
  run: HeldRun,
  work: (transaction: Transaction) => Promise<T>,
  sequelize: Sequelize,
): Promise<T> =>
  inTransaction(sequelize, (transaction) => doHeld(run, { work, toFinish: false }, transaction));

interface HeldWork<T> {
  readonly work: (transaction: Transaction) => Promise<T>;
  /** Whether the transaction is to finish the run. */
  readonly toFinish: boolean;
}

async function doHeld<T>(
  run: HeldRun,
  { work, toFinish }: HeldWork<T>,
  transaction: Transaction,
): Promise<T> {
  if (!(await modelsOf(transaction).ImportRun.hold(run, toFinish, transaction))) throw notHeld();
  const done = await work(transaction);
  const job = await lockJob(run.jobId, "share", transaction);
  if (job?.state === "cancelled") throw new JobCancelled();
  return done;
}

const notHeld = (): Error => new Error("another attempt holds the import, or it was given up");

/**
 * Does what a run came to as above, and finishes the run with the result.
 * @throws when another attempt holds the run, or it was given up: nothing is done then
 * @throws {JobCancelled} when the job was cancelled: nothing is done then either
 */
export function applyRun<Result extends ImportResult>(
  run: HeldRun,
  work: (transaction: Transaction) => Promise<Applied<Result>>,
  sequelize: Sequelize,
): Promise<Result> {
  return inTransaction(sequelize, async (transaction) => {
    const { result, loss = null } = await doHeld(run, { work, toFinish: true }, transaction);
    await finishRun(run, { result, loss }, transaction);
    return result;
  });
}

/** What a run came to. */
export interface Applied<Result> {
  readonly result: Result;
  /** What was not applied, because it would be lost and an administrator is asked first. */
  readonly loss?: readonly string[];
}

/** Writes what came of a run, once, and wakes whoever waits for it. */
async function finishRun(run: HeldRun, outcome: Outcome, transaction: Transaction): Promise<void> {
  const { ImportRun } = modelsOf(transaction);
  if (!(await ImportRun.finishOnce(run, outcome, transaction))) throw notHeld();
  await notify("import_finished", { jobId: run.jobId }, transaction);
}

/** Ends a run with a fault of ours, for the last attempt at its job alone. */
export const failRun = (
  attempt: EndedAttempt,
  reason: string,
  sequelize: Sequelize,
): Promise<void> =>
  endRun(attempt.jobId, (job) => (standsAt(job, attempt) ? reason : null), sequelize);

/**
 * Ends a run, whichever attempt held it, unless its job stands otherwise.
 * @param reasonOf tells by the job, which nobody changes meanwhile, why; null when it is not to end
 */
async function endRun(
  jobId: string,
  reasonOf: (job: LockedJob | null) => string | null,
  sequelize: Sequelize,
): Promise<void> {
  await inTransaction(sequelize, async (transaction) => {
    const run = await modelsOf(transaction).ImportRun.lockUnfinished(jobId, transaction);
    if (!run || !isKnown(run.kind)) return;
    const reason = reasonOf(await lockJob(jobId, "share", transaction));
    if (reason === null) return;
    await finishRun(run, { result: failedImport(run.kind, reason), loss: null }, transaction);
  });
}

const isKnown = (kind: string): kind is ImportName => importNames.some((name) => name === kind);

/**
 * Ends runs whose job ended without a word: its worker was killed at the last try, or it was
 * cancelled before it began. A run that nobody can finish would keep its kind busy for ever. Kinds
 * that only a newer release knows are left to it.
 * @param jobId looks at one run alone
 */
export async function endLostRuns(sequelize: Sequelize, jobId?: string): Promise<void> {
  const lost = await rows<Pick<HeldRun, "jobId">>(
    sequelize,
    `select run.job_id as "jobId"
     from import_runs run left join pgboss.job job on job.id = run.job_id
     where run.finished_at is null and ($1::uuid is null or run.job_id = $1) and run.kind = any($2)
       and (job.id is null or job.state in ('completed', 'cancelled', 'failed'))`,
    [jobId, importNames],
  );
  // A job may be retried between the two statements.
  for (const { jobId: id } of lost) await endRun(id, reasonOfLoss, sequelize);
}

const reasonOfLoss = (job: LockedJob | null): string | null =>
  job ? (lostReasons[job.state] ?? null) : "The import's job is gone";

const lostReasons: Readonly<Partial<Record<JobState, string>>> = {
  cancelled: "The import was cancelled",
  failed: "The import was given up: each worker that took it was lost",
  completed: "The import ended without a result",
};

const keptMs = 90 * 24 * 3_600_000;

/** Forgets runs and the progress of jobs after a while; whatever is lost is ended first. */
export async function pruneRuns({
  sequelize,
  models,
}: Pick<Context, "sequelize" | "models">): Promise<void> {
  await endLostRuns(sequelize);
  await models.ImportRun.forgetAfter(keptMs);
  await models.JobProgress.forgetAfter(keptMs);
}

/** An import that is applied only once an administrator approves what it would take away. */
export interface ImportReview extends Readonly<Pick<ImportRun, "jobId" | "kind" | "finishedAt">> {
  readonly kind: ImportName;
  readonly queue: string;
  readonly reason: string | null;
  readonly finishedAt: Date;
}

/** The imports whose newest run ended with the question whether to apply it. */
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

import type { Sequelize, Transaction } from "sequelize";

import type { HeldRun } from "../../../models/imports/import-run.ts";
import type { Context } from "../../context.ts";
import { rows } from "../../db/rows.ts";
import { inTransaction, modelsOf } from "../../db/transaction.ts";
import { notify } from "../../notify/notify.ts";
import { failedImport, type ImportName, importNames } from "../results/kinds.ts";
import type { ImportResult } from "../results/result.ts";

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
 * Keeps a run from being taken up by another attempt until the transaction ends.
 * @throws when another attempt holds the run, or it was given up
 */
export async function holdRun(run: HeldRun, transaction: Transaction): Promise<void> {
  if (!(await modelsOf(transaction).ImportRun.hold(run, transaction))) throw notHeld();
}

const notHeld = (): Error => new Error("another attempt holds the import, or it was given up");

/**
 * Writes what came of a run, once, and wakes whoever waits for it.
 * @throws when another attempt holds the run, or it was given up: nothing may be applied then
 */
export async function finishRun(
  run: HeldRun,
  result: ImportResult,
  transaction: Transaction,
): Promise<void> {
  const { ImportRun } = modelsOf(transaction);
  if (!(await ImportRun.finishOnce(run, result, transaction))) throw notHeld();
  await notify("import_finished", { jobId: run.jobId }, transaction);
}

/** Ends a run, whichever attempt held it, with a fault of ours. */
export async function failRun(jobId: string, reason: string, sequelize: Sequelize): Promise<void> {
  await inTransaction(sequelize, async (transaction) => {
    const run = await modelsOf(transaction).ImportRun.lockUnfinished(jobId, transaction);
    if (!run || !isKnown(run.kind)) return;
    await finishRun(run, failedImport(run.kind, reason), transaction);
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
  const lost = await rows<LostRun>(
    sequelize,
    `select run.job_id as "jobId", job.state::text as state
     from import_runs run left join pgboss.job job on job.id = run.job_id
     where run.finished_at is null and ($1::uuid is null or run.job_id = $1) and run.kind = any($2)
       and (job.id is null or job.state in ('completed', 'cancelled', 'failed'))`,
    [jobId, importNames],
  );
  for (const { jobId: id, state } of lost) {
    await failRun(id, lostReasons[state ?? ""] ?? "The import's job is gone", sequelize);
  }
}

interface LostRun extends Pick<HeldRun, "jobId"> {
  readonly state: string | null;
}

const lostReasons: Readonly<Record<string, string>> = {
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

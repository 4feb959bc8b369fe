import type { Transaction } from "sequelize";

import type { Context } from "../../context.ts";
import { inTransaction } from "../../db/transaction.ts";
import { createProgress, JobCancelled, type ReportProgress } from "../../job-records/progress.ts";
import type { ImportFlags } from "../../queue/queues.ts";
import { importKinds, type ImportName } from "../results/kinds.ts";
import type { ImportResult } from "../results/result.ts";
import { applyRun, endLostRuns, holdRun, takeUpRun } from "./runs.ts";

/** One attempt at an import. */
export interface ImportRun {
  readonly jobId: string;
  readonly flags: ImportFlags;
  /** Aborts when the process stops or the attempt has run out of time. */
  readonly signal: AbortSignal;
  /** Tells how far it has come. @throws when it was cancelled or its time is over */
  readonly report: ReportProgress;
  /**
   * Does what only the attempt that holds the run may do, such as removing what earlier ones left
   * behind: one that was paused must not remove its successor's.
   * @throws when another attempt holds the run: nothing is done then
   */
  whileHeld<T>(this: void, work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Applies what was imported and stores the result, in one transaction.
   * @throws when another attempt holds the run, or it was cancelled: nothing is applied then
   */
  apply<Result extends ImportResult>(
    this: void,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result>;
}

/** What an import does; a result that it did not store itself is stored for it. */
export type ImportWork = (run: ImportRun, context: Context) => Promise<ImportResult>;

interface Attempt {
  readonly jobId: string;
  readonly flags: ImportFlags;
  readonly signal: AbortSignal;
}

/**
 * Runs one attempt of an import's job. Faults of ours are thrown, so that the queue tries again.
 * @returns null when there was nothing left to do
 */
export async function runImport(
  name: ImportName,
  { jobId, flags, signal }: Attempt,
  work: ImportWork,
  context: Context,
): Promise<ImportResult | null> {
  const { sequelize } = context;
  const attempt = await takeUpRun(jobId, context);
  if (attempt === null) return null;
  const progress = createProgress(jobId, importKinds[name].queue, context);
  let isStored = false;
  const run: ImportRun = {
    jobId,
    flags,
    signal,
    report: (...counted) => {
      signal.throwIfAborted();
      return progress(...counted);
    },
    whileHeld: (workAlone) =>
      inTransaction(sequelize, async (transaction) => {
        await holdRun({ jobId, attempt }, transaction);
        return workAlone(transaction);
      }),
    apply: async (workToApply) => {
      const result = await applyRun({ jobId, attempt }, workToApply, sequelize);
      isStored = true;
      return result;
    },
  };
  try {
    const result = await work(run, context);
    return isStored ? result : await run.apply(() => Promise.resolve(result));
  } catch (error) {
    if (!(error instanceof JobCancelled)) throw error;
    await endLostRuns(sequelize, jobId);
    return null;
  }
}

import type { Transaction } from "sequelize";

import type { Context } from "../../platform/context.ts";
import {
  createProgressReporter,
  JobCancelledError,
  type ProgressReporter,
} from "../../platform/job-records/progress.ts";
import type { ImportFlags } from "../../platform/queue/queues.ts";
import type { ImportResult } from "../results/codes.ts";
import { importKinds, type ImportName } from "../results/kinds.ts";
import {
  type AppliedImportResult,
  applyAndFinishRun,
  endLostImportRuns,
  leaseImportRun,
  runWithImportLease,
} from "./runs.ts";

/**
 * One attempt at an import. Apart from the staged rows, an import writes only through `withLease`, `apply`,
 * `requestReview` and `report`.
 */
export interface ImportRun {
  readonly jobId: string;
  readonly flags: ImportFlags;
  /** Aborts if the process stops or the attempt times out. */
  readonly signal: AbortSignal;
  /** Reports progress. @throws if the run was canceled or timed out */
  readonly report: ProgressReporter;
  /**
   * Runs work only while the attempt holds the lease: a paused attempt must not delete its successor's rows.
   * @throws without doing the work if another attempt holds the lease or the run was canceled
   */
  withLease<T>(this: void, work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Applies the import and stores its result in one transaction.
   * @throws without applying anything if another attempt holds the lease or the run was canceled
   */
  apply<Result extends ImportResult>(
    this: void,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result>;
  /** Stores the result and the rows that applying it would remove, for an administrator to approve. */
  requestReview<Result extends ImportResult>(
    this: void,
    result: Result,
    loss: readonly string[],
  ): Promise<Result>;
  /** Returns true if the flags approve the loss and an administrator's review listed every lost row. */
  isLossApproved(this: void, loss: readonly string[]): Promise<boolean>;
}

/** The work of an import. Its result is stored afterwards unless the work stored one itself. */
export type ImportHandler<Needed extends Context = Context> = (
  run: ImportRun,
  context: Needed,
) => Promise<ImportResult>;

interface Attempt {
  readonly jobId: string;
  readonly flags: ImportFlags;
  readonly signal: AbortSignal;
}

/** Runs one attempt of a job; null if there is nothing to do. Throws internal errors, so the job is retried. */
export async function runImport<Needed extends Context>(
  name: ImportName,
  given: Attempt,
  work: ImportHandler<Needed>,
  context: Needed,
): Promise<ImportResult | null> {
  const { jobId } = given;
  const attempt = await leaseImportRun(jobId, context);
  if (attempt === null) return null;
  let isStored = false;
  const store: StoreResult = async (workToApply) => {
    const result = await applyAndFinishRun({ jobId, attempt }, workToApply, context.sequelize);
    isStored = true;
    return result;
  };
  const run = openRun(name, { ...given, attempt, store }, context);
  try {
    const result = await work(run, context);
    return isStored ? result : await run.apply(() => Promise.resolve(result));
  } catch (error) {
    if (!(error instanceof JobCancelledError)) throw error;
    await endLostImportRuns(context.sequelize, jobId);
    return null;
  }
}

/** Finishes the run: does the work, and stores its result in the same transaction. */
type StoreResult = <Result extends ImportResult>(
  work: (transaction: Transaction) => Promise<AppliedImportResult<Result>>,
) => Promise<Result>;

interface LeasedAttempt extends Attempt {
  readonly attempt: number;
  readonly store: StoreResult;
}

function openRun(
  name: ImportName,
  { jobId, flags, signal, attempt, store }: LeasedAttempt,
  context: Context,
): ImportRun {
  const held = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    runWithImportLease({ jobId, attempt }, work, context.sequelize);
  const progress = createProgressReporter(jobId, importKinds[name].queue, held);
  return {
    jobId,
    flags,
    signal,
    report: (...counted) => {
      signal.throwIfAborted();
      return progress(...counted);
    },
    withLease: held,
    apply: (work) => store(async (transaction) => ({ result: await work(transaction) })),
    requestReview: (result, loss) => store(() => Promise.resolve({ result, loss })),
    isLossApproved: async (loss) => {
      if (loss.length === 0) return true;
      if (!flags.approve) return false;
      const shown = await context.models.ImportRun.findAskedRemovals(name, flags.serverId ?? null);
      const asked = new Set(shown);
      return loss.every((part) => asked.has(part));
    },
  };
}

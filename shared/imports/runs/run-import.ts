import type { Transaction } from "sequelize";

import type { Context } from "../../platform/context.ts";
import {
  createProgress,
  JobCancelled,
  type ReportProgress,
} from "../../platform/job-records/progress.ts";
import type { ImportFlags } from "../../platform/queue/queues.ts";
import type { ImportResult } from "../results/codes.ts";
import { importKinds, type ImportName } from "../results/kinds.ts";
import { type Applied, applyRun, endLostRuns, takeUpRun, whileHeld } from "./runs.ts";

/**
 * One attempt at an import. All that it writes goes through `whileHeld`, `apply`, `askFor` or
 * `report`, except rows of its own stage, which nobody else reads.
 */
export interface ImportRun {
  readonly jobId: string;
  readonly flags: ImportFlags;
  /** Aborts when the process stops or the attempt has run out of time. */
  readonly signal: AbortSignal;
  /** Tells how far it has come. @throws when it was cancelled or its time is over */
  readonly report: ReportProgress;
  /**
   * Does what only the attempt that holds the run may do before the run ends, such as removing what earlier
   * ones left behind: one that was paused must not remove its successor's.
   * @throws when another attempt holds the run, or it was cancelled: nothing is done then
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
  /** Stores the result with all that it would take away, which an administrator is asked about. */
  askFor<Result extends ImportResult>(
    this: void,
    result: Result,
    loss: readonly string[],
  ): Promise<Result>;
  /** Whether its flags approve it, and an administrator was asked about every part of a loss. */
  mayLose(this: void, loss: readonly string[]): Promise<boolean>;
}

/** What an import does; a result that it did not store itself is stored for it. */
export type ImportWork<Needed extends Context = Context> = (
  run: ImportRun,
  context: Needed,
) => Promise<ImportResult>;

interface Attempt {
  readonly jobId: string;
  readonly flags: ImportFlags;
  readonly signal: AbortSignal;
}

/**
 * Runs one attempt of an import's job. Faults of ours are thrown, so that the queue tries again.
 * @returns null when there was nothing left to do
 */
export async function runImport<Needed extends Context>(
  name: ImportName,
  given: Attempt,
  work: ImportWork<Needed>,
  context: Needed,
): Promise<ImportResult | null> {
  const { jobId } = given;
  const attempt = await takeUpRun(jobId, context);
  if (attempt === null) return null;
  let isStored = false;
  const store: Store = async (workToApply) => {
    const result = await applyRun({ jobId, attempt }, workToApply, context.sequelize);
    isStored = true;
    return result;
  };
  const run = openRun(name, { ...given, attempt, store }, context);
  try {
    const result = await work(run, context);
    return isStored ? result : await run.apply(() => Promise.resolve(result));
  } catch (error) {
    if (!(error instanceof JobCancelled)) throw error;
    await endLostRuns(context.sequelize, jobId);
    return null;
  }
}

/** Does what a run came to, stores its result, and notes that it did. */
type Store = <Result extends ImportResult>(
  work: (transaction: Transaction) => Promise<Applied<Result>>,
) => Promise<Result>;

interface HeldAttempt extends Attempt {
  readonly attempt: number;
  readonly store: Store;
}

function openRun(
  name: ImportName,
  { jobId, flags, signal, attempt, store }: HeldAttempt,
  context: Context,
): ImportRun {
  const held = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    whileHeld({ jobId, attempt }, work, context.sequelize);
  const progress = createProgress(jobId, importKinds[name].queue, held);
  return {
    jobId,
    flags,
    signal,
    report: (...counted) => {
      signal.throwIfAborted();
      return progress(...counted);
    },
    whileHeld: held,
    apply: (work) => store(async (transaction) => ({ result: await work(transaction) })),
    askFor: (result, loss) => store(() => Promise.resolve({ result, loss })),
    mayLose: async (loss) => {
      if (loss.length === 0) return true;
      if (!flags.approve) return false;
      const shown = await context.models.ImportRun.findShownLoss(name, flags.serverId ?? null);
      const asked = new Set(shown);
      return loss.every((part) => asked.has(part));
    },
  };
}

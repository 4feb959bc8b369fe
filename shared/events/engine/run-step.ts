import { inTransaction } from "../../platform/db/transaction.ts";
import type { EventContext } from "../context.ts";
import type { AttemptResult } from "../machine/settle.ts";
import { isTransitionRefusal, applyTransition } from "../machine/transition.ts";
import { attemptStep } from "./attempt-step.ts";
import { LeaseLostError } from "./authorize-attempt.ts";
import { type ClaimedStep, claimStep, claimStepOfRun, startLeaseRenewal } from "./claim-step.ts";
import { toFailedResult } from "./failed-result.ts";
import { lockRun } from "./lock-run.ts";
import { StepsChangedError, writeRun } from "./write-run.ts";

/** After this time a worker stops claiming steps of one run, so that other runs have their turn. */
const maxTurnMs = 20_000;

/**
 * Claims a step, makes one attempt and records the result; claims the next due step in the same
 * transaction. Does nothing if the step is not due or another worker holds it.
 */
export async function runStep(
  stepId: number,
  context: EventContext,
  stopping: AbortSignal,
): Promise<void> {
  const begunAt = performance.now();
  const mayContinue = () => !stopping.aborted && performance.now() - begunAt < maxTurnMs;
  let claimed = await claimStep(stepId, context);
  while (claimed) {
    const lease = startLeaseRenewal(claimed, context);
    try {
      const ending = await runAttempt(claimed, context, AbortSignal.any([lease.signal, stopping]));
      claimed = ending && (await recordAttempt(claimed, ending, { context, mayGoOn: mayContinue }));
    } finally {
      lease.release();
    }
  }
}

/**
 * Makes the attempt. Does not wait for an action that ignores its signal.
 * @returns null if the worker lost its lease and must not record anything
 */
export async function runAttempt(
  claimed: ClaimedStep,
  context: EventContext,
  ending: AbortSignal,
): Promise<AttemptResult | null> {
  const { budgetMs } = claimed.step;
  const time = AbortSignal.timeout(budgetMs);
  const signal = AbortSignal.any([ending, time]);
  const { promise: over, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([attemptStep(claimed, context, signal), over]);
  } catch (error) {
    if (error instanceof LeaseLostError) return null;
    const cause = time.aborted ? new Error(`the step took longer than ${budgetMs} ms`) : error;
    return toFailedResult(cause, claimed.attempt);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

interface SettleOptions {
  readonly context: EventContext;
  readonly mayGoOn: () => boolean;
}

/** Records the result of an attempt. @returns the next step of the run if it was due and claimed */
export async function recordAttempt(
  claimed: ClaimedStep,
  ending: AttemptResult,
  settling: SettleOptions,
): Promise<ClaimedStep | null> {
  const { step, owner, attempt, left } = claimed;
  const { context, mayGoOn } = settling;
  try {
    return await inTransaction(context.sequelize, async (transaction) => {
      const locked = await lockRun(step.runId, transaction, { known: left });
      if (!locked) return null;
      const trigger = { kind: "settle", stepId: step.id, owner, attempt, ending } as const;
      const settled = applyTransition(locked.run, trigger, locked.now);
      if (isTransitionRefusal(settled)) {
        context.log.warn(
          { stepId: step.id, attempt },
          "the result of a step was dropped: another worker has its lease",
        );
        return null;
      }
      const next = settled.run.steps.find(({ status }) => status === "ready");
      if (next && mayGoOn()) {
        return claimStepOfRun(
          locked,
          { stepId: next.id, change: settled },
          { transaction, context },
        );
      }
      await writeRun(locked, settled, { transaction, context });
      return null;
    });
  } catch (error) {
    if (!(error instanceof StepsChangedError)) throw error;
    // An empty `writtenBy` matches no transaction id, so the run is read again.
    return recordAttempt({ ...claimed, left: { ...left, writtenBy: "" } }, ending, settling);
  }
}

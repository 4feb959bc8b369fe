import type { ParamValues } from "../../facts/param.ts";
import {
  type BridgeCode,
  BridgeError,
  isPossiblyExecuted,
} from "../../platform/bridge/bridge-error.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { ErrorKind } from "../../platform/errors/error-kinds.ts";
import { AppError, messageOf } from "../../platform/errors/errors.ts";
import { computeDoubledMs } from "../../platform/time/backoff.ts";
import { checkParams, type StepAttempt } from "../actions/action.ts";
import { findAction } from "../actions/catalogue.ts";
import type { EventContext } from "../context.ts";
import type { AttemptResult, FailedAttemptResult } from "../machine/settle.ts";
import { applyTransition, isTransitionRefusal } from "../machine/transition.ts";
import { AttemptRefusedError, authorizeAttempt, LeaseLostError } from "./authorize-attempt.ts";
import { type ClaimedStep, claimStep, claimStepOfRun, startLeaseRenewal } from "./claim-step.ts";
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

/** Makes one attempt at a claimed step. @throws the error of the attempt */
async function attemptStep(
  claimed: ClaimedStep,
  context: EventContext,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { step, left } = claimed;
  const { rehearsal } = left.facts;
  const action = findAction(step.actionId);
  if (!action) throw refusal(`no action is called ${step.actionId}`);
  // A template may have been filled with a value that its parameter does not allow.
  const [problem] = checkParams(action, step.params);
  if (problem) throw refusal(`${problem.param} ${problem.message}`);
  const actor = await authorizeAttempt(claimed, action, context);
  signal.throwIfAborted();
  const calls: ParamValues[] = [];
  const effect: StepAttempt["effect"] = async (call, bringAbout, pretended = {}) => {
    calls.push(call);
    return rehearsal ? pretended : bringAbout(context);
  };
  const resultOf: StepAttempt["resultOf"] = async (key) => {
    const where = { runId: step.runId, key, status: "succeeded" };
    const found = await context.models.EventStep.findOne({ attributes: ["result"], where });
    return found?.result ?? undefined;
  };
  const attempt = { ...step, actor, signal, effect, resultOf };
  const outcome = await action.run(attempt, context);
  if (outcome.kind === "wait") return { kind: "waiting", seconds: outcome.seconds };
  if (outcome.kind === "park") return { kind: "parked", reason: outcome.reason };
  const { result } = outcome;
  if (!rehearsal) return { kind: "succeeded", result };
  return { kind: "succeeded", result, detail: { rehearsal: true, call: calls.at(-1) ?? null } };
}

const refusal = (message: string): AppError => new AppError("invalid_request", message);

const firstDelayMs = 2_000;
const longestDelayMs = 60_000;

/** Codes with which the shard refuses a request before any effect; a retry may succeed. */
const retryableCodes: readonly BridgeCode[] = ["UNAUTHORIZED", "PROTOCOL", "LIMIT"];

/** Errors of this service that a retry would cause again. */
const permanentKinds: readonly ErrorKind[] = ["invalid", "forbidden", "missing", "conflict"];

/** Converts the error of an attempt into its result. @param attempt its number within the step */
function toFailedResult(error: unknown, attempt: number): FailedAttemptResult {
  const delayMs = Math.random() * computeDoubledMs(firstDelayMs, longestDelayMs, attempt - 1);
  const cause = error instanceof AttemptRefusedError ? error.reason : "failed";
  return { kind: "failed", error: textOf(error), cause, delayMs, ...classifyError(error) };
}

function classifyError(error: unknown): Pick<FailedAttemptResult, "mayRetry" | "isUnknown"> {
  if (error instanceof AttemptRefusedError) return { mayRetry: false, isUnknown: false };
  if (error instanceof BridgeError) {
    const isUnknown = isPossiblyExecuted(error);
    return {
      mayRetry: isUnknown || error.isUnsent || retryableCodes.includes(error.code),
      isUnknown,
    };
  }
  if (error instanceof AppError && permanentKinds.includes(error.kind)) {
    return { mayRetry: false, isUnknown: false };
  }
  return { mayRetry: true, isUnknown: true };
}

const textOf = (error: unknown): string => describeError(error).slice(0, 500);

function describeError(error: unknown): string {
  if (error instanceof BridgeError) return `${error.code}: ${error.reason}`;
  const faults = error instanceof AppError ? (error.faults ?? []) : [];
  // The message of a failed validation does not name the faults, so list them.
  if (faults.length === 0) return messageOf(error);
  return faults.map(({ path, message }) => `${path}: ${message}`).join("; ");
}

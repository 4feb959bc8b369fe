import type { ParamValues } from "../../facts/param.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { type StepAttempt, checkParams } from "../actions/action.ts";
import { findAction } from "../actions/catalogue.ts";
import type { EventContext } from "../context.ts";
import type { AttemptResult } from "../machine/settle.ts";
import { authorizeAttempt } from "./authorize-attempt.ts";
import type { ClaimedStep } from "./claim-step.ts";

/** Makes one attempt at a claimed step. @throws the error of the attempt */
export async function attemptStep(
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

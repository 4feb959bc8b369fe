import type { Values } from "../../facts/param.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { type Action, type Attempt, paramProblems } from "../actions/action.ts";
import { findAction } from "../actions/catalogue.ts";
import type { EventContext } from "../context.ts";
import type { Ending } from "../machine/settle.ts";
import { admit } from "./admit.ts";
import type { ClaimedStep } from "./claim-step.ts";

/**
 * Makes one attempt at a step that this worker holds.
 * @throws what it failed of
 */
export async function attemptStep(
  claimed: ClaimedStep,
  context: EventContext,
  signal: AbortSignal,
): Promise<Ending> {
  const action = findAction(claimed.step.actionId);
  if (!action) throw refused(`no action is called ${claimed.step.actionId}`);
  const params = checkedParams(action, claimed.params);
  const actor = await admit(claimed, action, context);
  signal.throwIfAborted();
  const calls: Values[] = [];
  const attempt = { ...attemptOf(claimed, context, calls), params, actor, signal };
  const outcome = await withinTime(action.run(attempt, context), signal);
  if (outcome.kind === "wait") return { kind: "waiting", seconds: outcome.seconds };
  if (outcome.kind === "park") return { kind: "parked", reason: outcome.reason };
  const { result } = outcome;
  if (!claimed.facts.rehearsal) return { kind: "succeeded", result };
  return { kind: "succeeded", result, detail: { rehearsal: true, call: calls.at(-1) ?? null } };
}

const refused = (message: string): AppError => new AppError("invalid_request", message);

/** A template may have been filled with a value that its parameter does not allow. */
function checkedParams(action: Action, params: Values): Values {
  const [problem] = paramProblems(action, params);
  if (problem) throw refused(`${problem.param} ${problem.message}`);
  return params;
}

function attemptOf(
  { step, facts }: ClaimedStep,
  context: EventContext,
  calls: Values[],
): Pick<Attempt, "runId" | "idempotencyKey" | "resultOf" | "effect"> {
  const { runId, idempotencyKey } = step;
  return {
    runId,
    idempotencyKey,
    resultOf: async (key) => {
      const where = { runId, key, status: "succeeded" };
      const found = await context.models.EventStep.findOne({ attributes: ["result"], where });
      return found?.result ?? undefined;
    },
    effect: async (call, bringAbout, pretended = {}) => {
      calls.push(call);
      return facts.rehearsal ? pretended : bringAbout(context);
    },
  };
}

/** An action that does not heed its signal is left behind. */
async function withinTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([work, over]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

import { type ClaimedStep, claimStep } from "../../shared/events/engine/claim-step.ts";
import { runAttempt, recordAttempt } from "../../shared/events/engine/run-step.ts";
import type { AttemptResult } from "../../shared/events/machine/settle.ts";
import type { EventTestSite } from "./stage.ts";

const { signal } = new AbortController();

/**
 * Makes an attempt at the first step of a run, as a worker does.
 * @returns a function that records the result
 */
export async function attemptFirstStep(
  stage: EventTestSite,
  runId: number,
): Promise<() => Promise<unknown>> {
  const { context } = stage.shard.server;
  const [step] = (await stage.read(runId)).steps;
  const claimed = (await claimStep(step?.id ?? 0, context)) as ClaimedStep;
  const ending = (await runAttempt(claimed, context, signal)) as AttemptResult;
  return () => recordAttempt(claimed, ending, { context, mayGoOn: () => true });
}

import type { ParamValues } from "../../facts/param.ts";
import { claimDueStep, type ClaimRequest } from "./claim.ts";
import {
  advanceRun,
  type ControlRequest,
  cancelRun,
  markRunMissed,
  pauseRun,
  resumeRun,
  startRun,
  confirmStep,
  retryStep,
  skipStep,
  type StepControlRequest,
} from "./controls.ts";
import { advanceSteps } from "./phases.ts";
import {
  type RunChange,
  logRun,
  type TransitionRefusal,
  createEmptyChange,
  changeRunState,
} from "./run-change.ts";
import { settleAttempt, type AttemptReport } from "./settle.ts";
import type { RunState } from "./state.ts";

/** An input of the state machine. */
export type RunInput =
  | { readonly kind: "start" }
  | { readonly kind: "miss"; readonly reason: string }
  | ({ readonly kind: "claim" } & ClaimRequest)
  | ({ readonly kind: "settle" } & AttemptReport)
  /** A check of due times. */
  | { readonly kind: "look" }
  /** The present phase's gate has counted new events. */
  | { readonly kind: "hit"; readonly hits: number; readonly lastHit: ParamValues }
  | ({ readonly kind: "pause" | "resume" | "advance" | "cancel" } & ControlRequest)
  | ({ readonly kind: "confirm" | "skip" | "retry" } & StepControlRequest);

type InputOf<Kind extends RunInput["kind"]> = Extract<RunInput, { kind: Kind }>;

/** Returns the next state of a run, or a refusal. Every change of a run uses this function. */
export function applyTransition(
  run: RunState,
  trigger: RunInput,
  now: Date,
): RunChange | TransitionRefusal {
  const decide = transitions[trigger.kind] as (
    run: RunState,
    trigger: RunInput,
    now: Date,
  ) => RunChange | TransitionRefusal;
  return decide(run, trigger, now);
}

const transitions: {
  readonly [Kind in RunInput["kind"]]: (
    run: RunState,
    trigger: InputOf<Kind>,
    now: Date,
  ) => RunChange | TransitionRefusal;
} = {
  start: (run, _trigger, now) => startRun(run, now),
  miss: (run, { reason }, now) => markRunMissed(run, reason, now),
  claim: claimDueStep,
  settle: settleAttempt,
  look: (run, _trigger, now) => advanceSteps(createEmptyChange(run), now),
  hit: (run, { hits, lastHit }, now) => {
    const counted = changeRunState(createEmptyChange(run), { hits, lastHit });
    return advanceSteps(logRun(counted, "trigger", { hits, variables: lastHit }), now);
  },
  pause: pauseRun,
  resume: resumeRun,
  advance: advanceRun,
  cancel: cancelRun,
  confirm: confirmStep,
  skip: skipStep,
  retry: retryStep,
};

export const isTransitionRefusal = (
  decided: RunChange | TransitionRefusal,
): decided is TransitionRefusal => "refusal" in decided;

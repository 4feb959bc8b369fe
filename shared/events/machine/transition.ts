import type { Values } from "../../facts/param.ts";
import { claim, type ClaimRequest } from "./claim.ts";
import {
  advance,
  type ControlRequest,
  cancel,
  miss,
  pause,
  resume,
  start,
  confirm,
  retry,
  skip,
  type StepControlRequest,
} from "./controls.ts";
import { advanceSteps } from "./phases.ts";
import { type RunChange, logRun, type Refusal, unchanged, changeRunState } from "./run-change.ts";
import { settle, type AttemptReport } from "./settle.ts";
import type { RunState } from "./state.ts";

/** An input of the state machine. */
export type RunInput =
  | { readonly kind: "start" }
  | { readonly kind: "miss"; readonly reason: string }
  | ({ readonly kind: "claim" } & ClaimRequest)
  | ({ readonly kind: "settle" } & AttemptReport)
  /** A check of due times. */
  | { readonly kind: "look" }
  /** The gate of the present phase counted events. */
  | { readonly kind: "hit"; readonly hits: number; readonly lastHit: Values }
  | ({ readonly kind: "pause" | "resume" | "advance" | "cancel" } & ControlRequest)
  | ({ readonly kind: "confirm" | "skip" | "retry" } & StepControlRequest);

type InputOf<Kind extends RunInput["kind"]> = Extract<RunInput, { kind: Kind }>;

/** Returns the next state of a run, or a refusal. Every change of a run goes through it. */
export function applyTransition(run: RunState, trigger: RunInput, now: Date): RunChange | Refusal {
  const decide = transitions[trigger.kind] as (
    run: RunState,
    trigger: RunInput,
    now: Date,
  ) => RunChange | Refusal;
  return decide(run, trigger, now);
}

const transitions: {
  readonly [Kind in RunInput["kind"]]: (
    run: RunState,
    trigger: InputOf<Kind>,
    now: Date,
  ) => RunChange | Refusal;
} = {
  start: (run, _trigger, now) => start(run, now),
  miss: (run, { reason }, now) => miss(run, reason, now),
  claim,
  settle,
  look: (run, _trigger, now) => advanceSteps(unchanged(run), now),
  hit: (run, { hits, lastHit }, now) => {
    const counted = changeRunState(unchanged(run), { hits, lastHit });
    return advanceSteps(logRun(counted, "trigger", { hits, variables: lastHit }), now);
  },
  pause,
  resume,
  advance,
  cancel,
  confirm,
  skip,
  retry,
};

export const isRefusal = (decided: RunChange | Refusal): decided is Refusal => "refusal" in decided;

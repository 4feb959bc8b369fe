import type { Values } from "../../facts/param.ts";
import { type Change, logged, type Refusal, unchanged, withRun } from "./change.ts";
import { claim, type Claim } from "./claim.ts";
import {
  advance,
  type Asked,
  cancel,
  miss,
  pause,
  resume,
  start,
  confirm,
  retry,
  skip,
  type StepAsked,
} from "./controls.ts";
import { proceed } from "./phases.ts";
import { settle, type Settlement } from "./settle.ts";
import type { RunState } from "./state.ts";

/** An input of the state machine. */
export type Trigger =
  | { readonly kind: "start" }
  | { readonly kind: "miss"; readonly reason: string }
  | ({ readonly kind: "claim" } & Claim)
  | ({ readonly kind: "settle" } & Settlement)
  /** Time has passed. */
  | { readonly kind: "look" }
  /** The gate of the present phase counted events. */
  | { readonly kind: "hit"; readonly hits: number; readonly lastHit: Values }
  | ({ readonly kind: "pause" | "resume" | "advance" | "cancel" } & Asked)
  | ({ readonly kind: "confirm" | "skip" | "retry" } & StepAsked);

type TriggerOf<Kind extends Trigger["kind"]> = Extract<Trigger, { kind: Kind }>;

/** Returns the next state of a run, or a refusal. Every change of a run goes through it. */
export function transition(run: RunState, trigger: Trigger, now: Date): Change | Refusal {
  const decide = transitions[trigger.kind] as (
    run: RunState,
    trigger: Trigger,
    now: Date,
  ) => Change | Refusal;
  return decide(run, trigger, now);
}

const transitions: {
  readonly [Kind in Trigger["kind"]]: (
    run: RunState,
    trigger: TriggerOf<Kind>,
    now: Date,
  ) => Change | Refusal;
} = {
  start: (run, _trigger, now) => start(run, now),
  miss: (run, { reason }, now) => miss(run, reason, now),
  claim,
  settle,
  look: (run, _trigger, now) => proceed(unchanged(run), now),
  hit: (run, { hits, lastHit }, now) => {
    const counted = withRun(unchanged(run), { hits, lastHit });
    return proceed(logged(counted, "trigger", { hits, variables: lastHit }), now);
  },
  pause,
  resume,
  advance,
  cancel,
  confirm,
  skip,
  retry,
};

export const isRefusal = (decided: Change | Refusal): decided is Refusal => "refusal" in decided;

import { findTrigger } from "../../facts/triggers.ts";
import type { Gate, TriggerGate } from "../spec/spec.ts";
import {
  type Change,
  ended,
  logged,
  phaseKey,
  withOpenSteps,
  withRun,
  withStep,
} from "./change.ts";
import { hasEnded, isPresent, later, presentSteps } from "./state.ts";

/** Enters a phase, or completes the run after the last one. */
export function enterPhase(change: Change, phase: number, now: Date): Change {
  const entered = change.run.phases[phase];
  if (!entered) return logged(ended(change, "completed", now), "completed");
  const begun = withRun(change, {
    phase,
    phaseBeganAt: now,
    phasePausedMs: 0,
    gateDueAt: gateDueAfter(entered.gate, now),
    hits: 0,
    lastHit: null,
  });
  return proceed(logged(begun, "phase"), now);
}

/** Returns when a gate opens by itself or times out, counted from now; null if it never does. */
export function gateDueAfter(gate: Gate, now: Date): Date | null {
  if (gate.kind === "after") return later(now, gate.seconds * 1_000);
  if (gate.kind !== "trigger" || gate.timeoutSeconds === undefined) return null;
  return later(now, gate.timeoutSeconds * 1_000);
}

/**
 * Takes a running run as far as it goes by itself: makes the next step of the phase ready, or
 * evaluates the gate once every step has ended.
 */
export function proceed(change: Change, now: Date): Change {
  const { run } = change;
  if (run.status !== "running") return change;
  const steps = presentSteps(run);
  if (steps.every(hasEnded)) return lookAtGate(change, now);
  if (steps.some(({ status }) => status === "ready" || status === "running")) return change;
  const next = steps.find(({ status }) => status === "pending");
  if (!next) return change;
  const began = run.phaseBeganAt ?? now;
  const due = later(began, next.offsetSeconds * 1_000 + run.phasePausedMs);
  // Not before the preceding step has ended, which is now.
  return withStep(change, next.id, { status: "ready", dueAt: due > now ? due : now });
}

function lookAtGate(change: Change, now: Date): Change {
  const { gate } = change.run.phases[change.run.phase ?? 0] ?? {};
  if (!gate || gate.kind === "manual") return change;
  if (gate.kind === "steps") return enterNext(change, now);
  if (gate.kind === "after") return isGateDue(change, now) ? enterNext(change, now) : change;
  if (change.run.hits >= gate.count) return openTrigger(change, gate, now);
  return isGateDue(change, now) ? giveUpWaiting(change, gate, now) : change;
}

const isGateDue = ({ run: { gateDueAt } }: Change, now: Date): boolean =>
  gateDueAt !== null && gateDueAt <= now;

const enterNext = (change: Change, now: Date): Change =>
  enterPhase(change, (change.run.phase ?? 0) + 1, now);

/** Replaces all variables of the trigger: its event unsets a variable that it lacks. */
function openTrigger(change: Change, { trigger }: TriggerGate, now: Date): Change {
  const { variables, lastHit } = change.run;
  const names = new Set(findTrigger(trigger)?.variables.map(({ name }) => name));
  const kept = Object.entries(variables).filter(([name]) => !names.has(name));
  const known = { ...Object.fromEntries(kept), ...lastHit };
  return enterNext(withRun(change, { variables: known }), now);
}

/** A pause clears the gate's due time, so the full timeout starts again after it. */
function giveUpWaiting(change: Change, { onTimeout }: TriggerGate, now: Date): Change {
  const reason = { reason: "timeout" };
  if (onTimeout === "advance") return enterNext(logged(change, "advanced", reason), now);
  const paused = { status: "paused", pausedAt: now, gateDueAt: null } as const;
  return logged(withRun(change, paused), "paused", reason);
}

/** Ends the present phase without its gate. A step that a worker holds ends by itself. */
export function leavePhase(change: Change, detail: Record<string, unknown>, now: Date): Change {
  const { run } = change;
  const skipped = withOpenSteps(change, "skipped", now, (step) => isPresent(run, step));
  const to = phaseKey(run, (run.phase ?? 0) + 1);
  const running = withRun(logged(skipped, "advanced", { ...detail, to }), {
    status: "running",
    pausedAt: null,
    pausedByStep: null,
  });
  return enterNext(running, now);
}

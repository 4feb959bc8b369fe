import { findTrigger } from "../../facts/triggers.ts";
import type { PhaseGate, TriggerGate } from "../spec/spec.ts";
import {
  type RunChange,
  endRun,
  logRun,
  phaseKey,
  endOpenSteps,
  changeRunState,
  changeStep,
} from "./run-change.ts";
import { hasStepEnded, isInCurrentPhase, addMs, listCurrentPhaseSteps } from "./state.ts";

/** Enters a phase, or completes the run after the last one. */
export function enterPhase(change: RunChange, phase: number, now: Date): RunChange {
  const entered = change.run.phases[phase];
  if (!entered) return logRun(endRun(change, "completed", now), "completed");
  const begun = changeRunState(change, {
    phase,
    phaseBeganAt: now,
    phasePausedMs: 0,
    gateDueAt: computeGateDueTime(entered.gate, now),
    hits: 0,
    lastHit: null,
  });
  return advanceSteps(logRun(begun, "phase"), now);
}

/** Returns when a gate that begins now opens by time or times out; null if it never does. */
export function computeGateDueTime(gate: PhaseGate, now: Date): Date | null {
  if (gate.kind === "after") return addMs(now, gate.seconds * 1_000);
  if (gate.kind !== "trigger" || gate.timeoutSeconds === undefined) return null;
  return addMs(now, gate.timeoutSeconds * 1_000);
}

/**
 * Advances a running run without a person: makes the next step of the phase ready, or evaluates the
 * gate once every step has ended.
 */
export function advanceSteps(change: RunChange, now: Date): RunChange {
  const { run } = change;
  if (run.status !== "running") return change;
  const steps = listCurrentPhaseSteps(run);
  if (steps.every(hasStepEnded)) return evaluateGate(change, now);
  if (steps.some(({ status }) => status === "ready" || status === "running")) return change;
  const next = steps.find(({ status }) => status === "pending");
  if (!next) return change;
  const began = run.phaseBeganAt ?? now;
  const due = addMs(began, next.offsetSeconds * 1_000 + run.phasePausedMs);
  // The step is due no earlier than the end of the preceding step, which is now.
  return changeStep(change, next.id, { status: "ready", dueAt: due > now ? due : now });
}

function evaluateGate(change: RunChange, now: Date): RunChange {
  const { gate } = change.run.phases[change.run.phase ?? 0] ?? {};
  if (!gate || gate.kind === "manual") return change;
  if (gate.kind === "steps") return enterNext(change, now);
  if (gate.kind === "after") return isGateDue(change, now) ? enterNext(change, now) : change;
  if (change.run.hits >= gate.count) return openTrigger(change, gate, now);
  return isGateDue(change, now) ? timeOutGate(change, gate, now) : change;
}

const isGateDue = ({ run: { gateDueAt } }: RunChange, now: Date): boolean =>
  gateDueAt !== null && gateDueAt <= now;

const enterNext = (change: RunChange, now: Date): RunChange =>
  enterPhase(change, (change.run.phase ?? 0) + 1, now);

/** Opens a gate. Removes each variable of its trigger that the event which opened the gate does not have. */
function openTrigger(change: RunChange, { trigger }: TriggerGate, now: Date): RunChange {
  const { variables, lastHit } = change.run;
  const names = new Set(findTrigger(trigger)?.variables.map(({ name }) => name));
  const kept = Object.entries(variables).filter(([name]) => !names.has(name));
  const known = { ...Object.fromEntries(kept), ...lastHit };
  return enterNext(changeRunState(change, { variables: known }), now);
}

/** Advances or pauses the run at a gate's timeout. After a pause, the gate gets its full timeout again. */
function timeOutGate(change: RunChange, { onTimeout }: TriggerGate, now: Date): RunChange {
  const reason = { reason: "timeout" };
  if (onTimeout === "advance") return enterNext(logRun(change, "advanced", reason), now);
  const paused = { status: "paused", pausedAt: now, gateDueAt: null } as const;
  return logRun(changeRunState(change, paused), "paused", reason);
}

/** Ends the present phase without waiting for its gate or for steps that workers hold. */
export function leavePhase(
  change: RunChange,
  detail: Record<string, unknown>,
  now: Date,
): RunChange {
  const { run } = change;
  const skipped = endOpenSteps(change, "skipped", now, (step) => isInCurrentPhase(run, step));
  const to = phaseKey(run, (run.phase ?? 0) + 1);
  const running = changeRunState(logRun(skipped, "advanced", { ...detail, to }), {
    status: "running",
    pausedAt: null,
    pausedByStep: null,
  });
  return enterNext(running, now);
}

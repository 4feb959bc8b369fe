import {
  type Change,
  ended,
  logged,
  type Refusal,
  refuse,
  unchanged,
  withOpenSteps,
  withRun,
  withSteps,
} from "./change.ts";
import { enterPhase, gateDueAfter, leavePhase, proceed } from "./phases.ts";
import { isUnderWay, later, type RunState } from "./state.ts";

/** Who asked for it and why, as the log says it. */
export interface Asked {
  /** A user's id; absent where the engine decided. */
  readonly by?: number | undefined;
  readonly reason?: string | undefined;
}

/** Begins a run whose steps have been written. */
export function start(run: RunState, now: Date): Change | Refusal {
  if (run.status !== "scheduled") return refuse(`a ${run.status} run does not start`);
  const begun = withRun(unchanged(run), { status: "running", startedAt: now });
  return enterPhase(logged(begun, "started"), 0, now);
}

/** Gives up a run that could not begin in time. */
export function miss(run: RunState, reason: string, now: Date): Change | Refusal {
  if (run.status !== "scheduled") return refuse(`a ${run.status} run is not missed`);
  const missed = withRun(ended(unchanged(run), "missed", now), { lastError: reason });
  return logged(missed, "missed", { reason });
}

export function pause(run: RunState, { by, reason }: Asked, now: Date): Change | Refusal {
  if (run.status !== "running") return refuse(`a ${run.status} run cannot be paused`);
  const paused = withRun(unchanged(run), { status: "paused", pausedAt: now, pausedByStep: null });
  return logged(paused, "paused", { by, reason });
}

export function resume(run: RunState, { by }: Asked, now: Date): Change | Refusal {
  if (run.status !== "paused") return refuse(`a ${run.status} run cannot be resumed`);
  return goOn(unchanged(run), { by }, now);
}

/** Ends a pause: what was due comes later by as long as it took. */
export function goOn(change: Change, asked: Asked, now: Date): Change {
  const { run } = change;
  const pausedMs = Math.max(0, now.valueOf() - (run.pausedAt ?? now).valueOf());
  const gate = run.phases[run.phase ?? 0]?.gate;
  const shifted = withSteps(change, ({ status, dueAt }) =>
    status === "ready" && dueAt ? { dueAt: later(dueAt, pausedMs) } : undefined,
  );
  const running = withRun(shifted, {
    status: "running",
    pausedAt: null,
    pausedByStep: null,
    phasePausedMs: run.phasePausedMs + pausedMs,
    // A gate that gave up waiting lost its time and gets all of it again.
    gateDueAt: run.gateDueAt
      ? later(run.gateDueAt, pausedMs)
      : gate
        ? gateDueAfter(gate, now)
        : null,
  });
  return proceed(logged(running, "resumed", { by: asked.by }), now);
}

export function advance(run: RunState, { by, reason }: Asked, now: Date): Change | Refusal {
  if (!isUnderWay(run)) return refuse(`a ${run.status} run cannot be advanced`);
  return leavePhase(unchanged(run), { by, reason }, now);
}

export function cancel(run: RunState, { by, reason }: Asked, now: Date): Change | Refusal {
  if (!isUnderWay(run) && run.status !== "scheduled") {
    return refuse(`a ${run.status} run cannot be cancelled`);
  }
  const stopped = withOpenSteps(unchanged(run), "cancelled", now);
  return logged(ended(stopped, "cancelled", now), "cancelled", { by, reason });
}

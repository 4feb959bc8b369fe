import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { RunChange, TransitionRefusal } from "../../shared/events/machine/run-change.ts";
import type { AttemptResult } from "../../shared/events/machine/settle.ts";
import {
  hasStepEnded,
  isRunFinished,
  isLeased,
  isStepParked,
  listCurrentPhaseSteps,
  type RunState,
  type StepState,
} from "../../shared/events/machine/state.ts";
import {
  isTransitionRefusal,
  applyTransition,
  type RunInput,
} from "../../shared/events/machine/transition.ts";
import type { PhaseGate } from "../../shared/events/spec/spec.ts";
import { failureReactions } from "../../shared/events/vocabulary.ts";

const leaseMs = 30_000;
const began = new Date("2026-12-05T20:00:00Z");

const stepOf = (id: number, phase: number, given: Partial<StepState> = {}): StepState => ({
  id,
  phase,
  seq: id,
  offsetSeconds: 0,
  onFailure: "continue",
  confirm: false,
  maxAttempts: 2,
  status: "pending",
  dueAt: null,
  attempts: 0,
  triesAllowed: 2,
  leaseOwner: null,
  leaseUntil: null,
  parkedFor: null,
  confirmedAt: null,
  hasWaited: false,
  firstUnknownAt: null,
  result: null,
  lastError: null,
  startedAt: null,
  finishedAt: null,
  ...given,
});

function runOf(
  phases: readonly { gate: PhaseGate; steps: readonly Partial<StepState>[] }[],
): RunState {
  let id = 0;
  return {
    id: 1,
    phases: phases.map(({ gate }, index) => ({ key: `phase-${index}`, gate })),
    steps: phases.flatMap(({ steps }, phase) => steps.map((given) => stepOf(++id, phase, given))),
    hits: 0,
    lastHit: null,
    status: "scheduled",
    health: "ok",
    phase: null,
    phaseBeganAt: null,
    phasePausedMs: 0,
    gateDueAt: null,
    pausedAt: null,
    pausedByStep: null,
    variables: {},
    lastError: null,
    startedAt: null,
    endedAt: null,
  };
}

const at = (seconds: number): Date => new Date(began.valueOf() + seconds * 1_000);

/** Applies inputs, each at a number of seconds after the start. @throws if an input is refused */
function applyInputs(run: RunState, ...steps: readonly [number, RunInput][]): RunState {
  return steps.reduce((state, [seconds, trigger]) => {
    const decided = applyTransition(state, trigger, at(seconds));
    if (isTransitionRefusal(decided)) throw new Error(decided.refusal);
    return decided.run;
  }, run);
}

const claimOf = (stepId: number, owner = "w"): RunInput => ({
  kind: "claim",
  stepId,
  owner,
  leaseMs,
});
const settleOf = (
  stepId: number,
  attempt: number,
  ending: AttemptResult,
  owner = "w",
): RunInput => ({
  kind: "settle",
  stepId,
  owner,
  attempt,
  ending,
});
const succeeded: AttemptResult = { kind: "succeeded", result: {} };
const failed = (given: object = {}): AttemptResult => ({
  kind: "failed",
  error: "no",
  cause: "failed",
  mayRetry: false,
  isUnknown: false,
  delayMs: 0,
  ...given,
});
const steps: PhaseGate = { kind: "steps" };

describe("a run", () => {
  it("continues from step to step and from phase to phase without further input", () => {
    const run = runOf([
      { gate: steps, steps: [{}, { offsetSeconds: 60 }] },
      { gate: { kind: "after", seconds: 100 }, steps: [] },
    ]);
    const first = applyInputs(
      run,
      [0, { kind: "start" }],
      [1, claimOf(1)],
      [2, settleOf(1, 1, succeeded)],
    );
    expect(first.steps.map(({ status, dueAt }) => [status, dueAt])).toEqual([
      ["succeeded", at(0)],
      ["ready", at(60)],
    ]);
    expect(applyTransition(first, claimOf(2), at(59))).toEqual({ refusal: "the step is not due" });
    const second = applyInputs(first, [60, claimOf(2)], [61, settleOf(2, 1, succeeded)]);
    expect([second.phase, second.gateDueAt]).toEqual([1, at(161)]);
    expect(applyInputs(second, [160, { kind: "look" }]).status).toBe("running");
    expect(applyInputs(second, [161, { kind: "look" }]).status).toBe("completed");
  });

  it("waits for its events and due times, and a pause delays these times by its length", () => {
    const gate: PhaseGate = {
      kind: "trigger",
      trigger: "champ.end",
      count: 2,
      where: [],
      timeoutSeconds: 100,
      onTimeout: "pause",
    };
    const run = applyInputs(runOf([{ gate, steps: [{ offsetSeconds: 10 }] }]), [
      0,
      { kind: "start" },
    ]);
    const resumed = applyInputs(run, [5, { kind: "pause" }], [25, { kind: "resume" }]);
    expect([resumed.steps[0]?.dueAt, resumed.gateDueAt]).toEqual([at(30), at(120)]);
    const settled = applyInputs(resumed, [30, claimOf(1)], [31, settleOf(1, 1, succeeded)]);
    const hit = (hits: number): RunInput => ({ kind: "hit", hits, lastHit: { name: "Despise" } });
    expect(applyInputs(settled, [40, hit(1)]).status).toBe("running");
    const opened = applyInputs(settled, [40, hit(2)]);
    expect([opened.status, opened.variables]).toEqual(["completed", { name: "Despise" }]);
    const timedOut = applyInputs(settled, [120, { kind: "look" }]);
    expect([timedOut.status, timedOut.gateDueAt]).toEqual(["paused", null]);
    expect(applyInputs(timedOut, [500, { kind: "resume" }]).gateDueAt).toEqual(at(600));
  });

  it.each([
    ["continue", "completed", "failed", "degraded"],
    ["pause", "paused", "failed", "degraded"],
    ["abort", "failed", "failed", "degraded"],
    ["park", "running", "running", "ok"],
  ] as const)(
    "handles a failed step as its onFailure says: %s",
    (onFailure, status, step, health) => {
      const run = applyInputs(
        runOf([{ gate: steps, steps: [{ onFailure }] }]),
        [0, { kind: "start" }],
        [1, claimOf(1)],
        [2, settleOf(1, 1, failed())],
      );
      expect([run.status, run.steps[0]?.status, run.health]).toEqual([status, step, health]);
    },
  );

  it("continues when a person retries the step that paused it, and the step gets all its attempts again", () => {
    const run = applyInputs(
      runOf([{ gate: steps, steps: [{ onFailure: "pause" }] }]),
      [0, { kind: "start" }],
      [0, claimOf(1)],
      [1, settleOf(1, 1, failed({ mayRetry: true, delayMs: 1_000 }))],
      [2, claimOf(1)],
      [3, settleOf(1, 2, failed({ mayRetry: true }))],
    );
    expect([run.status, run.pausedByStep]).toEqual(["paused", 1]);
    const retried = applyInputs(run, [100, { kind: "retry", stepId: 1 }]);
    const { status, dueAt, triesAllowed } = retried.steps[0] as StepState;
    expect([retried.status, status, dueAt, triesAllowed]).toEqual(["running", "ready", at(100), 4]);
  });

  it("asks for confirmation once, before a step's effect", () => {
    const run = applyInputs(
      runOf([{ gate: steps, steps: [{ confirm: true }] }]),
      [0, { kind: "start" }],
      [1, claimOf(1)],
    );
    expect(run.steps[0]).toMatchObject({ status: "running", parkedFor: "confirm", attempts: 0 });
    const asked = applyInputs(run, [9, { kind: "confirm", stepId: 1 }], [9, claimOf(1)]);
    expect(asked.steps[0]).toMatchObject({ leaseOwner: "w", attempts: 1, dueAt: at(9) });
  });

  it("does not automatically retry a step after the shard may have forgotten its idempotency key", () => {
    const run = applyInputs(
      runOf([{ gate: steps, steps: [{}] }]),
      [0, { kind: "start" }],
      [0, claimOf(1)],
      [1, settleOf(1, 1, failed({ mayRetry: true, isUnknown: true, delayMs: 21 * 3_600_000 }))],
      [22 * 3_600, claimOf(1)],
    );
    expect(run.steps[0]).toMatchObject({ parkedFor: "unknown", attempts: 1 });
    const retried = applyInputs(
      run,
      [23 * 3_600, { kind: "retry", stepId: 1 }],
      [23 * 3_600, claimOf(1)],
    );
    expect(retried.steps[0]).toMatchObject({ leaseOwner: "w", attempts: 2 });
  });

  it("fails a step after several workers in a row were lost while they executed it", () => {
    const run = applyInputs(
      runOf([{ gate: steps, steps: [{}] }]),
      [0, { kind: "start" }],
      [0, claimOf(1, "a")],
      [31, claimOf(1, "b")],
      [62, claimOf(1, "c")],
    );
    expect([run.status, run.steps[0]?.status, run.steps[0]?.lastError]).toEqual([
      "completed",
      "failed",
      "every worker that ran the step was lost",
    ]);
  });
});

const gate: fc.Arbitrary<PhaseGate> = fc.oneof(
  fc.constant<PhaseGate>({ kind: "steps" }),
  fc.constant<PhaseGate>({ kind: "manual" }),
  fc.constant<PhaseGate>({ kind: "after", seconds: 40 }),
  fc.record({
    kind: fc.constant("trigger" as const),
    trigger: fc.constant("champ.end"),
    count: fc.integer({ min: 1, max: 2 }),
    where: fc.constant([]),
    timeoutSeconds: fc.constant(50),
    onTimeout: fc.constantFrom("advance" as const, "pause" as const),
  }),
);

const someSteps = fc.array(
  fc.record({
    onFailure: fc.constantFrom(...failureReactions),
    confirm: fc.boolean(),
    offsetSeconds: fc.constantFrom(0, 30),
    triesAllowed: fc.integer({ min: 1, max: 2 }),
  }),
  { maxLength: 3 },
);

const ending: fc.Arbitrary<AttemptResult> = fc.oneof(
  fc.constant(succeeded),
  fc.constant<AttemptResult>({ kind: "parked", reason: "to be confirmed" }),
  fc.constant<AttemptResult>({ kind: "waiting", seconds: 20 }),
  fc
    .record({
      mayRetry: fc.boolean(),
      isUnknown: fc.boolean(),
      cause: fc.constantFrom("failed", "refused", "budget"),
    })
    .map(failed),
);

/**
 * A step by its number, and the worker that acts on it. The worker may have lost the step's lease.
 */
const chosen = { step: fc.nat(8), worker: fc.nat(2) };

const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant("claim" as const), ...chosen }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant("settle" as const), ending, ...chosen }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("sleep" as const), s: fc.nat(70) }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constantFrom("pause", "resume", "advance", "cancel", "look") }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("hit" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constantFrom("confirm", "skip", "retry"), ...chosen }),
  },
);
type MachineInput = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** The attempt that a worker believes it holds, by step id. */
type Memory = Map<number, number>;

function triggerOf(done: MachineInput, run: RunState, workers: readonly Memory[]): RunInput | null {
  const stepId = "step" in done ? (done.step % Math.max(1, run.steps.length)) + 1 : 0;
  const owner = "worker" in done ? `w${done.worker}` : "";
  switch (done.does) {
    case "claim":
      return { kind: "claim", stepId, owner, leaseMs };
    case "settle": {
      const attempt = workers[done.worker]?.get(stepId) ?? 0;
      return { kind: "settle", stepId, owner, attempt, ending: done.ending };
    }
    case "sleep":
      return null;
    case "hit":
      return { kind: "hit", hits: run.hits + 1, lastHit: { n: run.hits } };
    default:
      return { kind: done.does, stepId };
  }
}

type Rules = Readonly<Record<string, boolean>>;

const broken = (rules: Rules): string[] =>
  Object.keys(rules).filter((name) => rules[name] === false);

function brokenBy(
  before: RunState,
  trigger: RunInput,
  { run, log }: RunChange,
  now: Date,
): string[] {
  const isMoved = run.status !== before.status || run.phase !== before.phase;
  return [
    ...broken({
      "finished is final": !isRunFinished(before) || run.status === before.status,
      "the end stays": !isRunFinished(before) || run.endedAt === before.endedAt,
      "each transition has its line": !isMoved || log.length > 0,
      "no phase comes again": (run.phase ?? -1) >= (before.phase ?? -1),
      "a finished run has its end": (run.endedAt === null) === !isRunFinished(run),
    }),
    ...run.steps.flatMap((step, index) =>
      brokenOf(before, before.steps[index] as StepState, step, log),
    ),
    ...(run.status === "running" ? brokenProgress(run, trigger, now) : []),
  ];
}

function brokenOf(
  run: RunState,
  before: StepState,
  step: StepState,
  log: RunChange["log"],
): string[] {
  const isGiven = step.attempts !== before.attempts;
  const isSettled = hasStepEnded(step) && isLeased(before);
  const lines = log.filter(({ stepId }) => stepId === step.id).map(({ kind }) => kind);
  return broken({
    "a ready step is due": step.status !== "ready" || step.dueAt !== null,
    "an ended step has its end": (step.finishedAt !== null) === hasStepEnded(step),
    "a lease has an owner": (step.leaseOwner === null) === (step.leaseUntil === null),
    "a parked step says why": (step.parkedFor !== null) === isStepParked(step),
    "attempts go up by one": !isGiven || step.attempts === before.attempts + 1,
    "a step begins in a running run alone": !isGiven || run.status === "running",
    "a step begins in its phase alone": !isGiven || step.phase === run.phase,
    "a begun step has its line": !isGiven || lines.includes("step.started"),
    "a settled step has its line": !isSettled || lines.length > 0,
  });
}

/** Requires a running run to have a step that continues or a gate that is still closed. */
function brokenProgress(run: RunState, trigger: RunInput, now: Date): string[] {
  const present = listCurrentPhaseSteps(run);
  if (!present.every(hasStepEnded)) {
    return broken({
      "a step goes on": present.some(({ status }) => status === "ready" || status === "running"),
    });
  }
  const waited = run.phases[run.phase ?? 0]?.gate as PhaseGate;
  const isLate = run.gateDueAt !== null && run.gateDueAt <= now;
  return broken({
    "a phase without a gate ends with its steps": waited.kind !== "steps",
    "a gate opens for its events": waited.kind !== "trigger" || run.hits < waited.count,
    "a gate opens at its time": trigger.kind !== "look" || !isLate,
  });
}

/** Requires that a step's result is accepted only from the worker that holds the step. */
function brokenFence(
  run: RunState,
  trigger: RunInput,
  decided: RunChange | TransitionRefusal,
): string[] {
  if (trigger.kind !== "settle") return [];
  const step = run.steps[trigger.stepId - 1];
  const isHeld =
    step !== undefined &&
    isLeased(step) &&
    step.leaseOwner === trigger.owner &&
    step.attempts === trigger.attempt;
  return broken({ "who lost a lease settles nothing": isTransitionRefusal(decided) === !isHeld });
}

/** Applies all inputs. @returns the names of the rules that were violated */
function findBrokenRules(first: RunState, happenings: readonly MachineInput[]): string[] {
  let now = began;
  let run = applyInputs(first, [0, { kind: "start" }]);
  const workers: Memory[] = [new Map(), new Map(), new Map()];
  const found: string[] = [];
  for (const done of happenings) {
    now = new Date(now.valueOf() + ("s" in done ? done.s : 1) * 1_000);
    const trigger = triggerOf(done, run, workers);
    if (!trigger) continue;
    const decided = applyTransition(run, trigger, now);
    found.push(...brokenFence(run, trigger, decided));
    if (isTransitionRefusal(decided)) continue;
    found.push(...brokenBy(run, trigger, decided, now));
    run = decided.run;
    if (trigger.kind !== "claim" || !("worker" in done)) continue;
    workers[done.worker]?.set(trigger.stepId, run.steps[trigger.stepId - 1]?.attempts ?? 0);
  }
  return found;
}

describe("a run with inputs in any order", () => {
  const phases = fc.array(fc.record({ gate, steps: someSteps }), { minLength: 1, maxLength: 3 });

  it("breaks no rule of the state machine", () => {
    const property = fc.property(
      phases,
      fc.array(happening, { maxLength: 80 }),
      (given, happenings) => {
        expect(findBrokenRules(runOf(given), happenings)).toEqual([]);
      },
    );
    expect(fc.check(property, { numRuns: 5_000 })).toMatchObject({
      failed: false,
      counterexample: null,
    });
  });
});

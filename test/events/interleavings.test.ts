import * as fc from "fast-check";
import { col, fn, Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import { type ClaimedStep, claimStep } from "../../shared/events/engine/claim-step.ts";
import { countGateEvents } from "../../shared/events/engine/count-triggers.ts";
import { findDueSteps } from "../../shared/events/engine/due.ts";
import { runAttempt, recordAttempt, runStep } from "../../shared/events/engine/run-step.ts";
import { sweepRuns } from "../../shared/events/engine/sweeper.ts";
import type { AttemptResult } from "../../shared/events/machine/settle.ts";
import { emitTriggers } from "../../shared/facts/emit-triggers.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { query } from "../support/database/query.ts";
import { runOf, stepRow } from "../support/factories/events.ts";
import { loseAnswer } from "../support/plugin/over-sidecar.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

/** The number of sequences to test. `npm run test:interleavings` sets a much higher number. */
const numRuns = Number(process.env["INTERLEAVINGS"] ?? 3);
vi.setConfig({ testTimeout: 60_000 + numRuns * 5_000, hookTimeout: 60_000 + numRuns * 5_000 });

let shard: LinkedShard;
let admin: SignedIn;
/** The ids of two events with the same concurrency key. */
let eventIds: number[];
beforeAll(async () => {
  shard = await startLinkedShard();
  admin = await signIn(shard.server, { role: "admin" });
  const caps = { actionId: "shard.broadcast", enabled: true, caps: { broadcasts: 4 } };
  await post("PUT /admin/events/actions", caps);
  eventIds = [await published("One"), await published("Other")];
});
afterAll(() => shard.stop());

/** Sends a request. @returns the answer's body, or null if the run's state forbids it */
async function post<T>(route: string, body: object = {}): Promise<T | null> {
  const answered = await shard.as(admin, route, { body });
  if (answered.status === 409) return null;
  if (answered.status >= 300) throw new Error(answered.text);
  return answered.body as T;
}

const say = (key: string, more: object = {}) => ({
  key,
  actionId: "shard.broadcast",
  params: { text: key },
  maxAttempts: 2,
  ...more,
});

async function published(title: string): Promise<number> {
  const awaited = { kind: "trigger", trigger: "champ.end", count: 2 };
  const phases = [
    {
      key: "first",
      title,
      steps: [say("a", { onFailure: "park" }), say("b", { confirm: true }), say("c")],
      advance: awaited,
    },
    { key: "second", title, steps: [say("d", { onFailure: "pause" }), say("e")] },
  ];
  const spec = { title, concurrencyKey: "arena", spec: { phases } };
  const made = await post<{ event: { id: number } }>("POST /admin/events", spec);
  const id = made?.event.id ?? 0;
  await post(`POST /admin/events/${id}/publish`);
  return id;
}

type Status = "scheduled" | "running" | "paused" | "completed" | "cancelled" | "failed" | "missed";

interface SeenRun {
  readonly id: number;
  readonly status: Status;
  readonly endedAt: Date | null;
  readonly lines: number;
}

/** The state of the runs as the test last observed it. */
interface Model {
  runs: Map<number, SeenRun>;
  /** The number of the last attempt, by step id. */
  readonly attempts: Map<number, number>;
}

/** A step that a simulated worker has claimed. Another worker may have claimed the step later. */
interface HeldStep {
  readonly claimed: ClaimedStep;
  readonly ending?: AttemptResult;
}
interface RealState {
  readonly runIds: readonly number[];
  readonly workers: (HeldStep | null)[];
}

const isOver = (status: Status): boolean => !["scheduled", "running", "paused"].includes(status);

async function read(runIds: readonly number[]): Promise<SeenRun[]> {
  const { EventLogLine, EventRun } = shard.server.context.models;
  const runs = await EventRun.findAll({ where: { id: [...runIds] }, raw: true });
  const counted = await EventLogLine.count({ where: { runId: [...runIds] }, group: ["runId"] });
  const lines = new Map(counted.map(({ runId, count }) => [runId, count]));
  return runs.map(({ id, status, endedAt }) => ({
    id,
    status,
    endedAt,
    lines: lines.get(id) ?? 0,
  }));
}

/** Returns the names of the rules that a run violates after a command. */
function brokenBy(before: SeenRun, run: SeenRun): string[] {
  const isMoved = run.status !== before.status;
  const hasNewEnd = String(run.endedAt) !== String(before.endedAt);
  return [
    ...(isOver(before.status) && (isMoved || hasNewEnd) ? ["finished is final"] : []),
    ...(isMoved && run.lines <= before.lines ? ["each transition has its line"] : []),
  ];
}

async function observe(model: Model, { runIds }: RealState): Promise<void> {
  const runs = await read(runIds);
  expect(runs.flatMap((run) => brokenBy(model.runs.get(run.id) ?? run, run))).toEqual([]);
  const inSlot = runs.filter(({ status }) => status === "running" || status === "paused");
  expect(inSlot.length).toBeLessThanOrEqual(1);
  const overspent = await query(
    shard.server,
    `select from event_budgets budget where spent > cap or spent <> (
       select coalesce(sum(amount), 0) from event_spends spend
       join event_steps step on step.id = spend.step_id
       where step.run_id = budget.run_id and spend.dimension = budget.dimension)`,
  );
  expect(overspent).toEqual([]);
  expectOnce();
  model.runs = new Map(runs.map((run) => [run.id, run]));
}

function effects(): Map<string, number> {
  const counted = new Map<string, number>();
  for (const { key, carriedOut } of shard.simulator.received.commands) {
    if (carriedOut && key) counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  return counted;
}

const expectOnce = (): void =>
  expect([...effects()].filter(([, times]) => times !== 1)).toEqual([]);

type Step = fc.AsyncCommand<Model, RealState>;

const command = (
  name: string,
  work: (model: Model, real: RealState) => Promise<unknown>,
): Step => ({
  check: () => true,
  run: async (model, real) => {
    await work(model, real);
    await observe(model, real);
  },
  toString: () => name,
});

/** Returns true unless another worker has claimed the step later. */
function holds(model: Model, { claimed }: HeldStep): boolean {
  return model.attempts.get(claimed.step.id) === claimed.attempt;
}

function noteClaim(model: Model, claimed: ClaimedStep): void {
  const { step, attempt } = claimed;
  expect(attempt).toBe((model.attempts.get(step.id) ?? 0) + 1);
  model.attempts.set(step.id, attempt);
}

const signal = new AbortController().signal;

const claims = (worker: number, pick: number): Step =>
  command(`worker ${worker} claims`, async (model, { workers }) => {
    const { context } = shard.server;
    const due = await findDueSteps(context.sequelize, 20);
    const stepId = due[pick % Math.max(1, due.length)];
    const claimed = stepId === undefined ? null : await claimStep(stepId, context);
    if (!claimed) return;
    // A step may start only while its run is running.
    expect(model.runs.get(claimed.step.runId)?.status).toBe("running");
    noteClaim(model, claimed);
    workers[worker] = { claimed };
  });

const acts = (worker: number): Step =>
  command(`worker ${worker} acts`, async (model, { workers }) => {
    const held = workers[worker];
    if (!held || held.ending) return;
    const ending = await runAttempt(held.claimed, shard.server.context, signal);
    if (ending) expect(holds(model, held)).toBe(true);
    workers[worker] = ending && { ...held, ending };
  });

const settles = (worker: number, goesOn: boolean): Step =>
  command(`worker ${worker} settles${goesOn ? " and goes on" : ""}`, async (model, real) => {
    const held = real.workers[worker];
    if (!held?.ending) return;
    const { claimed, ending } = held;
    const isHeld = holds(model, held);
    const before = await stepRow(shard.server, claimed.step.id);
    const within = { context: shard.server.context, mayGoOn: () => goesOn };
    const next = await recordAttempt(claimed, ending, within);
    // A worker that has lost its step to another claim must not write anything.
    if (!isHeld) expect(await stepRow(shard.server, claimed.step.id)).toEqual(before);
    if (next) noteClaim(model, next);
    real.workers[worker] = next && { claimed: next };
  });

const dies = (worker: number): Step =>
  command(`worker ${worker} dies`, async (_, { workers }) => {
    workers[worker] = null;
  });

/** Lets all leases expire and makes all waiting steps due. */
async function timePasses(): Promise<void> {
  const { EventStep } = shard.server.context.models;
  const open = { status: ["ready", "running"] };
  const leased = { ...open, leaseUntil: { [Op.not]: null } };
  await EventStep.update({ leaseUntil: clockNowPlus(-1_000) }, { where: leased });
  await EventStep.update({ dueAt: fn("least", col("due_at"), clockNow()) }, { where: open });
}

const passes = (): Step => command("time passes", timePasses);

const controls = ["pause", "resume", "advance", "cancel"] as const;
const decisions = ["confirm", "skip", "retry"] as const;

const controlled = (verb: (typeof controls)[number], pick: number): Step =>
  command(verb, async (_, { runIds }) =>
    post(`POST /admin/events/runs/${runIds[pick % runIds.length]}/${verb}`),
  );

const parked = { status: "running", leaseOwner: null } as const;

const decided = (verb: (typeof decisions)[number], pick: number): Step =>
  command(`${verb} ${pick}`, async (_, { runIds }) => {
    const steps = await shard.server.context.models.EventStep.findAll({
      where: { runId: [...runIds], [Op.or]: [{ status: "failed" }, parked] },
      order: ["id"],
    });
    const step = steps[pick % Math.max(1, steps.length)];
    if (step) await post(`POST /admin/events/runs/${step.runId}/steps/${step.id}/${verb}`);
  });

const hitsOf = () =>
  shard.server.context.models.EventTriggerHit.findAll({ order: ["runId", "at"], raw: true });

let emittedCount = 0;
/** Reports the same event twice, as a game does after a lost buffer. */
const emitsTwice = (): Step =>
  command("the shard tells", async () => {
    const number = ++emittedCount;
    const { context } = shard.server;
    const told = {
      trigger: "champ.end",
      eventKey: `told ${number}`,
      t: Date.now(),
      variables: { id: "0x40000001", outcome: "defeated" },
    };
    await inTransaction(context.sequelize, (within) =>
      emitTriggers([told, told], { source: "shard", within, context }),
    );
    await countGateEvents(shard.server.context);
    const hits = await hitsOf();
    const { EventNews, EventRun } = shard.server.context.models;
    await EventRun.update({ heard: {} }, { where: { listensFor: { [Op.not]: null } } });
    await EventNews.update({ t: 0 }, { where: { eventKey: { [Op.ne]: `told ${number}` } } });
    await countGateEvents(shard.server.context);
    expect(await hitsOf()).toEqual(hits);
  });

const fails = (kind: "lose" | "refuse"): Step =>
  command(`the next answer: ${kind}`, async () => {
    const path = "/v1/broadcast";
    if (kind === "lose") loseAnswer(shard.simulator, { method: "POST", path });
    else shard.simulator.faults.trigger("status", { path, status: 404, code: "NOT_FOUND" });
  });

const worker = fc.nat(2);
const commands = fc.commands<Model, RealState, false>(
  [
    fc.tuple(worker, fc.nat(5)).map(([who, pick]) => claims(who, pick)),
    fc.tuple(worker, fc.nat(5)).map(([who, pick]) => claims(who, pick)),
    worker.map(acts),
    worker.map(acts),
    fc.tuple(worker, fc.boolean()).map(([who, goesOn]) => settles(who, goesOn)),
    fc.tuple(worker, fc.boolean()).map(([who, goesOn]) => settles(who, goesOn)),
    worker.map(dies),
    fc.constant(passes()),
    fc.constant(command("a sweep", () => sweepRuns(shard.server.context))),
    fc.tuple(fc.constantFrom(...controls), fc.nat(1)).map(([verb, pick]) => controlled(verb, pick)),
    fc.tuple(fc.constantFrom(...decisions), fc.nat(4)).map(([verb, pick]) => decided(verb, pick)),
    fc.tuple(fc.constantFrom(...decisions), fc.nat(4)).map(([verb, pick]) => decided(verb, pick)),
    fc.constant(emitsTwice()),
    fc.constantFrom("lose" as const, "refuse" as const).map(fails),
  ],
  { maxCommands: 60, size: "max" },
);

const unfinishedSteps = ["pending", "ready", "running"];

/** Drops all workers and answers all waiting steps, so that every run must end. */
async function drain(model: Model, real: RealState): Promise<void> {
  const { context } = shard.server;
  const { EventStep } = context.models;
  real.workers.fill(null);
  for (let round = 0; round < 40; round++) {
    await sweepRuns(context);
    await timePasses();
    for (const stepId of await findDueSteps(context.sequelize, 20)) {
      await runStep(stepId, context, signal);
    }
    await observe(model, real);
    const unfinished = [...model.runs.values()].filter(({ status }) => !isOver(status));
    if (unfinished.length === 0) return;
    for (const { id, status } of unfinished) {
      if (status === "paused") await post(`POST /admin/events/runs/${id}/resume`);
      for (const step of await EventStep.findAll({ where: { runId: id, ...parked } })) {
        await post(`POST /admin/events/runs/${id}/steps/${step.id}/confirm`);
      }
      const { listensFor, currentPhase } = await runOf(shard.server, id);
      if (listensFor === null) continue;
      const undone = { runId: id, phase: currentPhase ?? "", status: unfinishedSteps };
      const waits = (await EventStep.count({ where: undone })) === 0;
      if (waits) await post(`POST /admin/events/runs/${id}/advance`);
    }
  }
  throw new Error(`stuck: ${JSON.stringify([...model.runs.values()])}`);
}

/** Requires complete logs, and an effect for each succeeded step. */
async function expectConsistent({ runIds }: RealState): Promise<void> {
  const { EventLogLine, EventRun, EventStep } = shard.server.context.models;
  const where = { runId: [...runIds] };
  const steps = await EventStep.findAll({ where, raw: true });
  const lines = await EventLogLine.findAll({ where, raw: true });
  const timesSaid = (of: number, said: string) =>
    lines.filter(({ stepId, kind }) => stepId === of && kind === said).length;
  const wrong = steps.filter(
    ({ id, status, attempts }) =>
      unfinishedSteps.includes(status) || attempts !== timesSaid(id, "step.started"),
  );
  expect(wrong).toEqual([]);
  const runs = await EventRun.findAll({ where: { id: [...runIds] }, raw: true });
  expect(runs).toHaveLength(runIds.length);
  const unsaid = runs.filter(
    ({ id, status }) => !lines.some(({ runId, kind }) => runId === id && kind === status),
  );
  expect(unsaid).toEqual([]);
  const done = steps.filter(({ id }) => timesSaid(id, "step.succeeded") > 0);
  const counted = effects();
  expect(done.filter(({ idempotencyKey }) => counted.get(idempotencyKey) !== 1)).toEqual([]);
}

/** Runs the commands on two runs with the same concurrency key, and then ends both runs. */
async function runCommands(all: Iterable<Step>): Promise<void> {
  shard.simulator.faults.clear();
  const made = await Promise.all(
    eventIds.map((id) => post<{ run: { id: number } }>(`POST /admin/events/${id}/runs`)),
  );
  const real: RealState = {
    runIds: made.map((one) => one?.run.id ?? 0),
    workers: [null, null, null],
  };
  const model: Model = { runs: new Map(), attempts: new Map() };
  await sweepRuns(shard.server.context);
  await observe(model, real);
  try {
    await fc.asyncModelRun(() => ({ model, real }), all);
  } finally {
    await drain(model, real);
  }
  await expectConsistent(real);
  expect([...model.runs.values()].filter(({ status }) => !isOver(status))).toEqual([]);
}

describe("event runs under any order of actions by workers, people and the shard", () => {
  it("ignore a worker that wakes after its lease ended", async () => {
    const sleeps = [claims(0, 0), acts(0), passes(), claims(1, 0)];
    const wakes = [
      [settles(0, true), acts(1), settles(1, true)],
      [acts(1), settles(0, true), settles(1, true)],
      [acts(1), settles(1, true), settles(0, true)],
    ];
    for (const wake of wakes) {
      await runCommands([...sleeps, ...wake]);
      expect(effects().size).toBeGreaterThan(0);
    }
  });

  it("stay consistent with a model of runs and steps, and every run ends", async () => {
    const property = fc.asyncProperty(commands, (all) => runCommands(all));
    const checked = await fc.check(property, { numRuns, endOnFailure: numRuns < 50 });
    expect(fc.defaultReportMessage(checked) ?? "").toBe("");
  });
});

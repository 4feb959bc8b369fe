import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import { type LockedRun, lockRun } from "../../shared/events/engine/lock-run.ts";
import { runStep } from "../../shared/events/engine/run-step.ts";
import { applyRunInput as applyToRun } from "../../shared/events/engine/write-run.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import {
  changeRun,
  changeStep,
  changeStepsOf,
  runOf,
  stepRow,
} from "../support/factories/events.ts";
import { statusAndBodyOf } from "../support/http/call.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { attemptFirstStep } from "./attempts.ts";
import { confirm, type RunDetailAnswer, buildBroadcastStep, EventTestSite } from "./stage.ts";

let stage: EventTestSite;
beforeAll(async () => {
  stage = await EventTestSite.start();
});
afterAll(() => stage.stop());

const signal = new AbortController().signal;
const statusesOf = ({ steps }: RunDetailAnswer) => steps.map(({ status }) => status);
const control = (runId: number, verb: string) =>
  stage.ask<{ phase?: string | null }>(`POST /admin/events/runs/${runId}/${verb}`);
const decide = (runId: number, stepId: number, verb: string) =>
  stage.as(stage.admin, `POST /admin/events/runs/${runId}/steps/${stepId}/${verb}`);
/** Returns the time this many milliseconds before a moment. @throws if the moment is null */
function before(moment: Date | null, ms: number): Date {
  if (!moment) throw new Error("there is no such moment");
  return new Date(moment.getTime() - ms);
}
const refused = (message: string) => [
  409,
  { errors: [{ path: "/status", code: "state", message }] },
];
const refuseOnce = () =>
  stage.shard.simulator.faults.trigger("status", {
    path: "/v1/broadcast",
    status: 404,
    code: "NOT_FOUND",
  });
const linesOf = async (runId: number, kind: string) => {
  const { log } = await stage.ask<{ log: { kind: string; detail: object }[] }>(
    `GET /admin/events/runs/${runId}/log`,
  );
  return log.filter((line) => line.kind === kind).map(({ detail }) => detail);
};

interface StartedAttempt {
  readonly runId: number;
  /** Records the result of the attempt, as the worker does at its end. */
  readonly settle: () => Promise<unknown>;
}

/**
 * Starts a run of two phases and makes an attempt at its first step. The caller records the result.
 */
async function startAttempt(
  first: object = {},
  others: readonly object[] = [buildBroadcastStep("b")],
): Promise<StartedAttempt> {
  const phases = [
    { key: "one", title: "One", steps: keyed("a", [buildBroadcastStep("a", first), ...others]) },
    { key: "two", title: "Two", steps: keyed("z", [confirm]) },
  ];
  const runId = await stage.startEvent(await stage.publishEvent([], { spec: { phases } }));
  return { runId, settle: await attemptFirstStep(stage, runId) };
}

const keyed = (name: string, steps: readonly object[]): object[] =>
  steps.map((step, place) => ({ key: `${name}${place}`, ...step }));

describe("a step that is executing while its run is paused", () => {
  it("ends and is recorded, and the next step begins once the run is resumed", async () => {
    const { runId, settle } = await startAttempt();
    await control(runId, "pause");
    await settle();
    await stage.runDueSteps();
    const paused = await stage.read(runId);
    expect([paused.run.status, statusesOf(paused)]).toEqual([
      "paused",
      ["succeeded", "pending", "pending"],
    ]);
    await control(runId, "resume");
    await stage.runDueSteps();
    expect(statusesOf(await stage.read(runId))).toEqual(["succeeded", "succeeded", "running"]);
  });

  it("is retried once the run is resumed, and not before", async () => {
    stage.shard.simulator.faults.trigger("limit", { times: 1 });
    const { runId, settle } = await startAttempt();
    await control(runId, "pause");
    await settle();
    await changeStepsOf(stage.shard.server, runId, { dueAt: clockNowPlus(-1_000) });
    await stage.runDueSteps();
    const paused = await stage.read(runId);
    expect([paused.run.status, paused.run.health, statusesOf(paused)]).toEqual([
      "paused",
      "ok",
      ["ready", "pending", "pending"],
    ]);
    await control(runId, "resume");
    const { EventStep } = stage.shard.server.context.models;
    await EventStep.update({ dueAt: clockNow() }, { where: { runId, status: "ready" } });
    await stage.runDueSteps();
    const { steps } = await stage.read(runId);
    expect(steps.map(({ status, attempts }) => [status, attempts])).toEqual([
      ["succeeded", 2],
      ["succeeded", 1],
      ["running", 1],
    ]);
  });
});

describe("the result of an attempt that arrives while its run is being changed", () => {
  it.each([
    ["pause", "paused", ["succeeded", "pending", "pending"]],
    ["skip", "running", ["succeeded", "skipped", "running"]],
    ["cancel", "cancelled", ["succeeded", "cancelled", "cancelled"]],
  ] as const)(
    "is recorded after the change and does not undo it: %s",
    async (kind, status, expected) => {
      const { server } = stage.shard;
      const { runId, settle } = await startAttempt();
      const stepId = (await stage.read(runId)).steps[1]?.id ?? 0;
      let settled: Promise<unknown> | undefined;
      await inTransaction(server.context.sequelize, async (transaction) => {
        const locked = (await lockRun(runId, transaction)) as LockedRun;
        await applyToRun(locked, { kind, stepId }, transaction, server.context);
        settled = settle();
        await waitUntilLockWaits(server);
      });
      await settled;
      const { run, steps } = await stage.read(runId);
      expect([run.status, steps.map((step) => step.status)]).toEqual([status, expected]);
      expect(stage.commandsOf(steps[1]!)).toEqual([]);
    },
  );

  it("does not overwrite a step that a process of an earlier release changed without locking the run", async () => {
    const { runId, settle } = await startAttempt();
    const next = (await stage.read(runId)).steps[1]!;
    await changeStep(stage.shard.server, next.id, { status: "skipped" });
    await settle();
    const after = await stage.read(runId);
    expect(statusesOf(after)).toEqual(["succeeded", "skipped", "running"]);
    expect(after.steps.map(({ attempts }) => attempts)).toEqual([1, 0, 1]);
    expect(stage.commandsOf(next)).toEqual([]);
  });
});

describe("a step that is executing while its run is advanced", () => {
  /**
   * Advances the run to its next phase during an attempt, and then records the result of the
   * attempt.
   */
  async function passed(first?: object): Promise<RunDetailAnswer & { readonly runId: number }> {
    const { runId, settle } = await startAttempt(first);
    await control(runId, "advance");
    await settle();
    await stage.runDueSteps();
    return { runId, ...(await stage.read(runId)) };
  }

  it("ends and is recorded, and does not move the run", async () => {
    const { runId, settle } = await startAttempt();
    expect((await control(runId, "advance")).phase).toBe("two");
    expect(statusesOf(await stage.read(runId))).toEqual(["running", "skipped", "ready"]);
    await stage.runDueSteps();
    await settle();
    await stage.runDueSteps();
    const { run, steps } = await stage.read(runId);
    expect([run.status, run.currentPhase, steps.map(({ status }) => status)]).toEqual([
      "running",
      "two",
      ["succeeded", "skipped", "running"],
    ]);
  });

  it.each(["pause", "abort", "park"])(
    "does not pause or end the run if it fails, and waits for no person: %s",
    async (onFailure) => {
      refuseOnce();
      const { runId, run, steps } = await passed({ onFailure });
      expect([run.status, run.health, steps.map(({ status }) => status)]).toEqual([
        "running",
        "degraded",
        ["failed", "skipped", "running"],
      ]);
      expect(statusAndBodyOf(await decide(runId, steps[0]?.id ?? 0, "retry"))).toEqual(
        refused("the step is not in the current phase"),
      );
    },
  );

  it("is not retried, and can no longer be confirmed or skipped", async () => {
    stage.shard.simulator.faults.trigger("limit", { times: 1 });
    const { runId, steps } = await passed();
    expect(steps.map(({ status, attempts }) => [status, attempts])).toEqual([
      ["failed", 1],
      ["skipped", 0],
      ["running", 1],
    ]);
    for (const verb of ["confirm", "skip"]) {
      expect(statusAndBodyOf(await decide(runId, steps[0]?.id ?? 0, verb))).toEqual(
        refused("the step is not in the current phase"),
      );
    }
  });
});

describe("a run that was paused by a failure", () => {
  it("continues with the next step when it is resumed, and the failed step stays failed", async () => {
    refuseOnce();
    const steps = [buildBroadcastStep("a", { onFailure: "pause" }), buildBroadcastStep("b")];
    const runId = await stage.startEvent(await stage.publishEvent(steps));
    await stage.runDueSteps();
    expect((await stage.read(runId)).run.status).toBe("paused");
    await control(runId, "resume");
    await stage.runDueSteps();
    const { run, steps: done } = await stage.read(runId);
    expect([
      run.status,
      run.health,
      done.map(({ status, attempts }) => [status, attempts]),
    ]).toEqual([
      "completed",
      "degraded",
      [
        ["failed", 1],
        ["succeeded", 1],
      ],
    ]);
  });
});

describe("a run whose steps have not succeeded", () => {
  it("can be advanced past steps that failed, are ready or wait for a person", async () => {
    refuseOnce();
    const first = [buildBroadcastStep("a", { onFailure: "park" }), buildBroadcastStep("b")];
    const second = [buildBroadcastStep("c", { offsetSeconds: 3_600 }), buildBroadcastStep("d")];
    const phases = [
      { key: "one", title: "One", steps: keyed("a", first) },
      { key: "two", title: "Two", steps: keyed("b", second) },
    ];
    const runId = await stage.startEvent(await stage.publishEvent([], { spec: { phases } }));
    await stage.runDueSteps();
    expect(statusesOf(await stage.read(runId))).toEqual([
      "running",
      "pending",
      "pending",
      "pending",
    ]);
    await control(runId, "advance");
    expect(statusesOf(await stage.read(runId))).toEqual(["skipped", "skipped", "ready", "pending"]);
    expect((await control(runId, "advance")).phase).toBeNull();
    const { run, steps } = await stage.read(runId);
    expect([run.status, run.currentPhase, steps.map(({ status }) => status)]).toEqual([
      "completed",
      "two",
      ["skipped", "skipped", "skipped", "skipped"],
    ]);
  });
});

describe("a step with an unknown outcome", () => {
  /**
   * Runs a step whose outcome stays unknown. Dates the attempt back so far that the shard may have forgotten its
   * idempotency key.
   */
  async function forgotten(): Promise<{ runId: number; stepId: number }> {
    stage.shard.simulator.faults.trigger("cut", { method: "POST", path: "/v1/broadcast" });
    const runId = await stage.startEvent(await stage.publishEvent([buildBroadcastStep("Once")]));
    const [step] = (await stage.read(runId)).steps;
    const stepId = step?.id ?? 0;
    await runStep(stepId, stage.shard.server.context, signal);
    const { firstUnknownAt } = await stepRow(stage.shard.server, stepId);
    await changeStep(stage.shard.server, stepId, {
      dueAt: clockNow(),
      firstUnknownAt: before(firstUnknownAt, (20 * 60 + 1) * 60_000),
    });
    await stage.runDueSteps();
    return { runId, stepId };
  }

  it("waits for a person once its outcome has been unknown for twenty hours, and is not retried automatically", async () => {
    const { runId, stepId } = await forgotten();
    const { run, steps } = await stage.read(runId);
    expect([run.status, run.health, steps[0]?.parked, steps[0]?.attempts]).toEqual([
      "running",
      "ok",
      true,
      1,
    ]);
    expect(await linesOf(runId, "parked")).toEqual([{ reason: "outcome unknown" }]);
    expect((await decide(runId, stepId, "confirm")).status).toBe(200);
    const done = await stage.read(runId);
    expect([done.run.status, done.steps[0]?.status]).toEqual(["completed", "succeeded"]);
    expect(stage.commandsOf(done.steps[0]!)).toHaveLength(1);
  });

  it("is retried with the same key if a person requests the retry", async () => {
    const { runId, stepId } = await forgotten();
    expect((await decide(runId, stepId, "retry")).status).toBe(200);
    await stage.runDueSteps();
    const { run, steps } = await stage.read(runId);
    expect([run.status, steps[0]?.status, steps[0]?.attempts]).toEqual([
      "completed",
      "succeeded",
      2,
    ]);
    const sent = stage.commandsOf(steps[0]!);
    expect(sent.map(({ carriedOut }) => carriedOut)).toEqual([true, false]);
  });

  const cutOnce = () =>
    stage.shard.simulator.faults.trigger("cut", { method: "POST", path: "/v1/broadcast" });

  it.each([
    ["whose outcome is unknown", cutOnce, "parked"],
    ["that the shard refused", refuseOnce, "failed"],
  ])(
    "gets all its attempts again if a person retries it two days after this failure: %s",
    async (_, fail, stands) => {
      fail();
      const { server } = stage.shard;
      const step = buildBroadcastStep("Once", { onFailure: "pause" });
      const runId = await stage.startEvent(await stage.publishEvent([step]));
      const stepId = (await stage.read(runId)).steps[0]?.id ?? 0;
      await runStep(stepId, server.context, signal);
      const { startedAt, firstUnknownAt } = await stepRow(server, stepId);
      const twoDays = 2 * 24 * 3_600_000;
      await changeStep(server, stepId, {
        startedAt: before(startedAt, twoDays),
        ...(firstUnknownAt && {
          firstUnknownAt: before(firstUnknownAt, twoDays),
          dueAt: clockNow(),
        }),
      });
      await stage.runDueSteps();
      const [stood] = (await stage.read(runId)).steps;
      expect(stood?.parked ? "parked" : stood?.status).toBe(stands);
      cutOnce();
      expect((await decide(runId, stepId, "retry")).status).toBe(200);
      await runStep(stepId, server.context, signal);
      await changeStep(server, stepId, { dueAt: clockNow() });
      await stage.runDueSteps();
      const { run, steps } = await stage.read(runId);
      expect([run.status, steps[0]?.status, steps[0]?.attempts]).toEqual([
        "completed",
        "succeeded",
        3,
      ]);
    },
  );
});

describe("a step that waits for a person's confirmation", () => {
  it.each([
    ["a confirmation before its effect", buildBroadcastStep("x", { confirm: true }), 0],
    ["a confirmation as its action", confirm, 1],
  ])("cannot be retried because it has not failed: %s", async (_, step, attempts) => {
    const runId = await stage.startEvent(await stage.publishEvent([step]));
    await stage.runDueSteps();
    const [parked] = (await stage.read(runId)).steps;
    expect([parked?.parked, parked?.attempts]).toEqual([true, attempts]);
    expect(statusAndBodyOf(await decide(runId, parked?.id ?? 0, "retry"))).toEqual(
      refused("the step has not failed"),
    );
  });

  it("succeeds when a person confirms it after a failure, and nothing is sent again", async () => {
    refuseOnce();
    const runId = await stage.startEvent(
      await stage.publishEvent([buildBroadcastStep("x", { onFailure: "park" })]),
    );
    await stage.runDueSteps();
    const [parked] = (await stage.read(runId)).steps;
    expect((await decide(runId, parked?.id ?? 0, "confirm")).status).toBe(200);
    const { run, steps } = await stage.read(runId);
    expect([run.status, run.health, steps[0]?.status, steps[0]?.attempts]).toEqual([
      "completed",
      "ok",
      "succeeded",
      1,
    ]);
    expect(stage.commandsOf(steps[0]!)).toHaveLength(1);
  });
});

describe("a gate that times out", () => {
  it.each(["advance", "pause"])("records the timeout in the run's log: %s", async (onTimeout) => {
    const advance = { kind: "trigger", trigger: "champ.end", timeoutSeconds: 60, onTimeout };
    const phases = [
      { key: "one", title: "One", steps: [], advance },
      { key: "two", title: "Two", steps: keyed("z", [confirm]) },
    ];
    const runId = await stage.startEvent(await stage.publishEvent([], { spec: { phases } }));
    const { gateDueAt } = await runOf(stage.shard.server, runId);
    await changeRun(stage.shard.server, runId, { gateDueAt: before(gateDueAt, 61_000) });
    await stage.runDueSteps();
    const { run } = await stage.read(runId);
    const isOver = onTimeout === "advance";
    expect([run.status, run.currentPhase]).toEqual(isOver ? ["running", "two"] : ["paused", "one"]);
    const kinds = ["advanced", "paused"];
    expect(await Promise.all(kinds.map((kind) => linesOf(runId, kind)))).toEqual(
      isOver ? [[{ reason: "timeout" }], []] : [[], [{ reason: "timeout" }]],
    );
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { changeRun } from "../support/factories/events.ts";
import { type ApiAnswer, statusAndBodyOf } from "../support/http/call.ts";
import { attemptFirstStep } from "./attempts.ts";
import { confirm, type RunDetailAnswer, buildBroadcastStep, EventTestSite } from "./stage.ts";

let stage: EventTestSite;
beforeAll(async () => {
  stage = await EventTestSite.start();
});
afterAll(() => stage.stop());

const cancel = (runId: number): Promise<ApiAnswer> =>
  stage.as(stage.admin, `POST /admin/events/runs/${runId}/cancel`, { reason: "No more" });
const statusesOf = ({ steps }: RunDetailAnswer) => steps.map(({ status }) => status);
const linesOf = async (runId: number) => (await stage.kindsOf(runId)).slice(-1);
const activityOf = (runId: number) =>
  stage.shard
    .logged("event.run.cancelled")
    .then((lines) => lines.filter(({ target }) => target === `run ${runId}`));

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const later = buildBroadcastStep("Later", { offsetSeconds: 3_600 });

/**
 * Functions that create a run in a state.
 * @returns the run's id, and the states of its steps after a cancellation
 */
const states: Readonly<Record<string, () => Promise<readonly [number, readonly string[]]>>> = {
  scheduled: async () => {
    const eventId = await stage.publishEvent([buildBroadcastStep("x")]);
    return [await stage.startEvent(eventId, { scheduledFor: inAnHour() }), []];
  },
  "running, with a step that is not due yet": async () => [
    await stage.startEvent(await stage.publishEvent([later, later])),
    ["cancelled", "cancelled"],
  ],
  "running, with a parked step": async () => {
    const runId = await stage.startEvent(
      await stage.publishEvent([buildBroadcastStep("x"), confirm, later]),
    );
    await stage.runDueSteps();
    return [runId, ["succeeded", "cancelled", "cancelled"]];
  },
  "running, with a step that needs confirmation before its effect": async () => {
    const runId = await stage.startEvent(
      await stage.publishEvent([buildBroadcastStep("x", { confirm: true }), later]),
    );
    await stage.runDueSteps();
    return [runId, ["cancelled", "cancelled"]];
  },
  "running, with a gate that waits for an event": async () => {
    const advance = { kind: "trigger", trigger: "champ.end" };
    const phases = [
      { key: "one", title: "One", steps: [{ key: "s", ...buildBroadcastStep("x") }], advance },
    ];
    const runId = await stage.startEvent(await stage.publishEvent([], { spec: { phases } }));
    await stage.runDueSteps();
    return [runId, ["succeeded"]];
  },
  "paused by a person": async () => {
    const runId = await stage.startEvent(await stage.publishEvent([later, later]));
    await stage.ask(`POST /admin/events/runs/${runId}/pause`);
    return [runId, ["cancelled", "cancelled"]];
  },
  "paused by a failure": async () => {
    const gone = { status: 404, code: "NOT_FOUND", path: "/v1/broadcast" };
    stage.shard.simulator.faults.trigger("status", gone);
    const steps = [buildBroadcastStep("x", { onFailure: "pause" }), later];
    const runId = await stage.startEvent(await stage.publishEvent(steps));
    await stage.runDueSteps();
    return [runId, ["failed", "cancelled"]];
  },
};

const ended: Readonly<Record<string, () => Promise<number>>> = {
  completed: async () => {
    const runId = await stage.startEvent(await stage.publishEvent([buildBroadcastStep("x")]));
    await stage.runDueSteps();
    return runId;
  },
  cancelled: async () => {
    const runId = await stage.startEvent(await stage.publishEvent([later]));
    await stage.ask(`POST /admin/events/runs/${runId}/cancel`);
    return runId;
  },
  failed: async () => {
    const gone = { status: 404, code: "NOT_FOUND", path: "/v1/broadcast" };
    stage.shard.simulator.faults.trigger("status", gone);
    const runId = await stage.startEvent(
      await stage.publishEvent([buildBroadcastStep("x", { onFailure: "abort" })]),
    );
    await stage.runDueSteps();
    return runId;
  },
  missed: async () => {
    const eventId = await stage.publishEvent([buildBroadcastStep("x")], { graceSeconds: 60 });
    const runId = await stage.startEvent(eventId, { scheduledFor: inAnHour() });
    await changeRun(stage.shard.server, runId, { scheduledFor: clockNowPlus(-70_000) });
    await stage.runDueSteps();
    return runId;
  },
};

describe("the cancellation of a run", () => {
  it.each(Object.keys(states))(
    "ends the run at once and cancels its open steps: %s",
    async (state) => {
      const [runId, steps] = (await states[state]?.()) ?? [0, []];
      const before = statusesOf(await stage.read(runId));
      const answered = await cancel(runId);
      const after = await stage.read(runId);
      const open = steps.filter((status) => status === "cancelled").length;
      expect(before.filter((status) => status === "cancelled")).toEqual([]);
      expect(statusAndBodyOf(answered)).toEqual([200, { run: after.run, cancelledSteps: open }]);
      expect([after.run.status, statusesOf(after)]).toEqual(["cancelled", steps]);
      expect(await linesOf(runId)).toEqual(["cancelled"]);
      expect(await activityOf(runId)).toEqual([
        { actorId: stage.admin.userId, target: `run ${runId}`, detail: { reason: "No more" } },
      ]);
      await stage.runDueSteps();
      expect(await stage.read(runId)).toEqual(after);
    },
  );

  it.each(Object.keys(ended))(
    "answers 409 for a run that has ended, and changes nothing: %s",
    async (state) => {
      const runId = (await ended[state]?.()) ?? 0;
      const before = await stage.read(runId);
      const [lines, entries] = [await stage.kindsOf(runId), await activityOf(runId)];
      expect(before.run.status).toBe(state);
      const message = `a ${state} run cannot be cancelled`;
      expect(statusAndBodyOf(await cancel(runId))).toEqual([
        409,
        { errors: [{ path: "/status", code: "state", message }] },
      ]);
      expect(await stage.read(runId)).toEqual(before);
      expect([await stage.kindsOf(runId), await activityOf(runId)]).toEqual([lines, entries]);
    },
  );

  it("lets an executing step record its result, but the run stays canceled", async () => {
    const runId = await stage.startEvent(
      await stage.publishEvent([buildBroadcastStep("At work"), buildBroadcastStep("Never")]),
    );
    const settle = await attemptFirstStep(stage, runId);
    expect(statusAndBodyOf(await cancel(runId))).toMatchObject([200, { cancelledSteps: 1 }]);
    await settle();
    const { run, steps } = await stage.read(runId);
    expect([run.status, steps.map(({ status }) => status)]).toEqual([
      "cancelled",
      ["succeeded", "cancelled"],
    ]);
  });
});

describe("a step that aborts its run on failure", () => {
  it("ends the run as failed, and cancels the remaining steps of every phase", async () => {
    const gone = { status: 404, code: "NOT_FOUND", path: "/v1/broadcast" };
    stage.shard.simulator.faults.trigger("status", gone);
    const first = [
      { key: "a", ...buildBroadcastStep("x", { onFailure: "abort" }) },
      { key: "b", ...confirm },
    ];
    const phases = [
      { key: "one", title: "One", steps: first },
      { key: "two", title: "Two", steps: [{ key: "c", ...buildBroadcastStep("Never") }] },
    ];
    const runId = await stage.startEvent(await stage.publishEvent([], { spec: { phases } }));
    await stage.runDueSteps();
    const detail = await stage.read(runId);
    expect([detail.run.status, detail.run.health, statusesOf(detail)]).toEqual([
      "failed",
      "degraded",
      ["failed", "cancelled", "cancelled"],
    ]);
    expect((await stage.kindsOf(runId)).slice(-2)).toEqual(["step.failed", "failed"]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { StepSpending } from "../../models/events/event-spend.ts";
import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import { findAction } from "../../shared/events/actions/catalogue.ts";
import {
  authorizeAttempt,
  AttemptRefusedError,
} from "../../shared/events/engine/authorize-attempt.ts";
import { type ClaimedStep, claimStep } from "../../shared/events/engine/claim-step.ts";
import { runStep } from "../../shared/events/engine/run-step.ts";
import { changeStepsOf } from "../support/factories/events.ts";
import { buildBroadcastStep, EventTestSite } from "./stage.ts";

let stage: EventTestSite;
beforeAll(async () => {
  stage = await EventTestSite.start();
});
afterAll(() => stage.stop());

const signal = new AbortController().signal;
const texts = (count: number) =>
  Array.from({ length: count }, (_, place) => buildBroadcastStep(`No. ${place}`));

/**
 * Starts a run under a cap and then removes the cap. The run keeps the cap with which it started.
 */
async function capped(cap: number, steps: readonly object[]): Promise<number> {
  await stage.enable("shard.broadcast", true, { broadcasts: cap });
  const runId = await stage.startEvent(await stage.publishEvent(steps));
  await stage.enable("shard.broadcast", true, {});
  return runId;
}

async function spends(runId: number): Promise<StepSpending[]> {
  const { EventSpend: Spend, EventStep } = stage.shard.server.context.models;
  const steps = await EventStep.findAll({ where: { runId } });
  return Spend.findAll({ where: { stepId: steps.map(({ id }) => id) }, order: ["stepId"] });
}

describe("a run's budget", () => {
  it("is never exceeded by simultaneous steps of the run", async () => {
    const cap = 3;
    const runId = await capped(cap, texts(8));
    const { context } = stage.shard.server;
    const [first] = (await stage.read(runId)).steps;
    const claimed = (await claimStep(first?.id ?? 0, context)) as ClaimedStep;
    // The engine runs the steps of a phase one by one. Mark all of them as running, so that they can use the
    // budget concurrently.
    await changeStepsOf(stage.shard.server, runId, {
      status: "running",
      attempts: 1,
      leaseOwner: claimed.owner,
      leaseUntil: clockNowPlus(3_600_000),
    });
    const { steps } = await stage.read(runId);
    const action = findAction("shard.broadcast");
    if (!action) throw new Error("there is no such action");
    const ask = ({ id }: { id: number }) =>
      authorizeAttempt({ ...claimed, step: { ...claimed.step, id } }, action, context).then(
        () => "admitted",
        (error: unknown) => (error instanceof AttemptRefusedError ? error.reason : String(error)),
      );
    const answers = await Promise.all([...steps, ...steps].map(ask));
    const { budget } = await stage.read(runId);
    expect(budget[0]?.spent).toBe(cap);
    const spent = await spends(runId);
    expect(spent.map(({ amount }) => amount)).toEqual([1, 1, 1]);
    // A step that has used the budget is admitted again, because a retry uses no more of it. The other steps are
    // refused.
    const may = new Set(spent.map(({ stepId }) => stepId));
    expect(answers).toEqual(
      [...steps, ...steps].map(({ id }) => (may.has(id) ? "admitted" : "budget")),
    );
    await stage.ask(`POST /admin/events/runs/${runId}/cancel`);
  });

  it("is separate for each run, even if several runs spend at once", async () => {
    const caps = [0, 1, 2, 3, 4, 5, 2, 3];
    const runs = [];
    for (const cap of caps) runs.push(await capped(cap, texts(4)));
    const { context } = stage.shard.server;
    const worked = runs.map(async (runId) => {
      const [first] = (await stage.read(runId)).steps;
      await runStep(first?.id ?? 0, context, signal);
    });
    await Promise.all(worked);
    await stage.runDueSteps();
    for (const [place, runId] of runs.entries()) {
      const reach = Math.min(caps[place] ?? 0, 4);
      const { run, steps, budget } = await stage.read(runId);
      expect([run.status, budget[0]?.spent]).toEqual(["completed", reach]);
      expect(steps.map(({ status }) => status)).toEqual(
        steps.map((_, at) => (at < reach ? "succeeded" : "failed")),
      );
      const done = steps.flatMap((step) => stage.commandsOf(step));
      expect(done.filter(({ carriedOut }) => carriedOut)).toHaveLength(reach);
    }
  });

  it("is charged once for a step that is retried", async () => {
    const runId = await capped(1, [buildBroadcastStep("Again")]);
    stage.shard.simulator.faults.trigger("cut", { method: "POST", path: "/v1/broadcast" });
    const { context } = stage.shard.server;
    const [step] = (await stage.read(runId)).steps;
    await runStep(step?.id ?? 0, context, signal);
    await changeStepsOf(stage.shard.server, runId, { dueAt: clockNow() });
    await stage.runDueSteps();
    const { run, steps, budget } = await stage.read(runId);
    expect([run.status, run.health, steps[0]?.attempts, budget[0]?.spent]).toEqual([
      "completed",
      "ok",
      2,
      1,
    ]);
  });
});

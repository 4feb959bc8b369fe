import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import { claimStep } from "../../shared/events/engine/claim-step.ts";
import { runStep } from "../../shared/events/engine/run-step.ts";
import { sweepRuns } from "../../shared/events/engine/sweeper.ts";
import { EventSweeper } from "../../shared/events/engine/sweeper.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { forgetJobs } from "../support/database/forget-jobs.ts";
import { changeStep, stepRow } from "../support/factories/events.ts";
import { overSidecar } from "../support/plugin/over-sidecar.ts";
import { startTestWorker } from "../support/service/worker.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

/** A shard whose calls time out only after the longest budget of a step. */
let shard: LinkedShard;
let admin: SignedIn;
beforeAll(async () => {
  shard = await startLinkedShard({ server: { shard: { connectMs: 1_000, callMs: 300_000 } } });
  admin = await signIn(shard.server, { role: "admin" });
});
// Clear the faults: a fault that an abandoned attempt did not use would affect the next call.
afterEach(() => shard.simulator.faults.clear());
afterAll(() => shard.stop());

async function ask<T>(route: string, body?: object): Promise<T> {
  const answered = await shard.as(admin, route, body && { body });
  if (answered.status >= 300) throw new Error(answered.text);
  return answered.body as T;
}

interface Step {
  readonly id: number;
  readonly status: string;
  readonly attempts: number;
  readonly idempotencyKey: string;
  readonly lastError: string | null;
}
interface Detail {
  readonly run: { readonly status: string; readonly health: string };
  readonly steps: readonly Step[];
}

const read = (runId: number) => ask<Detail>(`GET /admin/events/runs/${runId}`);
const kindsOf = async (runId: number) =>
  (await ask<{ log: { kind: string }[] }>(`GET /admin/events/runs/${runId}/log`)).log.map(
    ({ kind }) => kind,
  );

let count = 0;

interface StartedRun {
  readonly runId: number;
  readonly step: Step;
}

/** Starts a run with these steps. @returns the run, and its first step */
async function startEvent(...steps: readonly object[]): Promise<StartedRun> {
  const keyed = steps.map((step, place) => ({
    key: `s${place}`,
    actionId: "shard.broadcast",
    params: { text: `No. ${place}` },
    ...step,
  }));
  const spec = { phases: [{ key: "one", title: "One", steps: keyed }] };
  const title = `Long ${++count}`;
  const { event } = await ask<{ event: { id: number } }>("POST /admin/events", { title, spec });
  await ask(`POST /admin/events/${event.id}/publish`);
  const { run } = await ask<{ run: { id: number } }>(`POST /admin/events/${event.id}/runs`, {});
  await sweepRuns(shard.server.context);
  const [step] = (await read(run.id)).steps as [Step];
  return { runId: run.id, step };
}

const leaseOf = async (stepId: number) => {
  const { leaseOwner, leaseUntil, attempts } = await stepRow(shard.server, stepId);
  return { owner: leaseOwner, until: leaseUntil, attempts };
};

const commandsOf = ({ idempotencyKey }: Step) =>
  shard.simulator.received.commands.filter(({ key }) => key === idempotencyKey);

const signal = new AbortController().signal;

/**
 * Makes a first attempt whose budget ends before the answer, although the shard executes the
 * command. On a busy machine the command may arrive after the budget has ended. Then the budget is
 * doubled and the attempt repeated.
 */
async function timeOutAfterEffect(
  budgetMs = 1_000,
): Promise<StartedRun & { readonly budgetMs: number }> {
  const { runId, step } = await startEvent({ budgetMs, maxAttempts: 2 });
  const hang = { method: "POST", path: "/v1/broadcast", carryOut: true };
  shard.simulator.faults.trigger("hang", hang);
  await runStep(step.id, shard.server.context, signal);
  if (commandsOf(step).some(({ carriedOut }) => carriedOut)) return { runId, step, budgetMs };
  shard.simulator.faults.clear();
  return timeOutAfterEffect(budgetMs * 2);
}

describe("a long step", () => {
  it("stays with its worker, which renews the lease, and cannot be claimed by another", async () => {
    const { context } = shard.server;
    const { runId, step } = await startEvent({ budgetMs: 600_000 });
    shard.simulator.faults.trigger("freeze", { ms: 600_000, patienceMs: 600_000 });
    const worked = runStep(step.id, context, signal);
    await waitUntil("it is taken", async () => (await leaseOf(step.id)).owner !== null);
    const first = await leaseOf(step.id);
    await waitUntil(
      "it is renewed",
      async () => Number((await leaseOf(step.id)).until) > Number(first.until),
    );
    expect(await leaseOf(step.id)).toEqual({ ...first, until: expect.any(Date) });
    expect(await claimStep(step.id, context)).toBeNull();
    shard.simulator.game.thaw();
    await worked;
    const { run, steps } = await read(runId);
    expect([run.status, steps[0]?.status, steps[0]?.attempts]).toEqual([
      "completed",
      "succeeded",
      1,
    ]);
    expect(commandsOf(step).map(({ carriedOut }) => carriedOut)).toEqual([true]);
  });

  it("ends its attempt without a result if another worker takes the lease", async () => {
    const { context } = shard.server;
    const { runId, step } = await startEvent({ budgetMs: 600_000 });
    shard.simulator.faults.trigger("hang", { method: "POST", path: "/v1/broadcast" });
    const worked = runStep(step.id, context, signal);
    await waitUntil("it is taken", async () => (await leaseOf(step.id)).owner !== null);
    await changeStep(shard.server, step.id, {
      leaseOwner: "e0b2a7a2-7a38-4f9a-9a44-8a1c2b3d4e5f",
      attempts: 2,
      leaseUntil: clockNowPlus(3_600_000),
    });
    const before = await stepRow(shard.server, step.id);
    // The worker abandons its attempt at once, and does not wait for minutes.
    await worked;
    expect(await stepRow(shard.server, step.id)).toEqual(before);
    expect(await kindsOf(runId)).toEqual(["created", "started", "phase", "step.started"]);
  });

  it(
    "fails an attempt that exceeds `budgetMs`, and is retried with the same key",
    overSidecar,
    async () => {
      const { context } = shard.server;
      const { runId, step, budgetMs } = await timeOutAfterEffect();
      const [failed] = (await read(runId)).steps as [Step];
      expect([failed.status, failed.attempts, failed.lastError]).toEqual([
        "ready",
        1,
        `the step took longer than ${budgetMs} ms`,
      ]);
      await changeStep(shard.server, step.id, { dueAt: clockNow(), budgetMs: 600_000 });
      await runStep(step.id, context, signal);
      const { run, steps } = await read(runId);
      expect([run.status, run.health, steps[0]?.attempts]).toEqual(["completed", "ok", 2]);
      expect(commandsOf(step).map(({ carriedOut }) => carriedOut)).toEqual([true, false]);
    },
  );

  it("fails if every attempt exceeds its `budgetMs`", async () => {
    const { context } = shard.server;
    const { runId, step } = await startEvent({
      budgetMs: 1_000,
      maxAttempts: 1,
      onFailure: "abort",
    });
    shard.simulator.faults.trigger("hang", { method: "POST", path: "/v1/broadcast" });
    await runStep(step.id, context, signal);
    const { run, steps } = await read(runId);
    expect([run.status, run.health, steps[0]?.status, steps[0]?.lastError]).toEqual([
      "failed",
      "degraded",
      "failed",
      "the step took longer than 1000 ms",
    ]);
  });

  it.each([
    [999, 400],
    [1_000, 201],
    [600_000, 201],
    [600_001, 400],
  ])(
    "may have a budget of one second to ten minutes: %s ms answers %s",
    async (budgetMs, status) => {
      const step = { key: "s", actionId: "shard.broadcast", params: { text: "x" }, budgetMs };
      const spec = { phases: [{ key: "one", title: "One", steps: [step] }] };
      const body = { title: `Budget ${budgetMs}`, spec };
      const answered = await shard.as(admin, "POST /admin/events", { body });
      expect(answered.status).toBe(status);
      if (status === 201) return;
      expect(answered.body).toEqual({
        errors: [
          {
            path: "/spec/phases/0/steps/0/budgetMs",
            code: expect.any(String),
            message: expect.any(String),
          },
        ],
      });
    },
  );
});

describe("a loss of job queue entries", () => {
  const forget = () => forgetJobs(shard.server, "event.%");

  it("does not lose a step, and each due step is executed once", async () => {
    const waits = { actionId: "core.wait", params: { seconds: 1 } };
    const { runId, step } = await startEvent({ offsetSeconds: 1 }, waits, {});
    await forget();
    const worker = await startTestWorker(shard.server, ["events"]);
    const sweeper = new EventSweeper(shard.server.context);
    sweeper.start();
    await waitUntil("its first step is done", async () => {
      const { steps } = await read(runId);
      return steps[0]?.status === "succeeded";
    });
    await forget();
    await waitUntil("it ends", async () => (await read(runId)).run.status === "completed");
    await sweeper.stop();
    await worker.stop();
    const { steps } = await read(runId);
    expect(steps.map(({ status, attempts }) => [status, attempts])).toEqual([
      ["succeeded", 1],
      ["succeeded", 1],
      ["succeeded", 1],
    ]);
    expect(commandsOf(step)).toHaveLength(1);
    expect(commandsOf(steps[2] as Step)).toHaveLength(1);
  });
});

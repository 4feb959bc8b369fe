import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { release } from "../../migrations/release.ts";
import { clockNowPlus } from "../../models/queries/clock.ts";
import { type ClaimedStep, claimStep } from "../../shared/events/engine/claim-step.ts";
import { findDueGates, findDueSteps } from "../../shared/events/engine/due.ts";
import { runAttempt, recordAttempt } from "../../shared/events/engine/run-step.ts";
import { sweepRuns } from "../../shared/events/engine/sweeper.ts";
import { EventSweeper } from "../../shared/events/engine/sweeper.ts";
import type { AttemptResult } from "../../shared/events/machine/settle.ts";
import { emitTriggers } from "../../shared/facts/emit-triggers.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { createPgBoss } from "../../shared/platform/queue/queue.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { changeRun, changeStep, changeStepsOf } from "../support/factories/events.ts";
import { type ApiAnswer, callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

/** There is no worker in this file: the tests execute the steps. */
let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
});
afterAll(() => server.stop());

const as = async (route: string, body?: object): Promise<unknown> => {
  const answered: ApiAnswer = await callRoute(server, route, {
    headers: admin.headers,
    ...(body && { body }),
  });
  if (answered.status >= 300) throw new Error(answered.text);
  return answered.body;
};

let count = 0;

interface StartedRun {
  readonly runId: number;
  readonly stepId: number;
}

/** Starts an event of one phase. @returns the run, and its first step */
async function startEvent(steps: readonly object[], advance?: object): Promise<StartedRun> {
  const keyed = steps.map((step, place) => ({ key: `s${place}`, ...step }));
  const phase = { key: "one", title: "One", steps: keyed, ...(advance && { advance }) };
  const given = { title: `Sweeping ${++count}`, spec: { scope: "site", phases: [phase] } };
  const { event } = (await as("POST /admin/events", given)) as { event: { id: number } };
  await as(`POST /admin/events/${event.id}/publish`);
  const { run } = (await as(`POST /admin/events/${event.id}/runs`, {})) as { run: { id: number } };
  await sweepRuns(server.context);
  const { steps: written } = await read(run.id);
  return { runId: run.id, stepId: written[0]?.id ?? 0 };
}

interface Detail {
  readonly run: { readonly status: string };
  readonly steps: readonly { readonly id: number; readonly status: string }[];
}

const read = async (runId: number) => (await as(`GET /admin/events/runs/${runId}`)) as Detail;
const cancel = (runId: number) => as(`POST /admin/events/runs/${runId}/cancel`);

const wait = (seconds = 1) => ({ actionId: "core.wait", params: { seconds } });
const ask = { actionId: "core.confirm", params: {} };

/**
 * Claims a step and sets the end of its lease back, as if its worker had died this many seconds
 * ago.
 */
async function expireLease(stepId: number, secondsAgo: number): Promise<void> {
  expect(await claimStep(stepId, server.context)).toMatchObject({ attempt: 1 });
  await changeStep(server, stepId, { leaseUntil: clockNowPlus(-1_000 * secondsAgo) });
}

describe("steps of lost workers", () => {
  it("are claimed again even if many others wait in paused runs", async () => {
    const paused: StartedRun[] = [];
    for (let made = 0; made < 20; made++) {
      const { runId, stepId } = await startEvent([wait()]);
      paused.push({ runId, stepId });
      await expireLease(stepId, 60);
      await as(`POST /admin/events/runs/${runId}/pause`, {});
    }
    const lost = await startEvent([wait()]);
    await expireLease(lost.stepId, 1);
    expect(await findDueSteps(server.context.sequelize, 16)).toEqual([lost.stepId]);
    const sweeper = new EventSweeper(server.context);
    sweeper.start();
    await waitUntil("the run", async () => (await read(lost.runId)).run.status === "completed");
    // The sweeper also claims the step of a resumed run.
    const [first] = paused as [StartedRun];
    await as(`POST /admin/events/runs/${first.runId}/resume`, {});
    await waitUntil("it", async () => (await read(first.runId)).run.status === "completed");
    await sweeper.stop();
    for (const { runId } of paused.slice(1)) await cancel(runId);
  });

  it("are canceled if their run has ended", async () => {
    const { runId, stepId } = await startEvent([wait()]);
    await expireLease(stepId, 60);
    await as(`POST /admin/events/runs/${runId}/cancel`);
    expect(await findDueSteps(server.context.sequelize, 100)).toContain(stepId);
    expect(await claimStep(stepId, server.context)).toBeNull();
    expect((await read(runId)).steps[0]?.status).toBe("cancelled");
  });
});

describe("the queue of steps", () => {
  const queue = (verb: string) => as(`POST /admin/jobs/queues/event.step/${verb}`);
  const notice = { actionId: "site.push", params: { stream: "site.notice" } };

  it("starts no step while the queue is paused, neither a due step nor the step after it", async () => {
    const { context } = server;
    const { runId, stepId } = await startEvent([notice, ask]);
    const claimed = (await claimStep(stepId, context)) as ClaimedStep;
    const ending = (await runAttempt(claimed, context, AbortSignal.any([]))) as AttemptResult;
    await queue("pause");
    await recordAttempt(claimed, ending, { context, mayGoOn: () => true });
    const { steps } = await read(runId);
    expect(steps.map(({ status }) => status)).toEqual(["succeeded", "ready"]);
    expect(await findDueSteps(context.sequelize, 100)).toEqual([]);
    expect(await claimStep(steps[1]?.id ?? 0, context)).toBeNull();
    await queue("resume");
    expect(await findDueSteps(context.sequelize, 100)).toContain(steps[1]?.id);
    expect(await claimStep(steps[1]?.id ?? 0, context)).toMatchObject({ attempt: 1 });
    await cancel(runId);
  });
});

describe("the job of a step", () => {
  const waitingFor = async (stepId: number) =>
    (await jobsOf(server, "event.step", { stepId }))
      .filter(({ state }) => state === "created")
      .map(({ key, policy }) => ({ key, policy }));

  it("is queued once even if the step becomes due several times", async () => {
    const { runId, stepId } = await startEvent([{ ...wait(), offsetSeconds: 3_600 }]);
    for (let round = 0; round < 3; round++) {
      await as(`POST /admin/events/runs/${runId}/pause`);
      await as(`POST /admin/events/runs/${runId}/resume`);
    }
    expect(await waitingFor(stepId)).toEqual([{ key: String(stepId), policy: "short" }]);
    await cancel(runId);
  });

  it("is queued once even if an older release created the queue, and a sweep queues a step that lost its job", async () => {
    const { config, log } = server.context;
    const early = await startEvent([wait()]);
    expect(await waitingFor(early.stepId)).toHaveLength(1);
    const boss = createPgBoss(config, log);
    await boss.start();
    await boss.deleteQueue("event.step");
    await boss.createQueue("event.step", { policy: "standard", partition: true });
    await boss.stop({ graceful: false });
    await release(config, log);
    expect(await waitingFor(early.stepId)).toEqual([]);
    expect(await findDueSteps(server.context.sequelize, 100)).toContain(early.stepId);
    await cancel(early.runId);
    const { runId, stepId } = await startEvent([{ ...wait(), offsetSeconds: 3_600 }]);
    await as(`POST /admin/events/runs/${runId}/pause`);
    await as(`POST /admin/events/runs/${runId}/resume`);
    expect(await waitingFor(stepId)).toEqual([{ key: String(stepId), policy: "short" }]);
    await cancel(runId);
  });
});

describe("a gate whose time has passed", () => {
  it("is due only once every step of its phase has ended", async () => {
    const after = { kind: "after", seconds: 1 };
    const { runId } = await startEvent([ask], after);
    await changeRun(server, runId, { gateDueAt: clockNowPlus(-60_000) });
    expect(await findDueGates(server.context.sequelize, 200)).not.toContain(runId);
    await changeStepsOf(server, runId, { status: "skipped" });
    expect(await findDueGates(server.context.sequelize, 200)).toEqual([runId]);
    await sweepRuns(server.context);
    expect((await read(runId)).run.status).toBe("completed");
  });
});

describe("a run whose row is locked by a stalled transaction", () => {
  it("does not delay other runs, because the sweep skips its steps and its gate", async () => {
    const { context } = server;
    const listening = await startEvent([wait()], { kind: "trigger", trigger: "champ.end" });
    const held = await startEvent([wait()]);
    await inTransaction(context.sequelize, async (transaction) => {
      const where = { id: [listening.runId, held.runId] };
      const lock = transaction.LOCK.NO_KEY_UPDATE;
      await context.models.EventRun.findAll({ where, lock, transaction });
      await inTransaction(context.sequelize, emitEvent);
      // The sweep skips the run with the locked row, so another run can start and its step can be
      // claimed.
      const free = await startEvent([wait()]);
      expect(await claimStep(free.stepId, context)).toMatchObject({ attempt: 1 });
      expect(await claimStep(held.stepId, context)).toBeNull();
      await cancel(free.runId);
    });
    expect(await claimStep(held.stepId, context)).toMatchObject({ attempt: 1 });
    await sweepRuns(context);
    const heard = { where: { runId: listening.runId } };
    expect(await context.models.EventTriggerHit.count(heard)).toBe(1);
  });
});

const emitEvent = (within: Parameters<typeof emitTriggers>[1]["within"]) =>
  emitTriggers(
    [
      {
        trigger: "champ.end",
        eventKey: "one",
        t: Date.now(),
        variables: { id: "0x40001A2B", name: "Barracoon", outcome: "defeated" },
      },
    ],
    { source: "shard", within, context: server.context },
  );

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { sweepRuns } from "../../shared/events/engine/sweeper.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { confirm, EventTestSite } from "./stage.ts";

let stage: EventTestSite;
/** A second process of the same service. */
let other: TestServer;
beforeAll(async () => {
  stage = await EventTestSite.start();
  other = await startTestServer({ database: stage.shard.server.database });
});
afterAll(async () => {
  await other.stop();
  await stage.stop();
});

/** Runs four sweeps at once, in two processes. */
const sweepAtOnce = (): Promise<unknown> =>
  Promise.all(
    [stage.shard.server, other, stage.shard.server, other].map(({ context }) => sweepRuns(context)),
  );

interface Made {
  readonly id: number;
  readonly status: string;
  readonly starts: number;
  readonly steps: number;
}

async function readAll(runIds: readonly number[]): Promise<Made[]> {
  const { EventLogLine, EventRun, EventStep } = stage.shard.server.context.models;
  const runs = await EventRun.findAll({ where: { id: [...runIds] }, order: ["id"] });
  const made = runs.map(async ({ id, status }) => ({
    id,
    status,
    starts: await EventLogLine.count({ where: { runId: id, kind: "started" } }),
    steps: await EventStep.count({ where: { runId: id } }),
  }));
  return Promise.all(made);
}

/** Creates runs without starting them. */
async function create(eventIds: readonly number[]): Promise<number[]> {
  const made = eventIds.map((id) =>
    stage.ask<{ run: { id: number } }>(`POST /admin/events/${id}/runs`, {}),
  );
  return (await Promise.all(made)).map(({ run }) => run.id).toSorted((a, b) => a - b);
}

async function events(count: number, more: { concurrencyKey?: string } = {}): Promise<number[]> {
  const ids = [];
  for (let made = 0; made < count; made++) {
    ids.push(await stage.publishEvent([confirm, confirm], more));
  }
  return ids;
}

describe("runs that two processes start at once", () => {
  it("begin once each, and their steps are written once", async () => {
    const runIds = await create(await events(12));
    await sweepAtOnce();
    await sweepAtOnce();
    expect(await readAll(runIds)).toEqual(
      runIds.map((id) => ({ id, status: "running", starts: 1, steps: 2 })),
    );
    for (const id of runIds) await stage.ask(`POST /admin/events/runs/${id}/cancel`);
  });

  it("share one slot per concurrency key, and the next run begins only when the current one has ended", async () => {
    const runIds = await create(await events(6, { concurrencyKey: "the arena" }));
    const begun: number[] = [];
    while (begun.length < runIds.length) {
      await sweepAtOnce();
      const all = await readAll(runIds);
      const under = all.filter(({ status }) => status === "running");
      expect(under).toEqual([{ id: expect.any(Number), status: "running", starts: 1, steps: 2 }]);
      const id = under[0]?.id ?? 0;
      expect(begun).not.toContain(id);
      begun.push(id);
      // A paused run keeps its slot.
      await stage.ask(`POST /admin/events/runs/${id}/pause`);
      await sweepAtOnce();
      const paused = (await readAll(runIds)).filter(({ starts }) => starts > 0);
      expect(paused).toHaveLength(begun.length);
      await stage.ask(`POST /admin/events/runs/${id}/cancel`);
    }
    const ended = await readAll(runIds);
    expect(ended.map(({ status, starts }) => `${status} ${starts}`)).toEqual(
      runIds.map(() => "cancelled 1"),
    );
  });
});

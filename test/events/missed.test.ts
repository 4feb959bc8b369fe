import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { changeRun } from "../support/factories/events.ts";
import { pushesOf } from "../support/factories/push.ts";
import { activityOf } from "../support/factories/site.ts";
import { statusAndBodyOf } from "../support/http/call.ts";
import { confirm, buildBroadcastStep, EventTestSite } from "./stage.ts";

let stage: EventTestSite;
beforeAll(async () => {
  stage = await EventTestSite.start();
});
afterAll(() => stage.stop());

const graceSeconds = 600;
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

interface Given {
  readonly isVerified?: boolean;
  readonly spec?: object;
  readonly [field: string]: unknown;
}

/** Creates an event that is listed, and a run of it that is due in an hour. */
async function createRunInAnHour({ isVerified = true, ...given }: Given = {}) {
  const phases = [{ key: "one", title: "One", steps: [{ key: "s", ...buildBroadcastStep("x") }] }];
  const spec = { listed: true, phases };
  const eventId = await stage.publishEvent([], { spec, graceSeconds, ...given });
  if (isVerified) await stage.ask(`POST /admin/events/${eventId}/verify`, {});
  return { eventId, runId: await stage.startEvent(eventId, { scheduledFor: inAnHour() }) };
}

/** Sets the run's start to this many seconds ago. */
async function makeDue(runId: number, secondsAgo: number): Promise<void> {
  const scheduledFor = clockNowPlus(-1_000 * secondsAgo);
  await changeRun(stage.shard.server, runId, { scheduledFor });
  await stage.runDueSteps();
}

/** CATALOGUE of the reasons why a run is missed. Each entry creates such a run. */
const reasons: Readonly<Record<string, () => Promise<{ eventId: number; runId: number }>>> = {
  "no worker": () => createRunInAnHour(),
  "not verified": () => createRunInAnHour({ isVerified: false }),
  "slot taken": async () => {
    const concurrencyKey = "taken";
    await stage.startEvent(await stage.publishEvent([confirm], { concurrencyKey }));
    return createRunInAnHour({ concurrencyKey });
  },
};

/** Returns the public view of the event, and the log of the run and the messages about the run. */
async function readMessages({ eventId, runId }: { eventId: number; runId: number }) {
  const { event } = await stage.ask<{ event: { slug: string } }>(`GET /admin/events/${eventId}`);
  const shown = await stage.ask<{ runs: { id: number; status: string }[] }>(
    `GET /public/events/${event.slug}?run=${runId}`,
  );
  const { log } = await stage.ask<{ log: { kind: string; detail: object }[] }>(
    `GET /admin/events/runs/${runId}/log`,
  );
  const where = { targetType: "run", targetId: String(runId) };
  const activity = await activityOf(stage.shard.server, where, ["action"]);
  const pushes = await pushesOf(stage.shard.server, { ref: String(runId) }, ["stream"]);
  return {
    shown: shown.runs.map(({ status }) => status),
    log: log.map(({ kind, detail }) => (kind === "missed" ? [kind, detail] : [kind])),
    activity: activity.map(({ action }) => action),
    pushes,
  };
}

describe("a run that cannot begin in time", () => {
  it.each(Object.keys(reasons))(
    "is missed with the reason, and has no effect: %s",
    async (reason) => {
      const made = (await reasons[reason]?.()) ?? { eventId: 0, runId: 0 };
      await makeDue(made.runId, graceSeconds + 1);
      const { run, steps } = await stage.read(made.runId);
      expect([run.status, run.health, run.lastError, run.currentPhase, steps]).toEqual([
        "missed",
        "ok",
        reason,
        null,
        [],
      ]);
      expect(await readMessages(made)).toEqual({
        shown: ["cancelled"],
        log: [["created"], ["missed", { reason }]],
        activity: ["event.run.created"],
        pushes: [],
      });
      // Remove the cause. The run stays missed.
      await stage.ask(`POST /admin/events/${made.eventId}/verify`, {});
      await stage.runDueSteps();
      expect((await stage.read(made.runId)).run).toEqual(run);
      for (const verb of ["pause", "resume", "advance", "cancel"]) {
        const words =
          { pause: "paused", resume: "resumed", advance: "advanced" }[verb] ?? "cancelled";
        const route = `POST /admin/events/runs/${made.runId}/${verb}`;
        const message = `a missed run cannot be ${words}`;
        expect(statusAndBodyOf(await stage.as(stage.admin, route))).toEqual([
          409,
          { errors: [{ path: "/status", code: "state", message }] },
        ]);
      }
    },
  );

  it.each(["not verified", "slot taken"])(
    "waits during its grace period, and begins once the obstacle is gone: %s",
    async (reason) => {
      const made = (await reasons[reason]?.()) ?? { eventId: 0, runId: 0 };
      await makeDue(made.runId, graceSeconds - 60);
      expect((await stage.read(made.runId)).run).toMatchObject({
        status: "scheduled",
        lastError: null,
      });
      await stage.ask(`POST /admin/events/${made.eventId}/verify`, {});
      const { EventRun } = stage.shard.server.context.models;
      const where = { concurrencyKey: "taken", status: "running" } as const;
      const holders = await EventRun.findAll({ where });
      for (const { id } of holders) await stage.ask(`POST /admin/events/runs/${id}/cancel`);
      await stage.runDueSteps();
      expect((await stage.read(made.runId)).run).toMatchObject({
        status: "completed",
        health: "ok",
      });
    },
  );

  it("is missed at its time if its parameters do not fit the new version, with the reason", async () => {
    const phases = [
      { key: "one", title: "One", steps: [{ key: "s", ...buildBroadcastStep("{{boss}}") }] },
    ];
    const specOf = (type: string) => ({ params: [{ name: "boss", type }], phases });
    const eventId = await stage.publishEvent([], { spec: specOf("string"), graceSeconds });
    const given = { scheduledFor: inAnHour(), params: { boss: "Mephitis" } };
    const runId = await stage.startEvent(eventId, given);
    await stage.ask(`PUT /admin/events/${eventId}`, { spec: specOf("integer") });
    await stage.ask(`POST /admin/events/${eventId}/publish`);
    await stage.ask(`POST /admin/events/${eventId}/verify`, {});
    await stage.runDueSteps();
    expect((await stage.read(runId)).run.status).toBe("scheduled");
    await makeDue(runId, 0);
    const { run } = await stage.read(runId);
    expect([run.status, run.lastError]).toEqual(["missed", "boss must be a whole number"]);
    expect(await stage.kindsOf(runId)).toEqual(["created", "repinned", "missed"]);
  });

  it("begins within its grace period even if its worker comes late", async () => {
    const { runId } = await createRunInAnHour();
    await makeDue(runId, graceSeconds - 60);
    expect((await stage.read(runId)).run.status).toBe("completed");
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { signIn } from "../support/accounts/sign-in.ts";
import { runsOfEvent } from "../support/factories/events.ts";
import { changeUser, deleteUser } from "../support/factories/users.ts";
import { confirm, buildBroadcastStep, EventTestSite } from "./stage.ts";

let stage: EventTestSite;
beforeAll(async () => {
  stage = await EventTestSite.start();
});
afterAll(() => stage.stop());

const newUser = (role: "admin" | "editor") => signIn(stage.shard.server, { role });
const altar = () => {
  const [champion] = stage.shard.simulator.world.champions.values();
  return champion?.id ?? "";
};
const spawn = () => ({ actionId: "shard.champion.start", params: { id: altar() } });

describe("the starter of a run", () => {
  it("gives the run its rights, whoever wrote or published the event", async () => {
    await stage.enable("shard.champion.start", true);
    const author = await newUser("editor");
    const eventId = await stage.publishEvent([spawn()], { by: author });
    const runId = await stage.startEvent(eventId, {}, stage.admin);
    await deleteUser(stage.shard.server, author.userId);
    await stage.runDueSteps();
    const { run, steps } = await stage.read(runId);
    expect([run.status, run.health, run.startedBy]).toEqual([
      "completed",
      "ok",
      stage.admin.userId,
    ]);
    expect(stage.commandsOf(steps[0]!).map(({ actor }) => actor)).toEqual([
      { userId: stage.admin.userId, username: stage.admin.username, role: "admin" },
    ]);
    // An administrator wrote the event, and an editor starts it.
    const byEditor = await stage.startEvent(await stage.publishEvent([spawn()]), {}, stage.editor);
    await stage.runDueSteps();
    const refused = await stage.read(byEditor);
    expect([refused.run.status, refused.run.health, refused.steps[0]?.lastError]).toEqual([
      "paused",
      "degraded",
      "shard.champion.start needs a run that an administrator started",
    ]);
    expect(stage.commandsOf(refused.steps[0]!)).toEqual([]);
  });

  it("stays the same if another user confirms or retries a step, or resumes the run", async () => {
    const eventId = await stage.publishEvent([confirm, spawn(), spawn()]);
    const runId = await stage.startEvent(eventId, {}, stage.editor);
    await stage.runDueSteps();
    const [asked, spawned] = (await stage.read(runId)).steps;
    await stage.ask(`POST /admin/events/runs/${runId}/steps/${asked?.id}/confirm`);
    await stage.runDueSteps();
    await stage.ask(`POST /admin/events/runs/${runId}/steps/${spawned?.id}/retry`);
    await stage.runDueSteps();
    const statuses = async () => (await stage.read(runId)).steps.map(({ status }) => status);
    expect(await statuses()).toEqual(["succeeded", "failed", "pending"]);
    await stage.ask(`POST /admin/events/runs/${runId}/resume`);
    await stage.runDueSteps();
    const { run, steps } = await stage.read(runId);
    expect([run.status, run.startedBy]).toEqual(["paused", stage.editor.userId]);
    expect(await statuses()).toEqual(["succeeded", "failed", "failed"]);
    expect(steps.flatMap((step) => stage.commandsOf(step))).toEqual([]);
  });

  it("is the user who last published the event if the schedule created the run", async () => {
    const first = await newUser("admin");
    const second = await newUser("admin");
    const at = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 16);
    const schedule = { kind: "once", at };
    const phases = [
      { key: "one", title: "One", steps: [{ key: "s", ...buildBroadcastStep("x") }] },
    ];
    const spec = { schedule, phases };
    const given = { title: "Published by one", spec };
    const { event } = await stage.ask<{ event: { id: number } }>(
      "POST /admin/events",
      given,
      stage.editor,
    );
    const starters = async () =>
      (await runsOfEvent(stage.shard.server, event.id)).map(({ startedBy, isMaterialised }) => ({
        startedBy,
        isMade: isMaterialised,
      }));
    await stage.ask(`POST /admin/events/${event.id}/publish`, {}, first);
    const own = { scheduledFor: new Date(Date.now() + 86_400_000).toISOString() };
    await stage.startEvent(event.id, own, stage.editor);
    const byEditor = { startedBy: stage.editor.userId, isMade: false };
    expect(await starters()).toEqual([byEditor, { startedBy: first.userId, isMade: true }]);
    await stage.ask(`POST /admin/events/${event.id}/publish`, {}, second);
    expect(await starters()).toEqual([byEditor, { startedBy: second.userId, isMade: true }]);
  });

  it("has no more rights once they are demoted to player", async () => {
    const starter = await newUser("admin");
    const runId = await stage.startEvent(
      await stage.publishEvent([buildBroadcastStep("Too late")]),
      {},
      starter,
    );
    await changeUser(stage.shard.server, starter.userId, { role: "player" });
    await stage.runDueSteps();
    const { run, steps } = await stage.read(runId);
    expect([run.health, steps[0]?.status, stage.commandsOf(steps[0]!)]).toEqual([
      "degraded",
      "failed",
      [],
    ]);
    expect(await stage.kindsOf(runId)).toEqual([
      "created",
      "started",
      "phase",
      "step.started",
      "refused",
      "completed",
    ]);
  });
});

describe("a rehearsal", () => {
  const keyed = { concurrencyKey: "arena" };

  it("neither takes nor waits for the slot of its concurrency key", async () => {
    const first = await stage.startEvent(await stage.publishEvent([confirm], keyed));
    const rehearsals = [];
    for (let made = 0; made < 2; made++) {
      const eventId = await stage.publishEvent([confirm], keyed);
      rehearsals.push(await stage.startEvent(eventId, { rehearsal: true }));
    }
    const statusOf = async (runId: number) => (await stage.read(runId)).run.status;
    expect(await Promise.all([first, ...rehearsals].map(statusOf))).toEqual([
      "running",
      "running",
      "running",
    ]);
    const second = await stage.startEvent(await stage.publishEvent([confirm], keyed));
    expect(await statusOf(second)).toBe("scheduled");
    await stage.ask(`POST /admin/events/runs/${first}/cancel`);
    // The canceled run has released its slot. Rehearsals do not use slots.
    await stage.runDueSteps();
    expect(await Promise.all([second, ...rehearsals].map(statusOf))).toEqual([
      "running",
      "running",
      "running",
    ]);
    for (const runId of [second, ...rehearsals]) {
      await stage.ask(`POST /admin/events/runs/${runId}/cancel`);
    }
  });

  it("spends its own budget and not the budget of a real run, and uses no disabled action", async () => {
    await stage.enable("shard.broadcast", true, { broadcasts: 1 });
    const eventId = await stage.publishEvent([
      buildBroadcastStep("one"),
      buildBroadcastStep("two"),
    ]);
    const rehearsed = await stage.startEvent(eventId, { rehearsal: true });
    const real = await stage.startEvent(eventId);
    await stage.enable("shard.broadcast", true, {});
    await stage.runDueSteps();
    for (const runId of [rehearsed, real]) {
      const { run, steps, budget } = await stage.read(runId);
      expect([run.health, steps.map(({ status }) => status), budget[0]?.spent]).toEqual([
        "degraded",
        ["succeeded", "failed"],
        1,
      ]);
    }
    const off = await stage.startEvent(eventId, { rehearsal: true });
    await stage.enable("shard.broadcast", false);
    await stage.runDueSteps();
    expect((await stage.read(off)).steps[0]?.lastError).toBe("shard.broadcast is switched off");
    await stage.enable("shard.broadcast", true);
  });
});

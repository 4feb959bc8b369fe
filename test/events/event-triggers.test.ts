import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { readPlainRows } from "../../models/queries/plain-rows.ts";
import { countGateEvents } from "../../shared/events/engine/count-triggers.ts";
import { eventTriggers } from "../../shared/facts/event-triggers.ts";
import { confirm, buildBroadcastStep, EventTestSite } from "./stage.ts";

let stage: EventTestSite;
beforeAll(async () => {
  stage = await EventTestSite.start();
});
afterAll(() => stage.stop());

interface Given {
  readonly title: string;
  readonly listed?: boolean;
}

/**
 * Publishes an event with a phase that waits for a confirmation, an empty phase and a last phase.
 * @returns the event's id
 */
const feast = ({ title, listed = true }: Given): Promise<number> =>
  stage.publishEvent([], {
    title,
    spec: {
      scope: "site",
      listed,
      phases: [
        { key: "gather", title: "Gather", steps: [{ key: "meet", ...confirm }] },
        { key: "march", title: "March", steps: [] },
        { key: "fight", title: "Fight", steps: [{ key: "ask", ...confirm }] },
      ],
    },
  });

/**
 * Starts a run that waits for an event of another run. Its second phase broadcasts the variables of
 * that event.
 */
async function follower(scope: string, trigger: string, where: readonly object[] = []) {
  const advance = { kind: "trigger", trigger, where };
  const text = "{{title}}: {{slug}} {{runId}} {{eventUrl}}";
  const phases = [
    { key: "wait", title: "Wait", steps: [], advance },
    { key: "say", title: "Say", steps: [{ key: "say", ...buildBroadcastStep(text) }] },
  ];
  return stage.startEvent(await stage.publishEvent([], { spec: { scope, listed: true, phases } }));
}

async function confirmNext(runId: number): Promise<void> {
  await stage.runDueSteps();
  const { steps } = await stage.read(runId);
  const asked = steps.find(({ parked }) => parked);
  await stage.ask(`POST /admin/events/runs/${runId}/steps/${asked?.id}/confirm`);
  await stage.runDueSteps();
}

const newsOf = (runId: number) =>
  readPlainRows(stage.shard.server.context.models.EventNews, {
    where: { source: "site", variables: { runId } },
    columns: ["trigger", "eventKey", "variables"],
    computed: {},
    order: ["number"],
  });

const hear = () => countGateEvents(stage.shard.server.context);

const textOf = async (runId: number): Promise<unknown> => {
  await stage.runDueSteps();
  const { steps } = await stage.read(runId);
  return steps[0] && stage.commandsOf(steps[0]).map(({ body }) => body)[0];
};

describe("event triggers", () => {
  it("are emitted when a run begins, enters each phase and completes, with the URL of its page", async () => {
    const runId = await stage.startEvent(await feast({ title: "The Great Feast" }));
    await confirmNext(runId);
    await confirmNext(runId);
    const variables = {
      runId,
      title: "The Great Feast",
      slug: "the-great-feast",
      eventUrl: `http://localhost:3000/events/the-great-feast?run=${runId}`,
    };
    const phase = (key: string) => ({
      trigger: "event.phase.started",
      eventKey: `event.phase.started ${runId} ${key}`,
      variables: { ...variables, phase: key },
    });
    const moment = (trigger: string) => ({ trigger, eventKey: `${trigger} ${runId}`, variables });
    expect(await newsOf(runId)).toEqual([
      moment("event.started"),
      phase("gather"),
      phase("march"),
      phase("fight"),
      moment("event.completed"),
    ]);
  });

  it.each([
    ["event.started", "site", []],
    ["event.started", "shard", []],
    ["event.phase.started", "shard", [{ var: "phase", op: "eq", value: "fight" }]],
    ["event.completed", "shard", [{ var: "slug", op: "contains", value: "fair" }]],
  ])(
    "open a gate that waits for the trigger %s in the scope %s, and fill the templates of the next step",
    async (trigger, scope, where) => {
      const waits = await follower(scope, trigger, where);
      const title = `A fair for ${trigger} ${scope}`;
      const runId = await stage.startEvent(await feast({ title }));
      await confirmNext(runId);
      const opened = trigger === "event.completed" ? "wait" : "say";
      await hear();
      expect((await stage.read(waits)).run.currentPhase).toBe(opened);
      await confirmNext(runId);
      await hear();
      const slug = title.toLowerCase().replaceAll(/[ .]+/g, "-");
      expect(await textOf(waits)).toEqual({
        text: `${title}: ${slug} ${runId} http://localhost:3000/events/${slug}?run=${runId}`,
      });
    },
  );

  it("do not open a gate of the run that emits them", async () => {
    const waits = await follower("site", "event.started");
    await hear();
    expect((await stage.read(waits)).run.currentPhase).toBe("wait");
    await stage.startEvent(await feast({ title: "Another one" }));
    await hear();
    expect((await stage.read(waits)).run.currentPhase).toBe("say");
  });

  it("are not emitted for rehearsals, unlisted events and the cancellation of runs", async () => {
    const rehearsal = await stage.startEvent(await feast({ title: "Rehearsed" }), {
      rehearsal: true,
    });
    const hidden = await stage.startEvent(await feast({ title: "Hidden", listed: false }));
    const cancelled = await stage.startEvent(await feast({ title: "Cancelled" }));
    const before = await newsOf(cancelled);
    await stage.ask(`POST /admin/events/runs/${cancelled}/cancel`, { reason: "rain" });
    const told = await Promise.all([rehearsal, hidden].map(newsOf));
    expect([...told, await newsOf(cancelled)]).toEqual([[], [], before]);
  });

  it("have version 2 in the catalog, and all other triggers have version 1", async () => {
    const { triggers } = await stage.ask<{
      triggers: { id: string; version: number; variables: { name: string }[] }[];
    }>("GET /admin/events/catalog");
    const ids = new Set<string>(eventTriggers.map(({ id }) => id));
    const versions = triggers.map(({ id, version }) => [id, version]);
    expect(versions).toEqual(triggers.map(({ id }) => [id, ids.has(id) ? 2 : 1]));
    const ofEvents = triggers.filter(({ id }) => ids.has(id));
    expect(ofEvents.map(({ id }) => id)).toEqual([...ids]);
    for (const { variables } of ofEvents) {
      expect(variables.map(({ name }) => name)).toContain("eventUrl");
    }
  });
});

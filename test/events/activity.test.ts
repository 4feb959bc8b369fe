import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { activityOf } from "../support/factories/site.ts";
import { confirm, buildBroadcastStep, EventTestSite } from "./stage.ts";

let stage: EventTestSite;
beforeAll(async () => {
  stage = await EventTestSite.start();
});
afterAll(() => stage.stop());

const entries = () =>
  activityOf(stage.shard.server, {}, ["actorId", "action", "targetType", "targetId", "detail"]);

/** Returns the log entries that `work` added. Earlier entries, for example of sign-ins, are left out. */
async function since<T>(work: () => Promise<T>): Promise<{ done: T; written: unknown[] }> {
  const before = (await entries()).length;
  const done = await work();
  const written = (await entries())
    .slice(before)
    .map(({ actorId, action, targetType, targetId, detail }) => [
      actorId,
      action,
      `${targetType} ${targetId}`,
      detail,
    ]);
  return { done, written };
}

interface Made {
  readonly event: { readonly id: number };
  readonly series: { readonly id: number };
  readonly run: { readonly id: number };
}

describe("the activity log", () => {
  it("has one entry for each change under /admin/events, with the user, the action and the target", async () => {
    const { admin, editor } = stage;
    const steps = [
      { key: "ask", ...confirm },
      { key: "fails", ...buildBroadcastStep("x", { onFailure: "park" }) },
      { key: "last", ...buildBroadcastStep("y") },
    ];
    const phases = [
      { key: "one", title: "One", steps },
      { key: "two", title: "Two", steps: [], advance: { kind: "manual" } },
      { key: "three", title: "Three", steps: [], advance: { kind: "manual" } },
    ];
    const ids = { event: 0, series: 0, run: 0, ask: 0, fails: 0, last: 0 };
    const did = async (route: string, body?: object, who = admin): Promise<unknown> => {
      const { done, written } = await since(() => stage.ask<Made>(route, body, who));
      ids.event ||= done.event?.id ?? 0;
      ids.series ||= done.series?.id ?? 0;
      ids.run ||= done.run?.id ?? 0;
      return written;
    };
    const by = (who: { userId: number }, action: string, target: string, detail: object = {}) => [
      [who.userId, `event.${action}`, target, detail],
    ];

    expect(await did("POST /admin/events/series", { name: "Evenings" }, editor)).toEqual(
      by(editor, "series.created", `series ${ids.series}`),
    );
    const series = `series ${ids.series}`;
    const changed = { name: "Champion evenings" };
    expect(await did(`PUT /admin/events/series/${ids.series}`, changed)).toEqual(
      by(admin, "series.updated", series, { fields: ["name"] }),
    );
    const given = { title: "Logged", spec: { phases } };
    expect(await did("POST /admin/events", given, editor)).toEqual(
      by(editor, "definition.created", `event ${ids.event}`),
    );
    const event = `event ${ids.event}`;
    expect(await did(`PUT /admin/events/${ids.event}`, { summary: "All come" }, editor)).toEqual(
      by(editor, "definition.updated", event, { fields: ["summary"] }),
    );
    expect(await did(`POST /admin/events/${ids.event}/publish`)).toEqual(
      by(admin, "definition.published", event, { version: 1, repinned: 0 }),
    );
    expect(await did(`POST /admin/events/${ids.event}/verify`, {}, editor)).toEqual(
      by(editor, "definition.verified", event, { version: 1 }),
    );
    const setting = { actionId: "shard.broadcast", enabled: true, caps: { broadcasts: 9 } };
    expect(await did("PUT /admin/events/actions", setting)).toEqual(
      by(admin, "action.configured", "action shard.broadcast", {
        enabled: true,
        caps: { broadcasts: 9 },
      }),
    );
    const scheduledFor = null;
    expect(await did(`POST /admin/events/${ids.event}/runs`, {}, editor)).toEqual(
      by(editor, "run.created", `run ${ids.run}`, {
        definitionId: ids.event,
        scope: "shard",
        scheduledFor,
        rehearsal: false,
      }),
    );

    const gone = { status: 404, code: "NOT_FOUND", path: "/v1/broadcast" };
    stage.shard.simulator.faults.trigger("status", gone);
    await stage.runDueSteps();
    const [ask, fails, last] = (await stage.read(ids.run)).steps.map(({ id }) => id);
    const run = `run ${ids.run}`;
    const at = `POST /admin/events/runs/${ids.run}`;
    expect(await did(`${at}/pause`, { reason: "Wait" }, editor)).toEqual(
      by(editor, "run.paused", run, { reason: "Wait" }),
    );
    expect(await did(`${at}/resume`)).toEqual(by(admin, "run.resumed", run));
    expect(await did(`${at}/steps/${ask}/confirm`, { note: "All here" }, editor)).toEqual(
      by(editor, "step.confirmed", `step ${ask}`, { runId: ids.run, note: "All here" }),
    );
    await stage.runDueSteps();
    expect(await did(`${at}/steps/${fails}/retry`)).toEqual(
      by(admin, "step.retried", `step ${fails}`, { runId: ids.run }),
    );
    expect(await did(`${at}/steps/${last}/skip`, { reason: "Too late" })).toEqual(
      by(admin, "step.skipped", `step ${last}`, { runId: ids.run, reason: "Too late" }),
    );
    await stage.runDueSteps();
    expect(await did(`${at}/advance`, { reason: "On" }, editor)).toEqual(
      by(editor, "run.advanced", run, { reason: "On" }),
    );
    expect(await did(`${at}/cancel`)).toEqual(by(admin, "run.cancelled", run));
    expect(await did(`DELETE /admin/events/${ids.event}`)).toEqual(
      by(admin, "definition.archived", event, { cancelledRuns: 0 }),
    );
    expect(await did(`DELETE /admin/events/series/${ids.series}`)).toEqual(
      by(admin, "series.deleted", series, { slug: "evenings", detached: 0 }),
    );
  });

  it("has no entry for reads, rejected requests and requests that change nothing", async () => {
    const eventId = await stage.publishEvent([confirm]);
    const runId = await stage.startEvent(eventId);
    await stage.runDueSteps();
    const refused: readonly (readonly [route: string, status: number, body?: object])[] = [
      ["POST /admin/events", 400, { title: "" }],
      [`PUT /admin/events/${eventId}`, 400, { title: "" }],
      ["POST /admin/events/999999/publish", 404],
      ["PUT /admin/events/actions", 404, { actionId: "no.such", enabled: true }],
      ["POST /admin/events/series", 400, {}],
      [`POST /admin/events/${eventId}/runs`, 400, { params: { nobody: 1 } }],
      [`POST /admin/events/${eventId}/runs`, 200, {}],
      [`POST /admin/events/${eventId}/verify`, 200, { target: "draft" }],
      [`POST /admin/events/runs/${runId}/resume`, 409],
      ["GET /admin/events", 200],
      ["GET /admin/events/catalog", 200],
      ["GET /admin/events/actions", 200],
      ["GET /admin/events/runs", 200],
      [`GET /admin/events/runs/${runId}`, 200],
      [`GET /admin/events/runs/${runId}/log`, 200],
      [`GET /admin/events/${eventId}/versions`, 200],
    ];
    const { written } = await since(async () => {
      for (const [route, status, body] of refused) {
        const answered = await stage.as(stage.admin, route, body);
        expect([route, answered.status]).toEqual([route, status]);
      }
    });
    expect(written).toEqual([]);
  });
});

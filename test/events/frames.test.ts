import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { openStream } from "../support/http/event-stream.ts";
import { confirm, type Run, EventTestSite } from "./stage.ts";

let stage: EventTestSite;
beforeAll(async () => {
  stage = await EventTestSite.start();
});
afterAll(() => stage.stop());

/** The shortest time between two frames about one record. */
const leastMs = 100;

describe("a run that changes very often", () => {
  it("is streamed at most every 100 ms, and its last state is always streamed", async () => {
    const runId = await stage.startEvent(await stage.publishEvent([confirm]));
    await stage.runDueSteps();
    const { headers } = stage.admin;
    const stream = await openStream(`${stage.shard.server.url}/api/v1/admin/events/stream`, {
      headers,
    });
    await stream.waitFor(({ event }) => event === "hello");
    const from = performance.now();
    const notice = JSON.stringify({ runId, stepIds: [] });
    for (let change = 0; change < 300; change++) {
      await stage.rows("select pg_notify('event_changes', $1)", notice);
    }
    await stage.ask(`POST /admin/events/runs/${runId}/cancel`);
    const { run } = await stage.read(runId);
    const last = await stream.waitFor(
      ({ event, data }) => event === "event.run" && (data as Run).status === "cancelled",
    );
    // A timer may fire a millisecond or two early.
    const most = (performance.now() - from) / (leastMs - 2) + 1;
    stream.close();
    const told = stream.blocks.filter(({ event }) => event === "event.run");
    expect(last.data).toEqual(run);
    expect(told.length).toBeLessThanOrEqual(most);
    expect(told.length).toBeGreaterThan(0);
  });
});

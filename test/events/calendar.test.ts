import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { changeRun } from "../support/factories/events.ts";
import { confirm, EventTestSite } from "./stage.ts";

let stage: EventTestSite;
beforeAll(async () => {
  stage = await EventTestSite.start();
});
afterAll(() => stage.stop());

const dayMs = 86_400_000;
/**
 * Occurrences are at midnight. The horizon ends at the time of day of the test, so no occurrence
 * coincides with it.
 */
const midnight = Math.floor(Date.now() / dayMs) * dayMs;
const inDays = (days: number) => new Date(midnight + days * dayMs).toISOString();
const wallIn = (days: number) => inDays(days).slice(0, 16);

interface Entry {
  readonly runId: number | null;
  readonly definitionId: number;
  readonly scheduledFor: string;
  readonly status: string;
}

async function entriesOf(
  eventId: number,
  from: string,
  to: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Entry[]> {
  const search = new URLSearchParams({ from, to, ...more }).toString();
  const route = `GET /admin/events/calendar?${search}`;
  const { entries } = await stage.ask<{ entries: Entry[] }>(route);
  return entries.filter(({ definitionId }) => definitionId === eventId);
}

const phases = [{ key: "one", title: "One", steps: [{ key: "s", ...confirm }] }];
const daily = (fromDay: number) => ({
  schedule: { kind: "recurring", at: wallIn(fromDay), rrule: "FREQ=DAILY" },
  phases,
});

describe("the calendar of events", () => {
  it("contains, in order, the runs that begin at or after the first bound and before the second", async () => {
    const eventId = await stage.publishEvent([], { spec: daily(1) });
    const times = async (from: number, to: number) =>
      (await entriesOf(eventId, inDays(from), inDays(to))).map(({ scheduledFor }) => scheduledFor);
    expect(await times(2, 4)).toEqual([inDays(2), inDays(3)]);
    // The calendar continues beyond the horizon up to which runs are created.
    expect(await times(28, 34)).toEqual([28, 29, 30, 31, 32, 33].map(inDays));
    const offset = inDays(2).replace(".000Z", "+00:00");
    expect((await entriesOf(eventId, offset, inDays(3))).map((one) => one.scheduledFor)).toEqual([
      inDays(2),
    ]);
  });

  it("contains rehearsals and canceled runs, but no run without a scheduled time", async () => {
    const eventId = await stage.publishEvent([], { spec: { phases } });
    const given = (days: number, more: object = {}) => ({ scheduledFor: inDays(days), ...more });
    const started = await stage.startEvent(eventId);
    const kept = await stage.startEvent(eventId, given(2));
    const rehearsal = await stage.startEvent(eventId, given(3, { rehearsal: true }));
    const cancelled = await stage.startEvent(eventId, given(4));
    await stage.ask(`POST /admin/events/runs/${cancelled}/cancel`);
    const shown = async () =>
      (await entriesOf(eventId, inDays(-1), inDays(60))).map(({ runId, status }) => [
        runId,
        status,
      ]);
    expect(await shown()).toEqual([
      [kept, "scheduled"],
      [rehearsal, "scheduled"],
      [cancelled, "cancelled"],
    ]);
    expect((await stage.read(started)).run.status).toBe("running");
    await stage.ask(`DELETE /admin/events/${eventId}`);
    expect(await shown()).toEqual([
      [kept, "cancelled"],
      [rehearsal, "cancelled"],
      [cancelled, "cancelled"],
    ]);
  });

  it("contains an occurrence beyond the horizon once, even if a person created its run", async () => {
    const eventId = await stage.publishEvent([], { spec: daily(40) });
    const given = (days: number, more: object = {}) => ({ scheduledFor: inDays(days), ...more });
    const created = await stage.startEvent(eventId, given(40));
    const cancelled = await stage.startEvent(eventId, given(41));
    await stage.ask(`POST /admin/events/runs/${cancelled}/cancel`);
    const rehearsal = await stage.startEvent(eventId, given(42, { rehearsal: true }));
    const elsewhere = await stage.startEvent(eventId, given(43, { scope: "site" }));
    const withdrawn = await stage.startEvent(eventId, given(44));
    await changeRun(stage.shard.server, withdrawn, { status: "cancelled", isWithdrawn: true });
    const shown = async (more = {}) =>
      (await entriesOf(eventId, inDays(40), inDays(46), more)).map((entry) => [
        entry.scheduledFor,
        entry.runId,
        entry.status,
      ]);
    const projected = [42, 43, 44, 45].map((days) => [inDays(days), null, "projected"]);
    expect(await shown()).toEqual([
      [inDays(40), created, "scheduled"],
      [inDays(41), cancelled, "cancelled"],
      [inDays(42), rehearsal, "scheduled"],
      projected[0],
      [inDays(43), elsewhere, "scheduled"],
      projected[1],
      [inDays(44), withdrawn, "cancelled"],
      ...projected.slice(2),
    ]);
    expect(await shown({ status: "projected" })).toEqual(projected);
  });

  it("shows neither an unpublished schedule nor unpublished changes of a schedule", async () => {
    const given = { title: "A draft of the calendar", spec: daily(2) };
    const { event } = await stage.ask<{ event: { id: number } }>("POST /admin/events", given);
    expect(await entriesOf(event.id, inDays(0), inDays(60))).toEqual([]);
    await stage.ask(`POST /admin/events/${event.id}/publish`);
    const before = await entriesOf(event.id, inDays(0), inDays(60));
    await stage.ask(`PUT /admin/events/${event.id}`, { spec: daily(50) });
    expect(await entriesOf(event.id, inDays(0), inDays(60))).toEqual(before);
    expect(before).toHaveLength(58);
  });
});

describe("a published version", () => {
  it("can be verified after its event is archived, and the event stays archived", async () => {
    const eventId = await stage.publishEvent([confirm]);
    await stage.ask(`DELETE /admin/events/${eventId}`);
    expect(await stage.ask(`POST /admin/events/${eventId}/verify`, {})).toMatchObject({
      target: "published",
      version: 1,
      recorded: true,
      report: { ok: true },
    });
    expect(await stage.ask(`GET /admin/events/${eventId}`)).toMatchObject({
      event: { state: "archived", currentVersionVerifiedAt: expect.any(String) },
    });
  });
});

describe("the next time of an announced event", () => {
  it("is the time of a scheduled run, and not of a running, canceled or rehearsed run", async () => {
    const spec = { listed: true, phases };
    const eventId = await stage.publishEvent([], { spec, title: "The next one" });
    const next = async () =>
      (await stage.ask<{ event: { next: string | null } }>("GET /public/events/the-next-one")).event
        .next;
    await stage.startEvent(eventId);
    await stage.startEvent(eventId, { scheduledFor: inDays(2), rehearsal: true });
    const called = await stage.startEvent(eventId, { scheduledFor: inDays(3) });
    expect(await next()).toBe(inDays(3));
    await stage.ask(`POST /admin/events/runs/${called}/cancel`);
    expect(await next()).toBeNull();
    await stage.startEvent(eventId, { scheduledFor: inDays(4) });
    expect(await next()).toBe(inDays(4));
  });
});

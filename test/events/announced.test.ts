import ICAL from "ical.js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { clockNow } from "../../models/queries/clock.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { buildRun, buildStep, changeRun } from "../support/factories/events.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { buildOneStepSpec } from "./specs.ts";

let server: TestServer;
let admin: SignedIn;
let player: SignedIn;
beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  player = await signIn(server);
});
afterAll(() => server.stop());

const as = (route: string, body?: object, who = admin): Promise<ApiAnswer> =>
  callRoute(server, route, { headers: who.headers, ...(body && { body }) });
const read = (path: string): Promise<ApiAnswer> => callRoute(server, `GET ${path}`);
const anyId = expect.any(Number);

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Math.round(Date.now() / 1_000) * 1_000 + days * dayMs);
const wallIn = (days: number) => `${inDays(days).toISOString().slice(0, 10)}T20:00`;

/** A text that occurs only in fields that are not public. */
const canary = "CANARY-7f3a";

interface Made {
  readonly id: number;
  readonly slug: string;
}

async function published(title: string, spec: object = {}, body: object = {}): Promise<Made> {
  const made = await as("POST /admin/events", {
    title,
    spec: buildOneStepSpec(
      { key: "call", params: { text: `Hear ${canary}` } },
      { listed: true, ...spec },
    ),
    concurrencyKey: canary,
    ...body,
  });
  const { event } = made.body as { event: Made };
  const answered = await as(`POST /admin/events/${event.id}/publish`);
  if (answered.status !== 200) throw new Error(answered.text);
  return event;
}

const start = async (id: number, body: object = {}): Promise<number> => {
  const answered = await as(`POST /admin/events/${id}/runs`, body);
  return (answered.body as { run: { id: number } }).run.id;
};

const daily = { schedule: { kind: "recurring", at: wallIn(1), rrule: "FREQ=DAILY" } };

describe("GET /public/events/:slug", () => {
  it("shows an announced event as it was published, with its times", async () => {
    const { series } = (await as("POST /admin/events/series", { name: "Winter" })).body as {
      series: Made;
    };
    const said = {
      summary: "Short",
      body: "# Long",
      imageUrl: "https://example.org/x.png",
      seriesId: series.id,
    };
    const { id, slug } = await published("The feast", {}, said);
    const at = inDays(5);
    const runId = await start(id, { scheduledFor: at.toISOString() });
    await as(`PUT /admin/events/${id}`, { title: "Working title", summary: canary });
    const answered = await read(`/public/events/${slug}`);
    expect(statusAndBodyOf(answered)).toEqual([
      200,
      {
        event: {
          slug,
          title: "The feast",
          summary: "Short",
          body: "# Long",
          imageUrl: "https://example.org/x.png",
          series: { slug: "winter", name: "Winter" },
          next: at.toISOString(),
        },
        runs: [
          {
            id: runId,
            scheduledFor: at.toISOString(),
            startedAt: null,
            endedAt: null,
            status: "scheduled",
          },
        ],
      },
    ]);
    const bySeries = await read("/public/events/series/winter");
    expect(statusAndBodyOf(bySeries)).toEqual([
      200,
      {
        series: { slug: "winter", name: "Winter", description: "" },
        events: [(answered.body as { event: object }).event],
      },
    ]);
  });

  it("answers 404 for an unlisted, draft or archived event, and hides rehearsals", async () => {
    const hidden = await published("Hidden", { listed: false });
    const archived = await published("Archived", daily);
    await as(`DELETE /admin/events/${archived.id}`);
    const draft = await as("POST /admin/events", {
      title: "Draft",
      spec: buildOneStepSpec({}, { listed: true }),
    });
    const { slug: draftSlug } = (draft.body as { event: Made }).event;
    const unknown = [404, { error: "Unknown event" }];
    for (const slug of [
      hidden.slug,
      archived.slug,
      draftSlug,
      "nothing",
      "x%00y",

      "constructor",
    ]) {
      const answered = await read(`/public/events/${slug}`);
      expect([slug, statusAndBodyOf(answered)]).toEqual([slug, unknown]);
    }
    const shown = await published("Shown");
    const rehearsal = await start(shown.id, { rehearsal: true });
    const other = await start(hidden.id);
    expect((await read(`/public/events/${shown.slug}`)).body).toMatchObject({
      runs: [],
      event: { next: null },
    });
    for (const run of [rehearsal, other, 2_147_483_647]) {
      const answered = await read(`/public/events/${shown.slug}?run=${run}`);
      expect(statusAndBodyOf(answered)).toEqual([404, { error: "Unknown run" }]);
    }
    for (const run of ["x", "0", "2147483648", "1.5"]) {
      expect((await read(`/public/events/${shown.slug}?run=${run}`)).status).toBe(400);
    }
    expect(statusAndBodyOf(await read("/public/events/series/nothing"))).toEqual([
      404,
      { error: "Unknown series" },
    ]);
  });

  it("answers 404 only while the published version is unlisted, whatever the working copy says", async () => {
    const { id, slug } = await published("On and off");
    const set = async (listed: boolean) => {
      await as(`PUT /admin/events/${id}`, { spec: buildOneStepSpec({}, { listed }) });
      const before = (await read(`/public/events/${slug}`)).status;
      await as(`POST /admin/events/${id}/publish`);
      return [before, (await read(`/public/events/${slug}`)).status];
    };
    expect([await set(false), await set(true)]).toEqual([
      [200, 404],
      [404, 200],
    ]);
  });

  it("shows a public status of each run, and only the newest twenty runs in addition to the scheduled ones", async () => {
    const { id, slug } = await published("Much happened", {}, { concurrencyKey: null });
    const shown: Record<string, string> = {};
    for (const status of [
      "running",
      "paused",
      "completed",
      "cancelled",
      "failed",
      "missed",
    ] as const) {
      const runId = await start(id, {
        scheduledFor: inDays(Object.keys(shown).length + 1).toISOString(),
      });
      await changeRun(server, runId, { status, lastError: canary, health: "degraded" });
      const { body } = await read(`/public/events/${slug}?run=${runId}`);
      const { runs } = body as { runs: { id: number; status: string }[] };
      expect(runs.map((run) => run.id)).toEqual([runId]);
      shown[status] = runs[0]?.status ?? "";
    }
    expect(shown).toEqual({
      running: "running",
      paused: "running",
      completed: "completed",
      cancelled: "cancelled",
      failed: "cancelled",
      missed: "cancelled",
    });
    const { EventDefinition } = server.context.models;
    const definition = await EventDefinition.findByPk(id, { rejectOnEmpty: true });
    for (let days = 1; days <= 40; days++) {
      await buildRun(server, definition, {
        scope: "shard",
        status: "completed",
        scheduledFor: inDays(-days),
      });
    }
    await start(id, { scheduledFor: inDays(50).toISOString() });
    await start(id);
    const { body } = await read(`/public/events/${slug}`);
    const { runs, event } = body as { runs: { status: string }[]; event: { next: string } };
    expect([runs.length, runs.filter(({ status }) => status === "scheduled").length]).toEqual([
      22, 2,
    ]);
    expect(event.next).toBe(inDays(50).toISOString().slice(0, 10) + event.next.slice(10));
  });
});

describe("the public runs of an event", () => {
  interface Shown {
    readonly id: number;
    readonly status: string;
    readonly scheduledFor: string;
  }
  const runsOf = async (slug: string) =>
    ((await read(`/public/events/${slug}`)).body as { runs: Shown[] }).runs;
  const definitionOf = (id: number) =>
    server.context.models.EventDefinition.findByPk(id, { rejectOnEmpty: true });

  it("include running and ended runs even if the event was moved to another time", async () => {
    const { id, slug } = await published("Moved", daily, { concurrencyKey: null });
    const definition = await definitionOf(id);
    const begun = { scope: "shard", scheduledFor: inDays(-1) };
    const over = await buildRun(server, definition, { ...begun, status: "completed" });
    const withRuns = (await runsOf(slug)).toReversed();
    const statuses = ["running", "paused"] as const;
    const underWay = withRuns.filter(({ status }) => status === "scheduled").slice(0, 2);
    for (const [at, status] of statuses.entries()) {
      await changeRun(server, underWay[at]?.id ?? 0, { status });
    }
    const at = wallIn(1).replace("20:00", "21:00");
    const spec = buildOneStepSpec({}, { listed: true, schedule: { ...daily.schedule, at } });
    await as(`PUT /admin/events/${id}`, { spec });
    await as(`POST /admin/events/${id}/publish`);
    const runs = await runsOf(slug);
    const kept = [over.id, ...underWay.map((run) => run.id)].toSorted((one, two) => one - two);
    const old = runs.filter(({ status }) => status !== "scheduled").map((run) => run.id);
    expect(old.toSorted((one, two) => one - two)).toEqual(kept);
    const waiting = runs.filter(({ status }) => status === "scheduled");
    expect(waiting.length).toBeGreaterThanOrEqual(29);
    expect(waiting.map(({ scheduledFor }) => scheduledFor.slice(11, 16))).toEqual(
      waiting.map(() => "21:00"),
    );
  });

  it("include the newest ended runs by their time, not by the order of their creation", async () => {
    const { id, slug } = await published("Made early", {}, { concurrencyKey: null });
    const definition = await definitionOf(id);
    const build = (status: "running" | "completed", scheduledFor: Date) =>
      buildRun(server, definition, { scope: "shard", status, scheduledFor });
    const early = await build("completed", inDays(-1));
    const long = await build("running", inDays(-90));
    for (let days = 2; days <= 26; days++) await build("completed", inDays(-days));
    const runs = await runsOf(slug);
    const last = Array.from({ length: 18 }, (_, at) =>
      inDays(-2 - at)
        .toISOString()
        .slice(0, 10),
    );
    expect(runs.map((run) => [run.status, run.scheduledFor.slice(0, 10)])).toEqual([
      ["completed", early.scheduledFor?.toISOString().slice(0, 10)],
      ...last.map((day) => ["completed", day]),
      ["running", long.scheduledFor?.toISOString().slice(0, 10)],
    ]);
  });
});

describe("GET /public/events", () => {
  it("lists announced events by their next time, and events without a time last", async () => {
    const none = await published("No time known");
    const far = await published("Far", { schedule: { kind: "once", at: wallIn(100) } });
    const near = await published("Near", { schedule: { kind: "once", at: wallIn(2) } });
    const { events } = (await read("/public/events?limit=100")).body as {
      events: { slug: string; next: string | null }[];
    };
    const order = events
      .map(({ slug }) => slug)
      .filter((slug) => [none.slug, far.slug, near.slug].includes(slug));
    expect(order).toEqual([near.slug, far.slug, none.slug]);
    expect(events.find(({ slug }) => slug === far.slug)?.next).toBe(`${wallIn(100)}:00.000Z`);
    const one = await read("/public/events?limit=1");
    expect((one.body as { events: object[] }).events).toEqual(events.slice(0, 1));
    for (const limit of ["0", "101", "x"]) {
      expect(statusAndBodyOf(await read(`/public/events?limit=${limit}`))).toEqual([
        400,
        { error: "Validation failed", errors: [{ path: "limit", message: expect.any(String) }] },
      ]);
    }
  });
});

describe("the next time of an event", () => {
  it("is the earliest occurrence with or without a run, and lists of events are ordered by this time", async () => {
    const yearly = { schedule: { kind: "recurring", at: wallIn(40), rrule: "FREQ=YEARLY" } };
    const early = await published("Yearly, and once more", yearly);
    const between = await published("Once between", { schedule: { kind: "once", at: wallIn(60) } });
    const later = inDays(100).toISOString();
    await start(early.id, { scheduledFor: later });
    const nextOf = async (slug: string) => {
      const { body } = await read(`/public/events/${slug}`);
      return (body as { event: { next: string | null } }).event.next;
    };
    const first = `${wallIn(40)}:00.000Z`;
    expect(await nextOf(early.slug)).toBe(first);
    const slugs = async (limit: number) => {
      const { body } = await read(`/public/events?limit=${limit}`);
      return (body as { events: Made[] }).events.map(({ slug }) => slug);
    };
    const all = await slugs(96);
    const both = [early.slug, between.slug];
    expect(all.filter((slug) => both.includes(slug))).toEqual(both);
    const page = all.slice(0, all.indexOf(early.slug) + 1);
    expect(await slugs(page.length)).toEqual(page);
    // Lists skip an occurrence whose run is cancelled.
    const off = await start(early.id, { scheduledFor: first });
    await as(`POST /admin/events/runs/${off}/cancel`);
    expect(await nextOf(early.slug)).toBe(later);
  });
});

async function icedEntries(title: string): Promise<ICAL.Event[]> {
  const { text } = await read("/public/events.ics");
  const component = new ICAL.Component(ICAL.parse(text) as never);
  const entries = component.getAllSubcomponents("vevent").map((one) => new ICAL.Event(one));
  return entries.filter(({ summary }) => summary === title);
}

describe("GET /public/events.ics", () => {
  it("contains announced events with one id per occurrence, and marks canceled ones", async () => {
    const { id } = await published("Iced", daily);
    const first = { where: { definitionId: id }, order: ["scheduledFor"], rejectOnEmpty: true };
    const run = await server.context.models.EventRun.findOne(first);
    await run.update({ status: "missed", endedAt: clockNow() });
    const own = await icedEntries("Iced");
    const uids = own.map(({ uid }) => uid);
    expect(own.length).toBeGreaterThanOrEqual(365);
    expect(own.length).toBeLessThanOrEqual(367);
    expect(new Set(uids).size).toBe(uids.length);
    const times = own.map(({ startDate }) => startDate.toJSDate().toISOString());
    expect(new Set(times).size).toBe(times.length);
    // An occurrence has the same id in the calendar before and after its run is created.
    expect(uids).toEqual(times.map((time) => `${id}-${time}@localhost`));
    expect(own[0]?.component.getFirstPropertyValue("status")).toBe("CANCELLED");
    expect((await read("/public/events.ics")).text).not.toContain(canary);
    await as(`DELETE /admin/events/${id}`);
    // Public answers are cached for a moment, so wait.
    await waitUntil("it is announced no more", async () => {
      const { text } = await read("/public/events.ics");
      return !text.includes("Iced");
    });
  });

  it("contains the time of the last change, even if the change is a version published after the run was created", async () => {
    const { id } = await published("Iced before", daily);
    const { EventRun, EventVersion } = server.context.models;
    const [longAgo, where] = [new Date("2026-01-01T00:00:00Z"), { definitionId: id }];
    await EventRun.update({ createdAt: longAgo }, { where });
    await as(`PUT /admin/events/${id}`, { title: "Iced after" });
    await as(`POST /admin/events/${id}/publish`);
    const version = await EventVersion.findOne({
      where,
      order: [["id", "DESC"]],
      rejectOnEmpty: true,
    });
    const { text } = await as("GET /public/events.ics", undefined, player);
    const [entry] = text.split("BEGIN:VEVENT").filter((part) => part.includes("Iced after"));
    const changed = version.publishedAt.toISOString().replaceAll(/[-:]|\.\d+/g, "");
    expect(entry).toContain(`LAST-MODIFIED:${changed}`);
  });

  it("contains a distant occurrence once, even if a person created its run", async () => {
    const yearly = { schedule: { kind: "recurring", at: wallIn(40), rrule: "FREQ=YEARLY" } };
    const { id } = await published("Iced once", yearly);
    const runId = await start(id, { scheduledFor: `${wallIn(40)}:00Z` });
    const shown = () =>
      icedEntries("Iced once").then((entries) =>
        entries.map(({ uid, startDate }) => [uid, startDate.toJSDate().toISOString()]),
      );
    await waitUntil("the run is there", async () =>
      (await shown()).join().includes(`run-${runId}`),
    );
    expect(await shown()).toEqual([[`run-${runId}@localhost`, `${wallIn(40)}:00.000Z`]]);
  });
});

describe("GET /player/events/history", () => {
  const history = (search = "", who = player) =>
    as(`GET /player/events/history${search}`, undefined, who);

  it("pages through the caller's participations, without rehearsals and unlisted events", async () => {
    expect(statusAndBodyOf(await history())).toEqual([200, { history: [], nextBefore: null }]);
    const { id, slug } = await published("Took part");
    const hidden = await published("Took part unseen", { listed: false });
    const other = await signIn(server);
    const rewards = [{ kit: "starter", count: 2, steamId: canary }];
    const attend = (runId: number, userId: number) =>
      server.context.models.EventParticipation.create({ runId, userId, rewards });
    const runs: number[] = [];
    for (const days of [1, 2, 3]) {
      runs.push(await start(id, { scheduledFor: inDays(days).toISOString() }));
    }
    for (const runId of runs) await attend(runId, player.userId);
    await attend(runs[0] ?? 0, other.userId);
    await attend(await start(hidden.id), player.userId);
    await attend(await start(id, { rehearsal: true }), player.userId);
    const line = (runId: number | undefined) => ({
      runId,
      event: { slug, title: "Took part" },
      at: anyTime,
      rewards: [{ kit: "starter", count: 2 }],
    });
    const first = await history("?limit=2");
    expect(statusAndBodyOf(first)).toEqual([
      200,
      { history: [line(runs[2]), line(runs[1])], nextBefore: anyId },
    ]);
    const { nextBefore } = first.body as { nextBefore: number };
    const second = await history(`?limit=2&before=${nextBefore}`);
    expect(statusAndBodyOf(second)).toEqual([200, { history: [line(runs[0])], nextBefore: null }]);
    for (const before of ["x", "-1", "0", "1.5", "", "99999999999999999999"]) {
      expect((await history(`?limit=2&before=${before}`)).body).toEqual(first.body);
    }
    for (const limit of ["0", "101", "x"]) {
      expect((await history(`?limit=${limit}`)).status).toBe(400);
    }
    expect((await read("/player/events/history")).status).toBe(401);
    expect((await history()).headers.get("x-robots-tag")).toContain("noindex");
  });
});

describe("lists of events and their runs", () => {
  it("read only the shown columns from the database, and no column with steps", async () => {
    const told = "TOLD-51c2";
    const step = { key: "call", params: { text: `Hear ${told}` } };
    const series = await as("POST /admin/events/series", { name: "Listed" });
    const { id: seriesId, slug: seriesSlug } = (series.body as { series: Made }).series;
    const spec = buildOneStepSpec(step, { listed: true, ...daily });
    const { id, slug } = await published("Listed widely", spec, { seriesId });
    await start(id);
    const [from, to] = [inDays(0), inDays(60)].map((date) => date.toISOString());
    const asked = vi.spyOn(server.context.sequelize, "query");
    const lists = [
      [`/admin/events/runs?definitionId=${id}`, admin],
      [`/admin/events/calendar?from=${from}&to=${to}`, admin],
      ["/public/events?limit=99", player],
      [`/public/events/${slug}`, player],
      [`/public/events/series/${seriesSlug}`, player],
      ["/public/events.ics", player],
    ] as const;
    for (const [path, who] of lists) {
      const { status, text } = await as(`GET ${path}`, undefined, who);
      expect([path, status, text.includes("Listed widely")]).toEqual([path, 200, true]);
    }
    const rows = JSON.stringify(await Promise.all(asked.mock.results.map(({ value }) => value)));
    asked.mockRestore();
    expect(["Listed widely", told].map((text) => rows.includes(text))).toEqual([true, false]);
  });
});

describe("public event data", () => {
  it("contains no steps, parameters, variables or other internal data", async () => {
    const params = [{ name: "secret", type: "string", default: canary }];
    const { id, slug } = await published("Guarded", { ...daily, params });
    const runId = await start(id, { params: { secret: `${canary}-given` } });
    await buildStep(server, {
      runId,
      phase: canary,
      idempotencyKey: canary,
      leaseOwner: canary,
      lastError: canary,
    });
    const told = { lastError: canary, currentPhase: canary, variables: { v: canary } };
    await changeRun(server, runId, told);
    const { EventDefinition } = server.context.models;
    await EventDefinition.update({ ownerModule: canary }, { where: { id } });
    const answers = await Promise.all(
      ["", `/${slug}`, `/${slug}?run=${runId}`, ".ics"].map((path) =>
        read(`/public/events${path}`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const { text } of answers) {
      expect(text).not.toContain(canary);
      expect(text).not.toMatch(
        /spec|health|cleanup|lease|idempotency|versionId|concurrency|params|startedBy|unfit/i,
      );
    }
    expect(answers[1]?.body).toMatchObject({ event: { slug } });
  });
});

import { Temporal } from "temporal-polyfill";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createScheduledRunsJob } from "../../jobs/events/materialise.job.ts";
import { clockNow } from "../../models/queries/clock.ts";
import { sweepRuns } from "../../shared/events/engine/sweeper.ts";
import { createAllScheduledRuns } from "../../shared/events/occurrences/create-scheduled-runs.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { buildStep, changeRun, runOf, runsOfEvent } from "../support/factories/events.ts";
import { activityOf } from "../support/factories/site.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { anyRevision } from "../support/http/any-revision.ts";
import { addReadRevision } from "../support/http/as-read.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { championEvening, buildOneStepSpec } from "./specs.ts";

let server: TestServer;
/** A second process of the same service. */
let other: TestServer;
let admin: SignedIn;
let editor: SignedIn;
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({ database: server.database });
  admin = await signIn(server, { role: "admin" });
  editor = await signIn(server, { role: "editor" });
});
afterAll(async () => {
  await other.stop();
  await server.stop();
});

const ask = (route: string, body?: object, who = admin, at = server): Promise<ApiAnswer> =>
  callRoute(at, route, { headers: who.headers, ...(body && { body }) });
const as = async (route: string, body?: object, who = admin, at = server): Promise<ApiAnswer> =>
  ask(route, await addReadRevision(route, body, ask), who, at);
const anyId = expect.any(Number);
const fault = (path: string, code: string) => ({ path, code, message: expect.any(String) });
const refused = (message: string) => [
  409,
  { errors: [{ path: "/status", code: "state", message }] },
];

const detailsOf = (action: string, id: number) =>
  activityOf(server, { action, targetId: String(id) }, ["detail"]);

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const wallIn = (days: number, time = "20:00") => `${inDays(days).slice(0, 10)}T${time}`;

let count = 0;
async function createEvent(spec: object = championEvening, body: object = {}): Promise<number> {
  const answered = await as("POST /admin/events", { title: `Event ${++count}`, spec, ...body });
  if (answered.status !== 201) throw new Error(answered.text);
  return (answered.body as { event: { id: number } }).event.id;
}

interface Published {
  readonly version: number;
  readonly versionId: number;
  readonly repinned: number;
}

const publish = async (id: number, who = admin): Promise<Published> => {
  const answered = await as(`POST /admin/events/${id}/publish`, undefined, who);
  if (answered.status !== 200) throw new Error(answered.text);
  return answered.body as Published;
};

async function publishEvent(spec: object = championEvening, body: object = {}): Promise<number> {
  const id = await createEvent(spec, body);
  await publish(id);
  return id;
}

/**
 * Returns the spec of a daily event that starts tomorrow. It has about thirty runs in the horizon.
 */
const daily = (step: object = {}, rest: object = {}) =>
  buildOneStepSpec(step, {
    schedule: { kind: "recurring", at: wallIn(1), rrule: "FREQ=DAILY" },
    ...rest,
  });

interface Run {
  readonly id: number;
  readonly status: string;
  readonly version: number;
  readonly scheduledFor: string | null;
  readonly params: object;
}

const runsOf = async (id: number, more = ""): Promise<Run[]> => {
  const { body } = await as(`GET /admin/events/runs?definitionId=${id}&limit=100${more}`);
  return (body as { runs: Run[] }).runs;
};

const logOf = async (runId: number) => {
  const { body } = await as(`GET /admin/events/runs/${runId}/log`);
  return (body as { log: { kind: string; detail: object }[] }).log.map((line) => [
    line.kind,
    line.detail,
  ]);
};

describe("runs that are created ahead every hour", () => {
  const runsByTime = (definitionId: number) =>
    server.context.models.EventRun.findAll({ where: { definitionId }, order: ["scheduledFor"] });
  const timesOf = async (id: number) =>
    (await runsByTime(id)).map(({ scheduledFor }) => String(scheduledFor));

  it("are created once for each occurrence within the horizon, and not for archived events", async () => {
    const [id, archived] = [await createEvent(daily()), await createEvent(daily())];
    for (const each of [id, archived]) await publish(each);
    const times = await timesOf(id);
    for (const each of [id, archived]) {
      for (const run of (await runsByTime(each)).slice(-3)) await run.destroy();
    }
    await as(`DELETE /admin/events/${archived}`);
    const left = await timesOf(archived);
    await Promise.all([server, other].map(({ context }) => createAllScheduledRuns(context)));
    await createAllScheduledRuns(server.context);
    expect(await timesOf(id)).toEqual(times);
    expect(await timesOf(archived)).toEqual(left);
  });

  it("are created for all other events if one event causes an error, and the job fails with that error", async () => {
    const [broken, id] = [await publishEvent(daily()), await publishEvent(daily())];
    const times = await timesOf(id);
    const { EventRun, EventVersion } = server.context.models;
    await EventRun.destroy({ where: { definitionId: id } });
    const zoneOf = (timezone: string) =>
      EventVersion.update({ timezone }, { where: { definitionId: broken } });
    await zoneOf("Nowhere/None");
    const attempt = { jobId: "job", signal: new AbortController().signal };
    const job = createScheduledRunsJob.run({}, server.context, attempt);
    await expect(job).rejects.toThrow(new RegExp(`^event ${broken}: [^;]+$`));
    await zoneOf("UTC");
    expect(await timesOf(id)).toEqual(times);
    await createScheduledRunsJob.run({}, server.context, attempt);
  });
});

describe("POST /admin/events/:id/publish", () => {
  it("creates a numbered version each time, and the runs up to the horizon", async () => {
    const id = await createEvent(daily());
    const first = await as(`POST /admin/events/${id}/publish`);
    expect(statusAndBodyOf(first)).toEqual([
      200,
      {
        event: expect.objectContaining({
          id,
          state: "ready",
          currentVersion: 1,
          currentVersionVerifiedAt: null,
        }),
        version: 1,
        versionId: anyId,
        repinned: 0,
      },
    ]);
    const runs = await runsOf(id);
    expect(runs.length).toBeGreaterThanOrEqual(29);
    expect(runs[0]).toEqual({
      id: anyId,
      definitionId: id,
      definitionTitle: `Event ${count}`,
      definitionSlug: `event-${count}`,
      versionId: anyId,
      version: 1,
      scope: "shard",
      status: "scheduled",
      health: "ok",
      cleanupStatus: "none",
      currentPhase: null,
      scheduledFor: anyTime,
      timezone: "UTC",
      concurrencyKey: null,
      params: {},
      rehearsal: false,
      startedBy: admin.userId,
      startedByUsername: admin.username,
      startedAt: null,
      endedAt: null,
      lastError: null,
      createdAt: anyTime,
      waitingSteps: 0,
      revision: anyRevision,
    });
    expect(await logOf(runs[0]?.id ?? 0)).toEqual([["created", { by: "schedule" }]]);
    const again = await publish(id);
    expect([again.version, again.repinned]).toEqual([2, runs.length]);
    const { body } = await as(`GET /admin/events/${id}/versions`);
    const version = {
      id: anyId,
      revision: 1,
      publishedAt: anyTime,
      publishedBy: admin.userId,
      publishedByUsername: admin.username,
    };
    expect(body).toEqual({
      versions: [
        { ...version, version: 2, current: true },
        { ...version, version: 1, current: false },
      ],
    });
    const line = (await detailsOf("event.definition.published", id)).at(-1);
    expect(line).toEqual({ detail: { version: 2, repinned: runs.length } });
  });

  it("keeps the published version unchanged while the working copy changes", async () => {
    const id = await publishEvent(daily());
    const versionOf = () =>
      server.context.models.EventVersion.findOne({
        where: { definitionId: id },
        rejectOnEmpty: true,
        raw: true,
      });
    const before = await versionOf();
    await as(`PUT /admin/events/${id}`, {
      title: "Renamed",
      spec: buildOneStepSpec({ actionId: "core.confirm", params: {} }),
    });
    expect(await versionOf()).toEqual(before);
    expect((await runsOf(id))[0]).toMatchObject({ version: 1, definitionTitle: before.title });
  });

  it("moves runs to the new version, and cancels runs that it no longer schedules unless a person created them", async () => {
    const id = await publishEvent(daily());
    const own = await as(`POST /admin/events/${id}/runs`, { scheduledFor: inDays(3.5) });
    const created = (own.body as { run: Run }).run;
    const before = (await runsOf(id)).filter((run) => run.id !== created.id);
    const schedule = { kind: "recurring", at: wallIn(1), rrule: "FREQ=DAILY;INTERVAL=2" };
    await as(`PUT /admin/events/${id}`, { spec: daily({}, { schedule }) });
    const { repinned } = await publish(id);
    const after = await runsOf(id);
    const gone = after.filter(({ status }) => status === "cancelled");
    expect(repinned).toBe(before.length - gone.length + 1);
    expect(Math.abs(gone.length * 2 - before.length)).toBeLessThanOrEqual(1);
    expect(after.find((run) => run.id === created.id)).toMatchObject({
      status: "scheduled",
      version: 2,
    });
    expect(await logOf(gone[0]?.id ?? 0)).toEqual([
      ["created", { by: "schedule" }],
      ["cancelled", { reason: "no longer scheduled" }],
    ]);
    // If a later version schedules a canceled occurrence again, its run is scheduled again.
    await as(`PUT /admin/events/${id}`, { spec: daily() });
    await publish(id);
    const scheduled = (await runsOf(id, "&status=scheduled")).map(
      ({ scheduledFor }) => scheduledFor,
    );
    for (const { scheduledFor } of before) expect(scheduled).toContain(scheduledFor);
  });

  it("keeps existing runs if they also occur in a much denser schedule", async () => {
    const id = await publishEvent(daily());
    const before = await runsOf(id);
    const fives = Array.from({ length: 12 }, (_, at) => at * 5).join(",");
    const hours = Array.from({ length: 24 }, (_, at) => at).join(",");
    const rrule = `FREQ=DAILY;BYHOUR=${hours};BYMINUTE=${fives}`;
    const schedule = { kind: "recurring", at: wallIn(1, "00:00"), rrule };
    await as(`PUT /admin/events/${id}`, { spec: daily({}, { schedule }) });
    expect((await publish(id)).repinned).toBe(before.length);
    const kept = await server.context.models.EventRun.findAll({
      where: { id: before.map((run) => run.id), status: "scheduled" },
      order: [["id", "desc"]],
    });
    expect(kept.map((run) => run.id)).toEqual(before.map((run) => run.id));
    await as(`DELETE /admin/events/${id}`);
  });

  it("keeps the parameters of a run if they fit, and records the reason if they do not", async () => {
    const params = (type: string) => [
      { name: "boss", type, required: true, default: type === "string" ? "Rikktor" : 5 },
    ];
    const id = await publishEvent(buildOneStepSpec({}, { params: params("string") }));
    const { body } = await as(`POST /admin/events/${id}/runs`, {
      scheduledFor: inDays(5),
      params: { boss: "Mephitis" },
    });
    const { id: runId } = (body as { run: Run }).run;
    await publish(id);
    expect((await runsOf(id))[0]).toMatchObject({ version: 2, params: { boss: "Mephitis" } });
    await as(`PUT /admin/events/${id}`, {
      spec: buildOneStepSpec({}, { params: params("integer") }),
    });
    await publish(id);
    expect(await runOf(server, runId)).toMatchObject({
      unfitReason: "boss must be a whole number",
      status: "scheduled",
    });
    await as(`PUT /admin/events/${id}`, {
      spec: buildOneStepSpec({}, { params: params("string") }),
    });
    await publish(id);
    const fits = await runOf(server, runId);
    expect([fits.unfitReason, fits.params]).toEqual([null, { boss: "Mephitis" }]);
  });

  it("answers 403 to an editor, and 409 for an archived event", async () => {
    const id = await createEvent();
    expect(
      statusAndBodyOf(await as(`POST /admin/events/${id}/publish`, undefined, editor)),
    ).toEqual([403, { error: "Admin role required" }]);
    await as(`DELETE /admin/events/${id}`);
    expect(statusAndBodyOf(await as(`POST /admin/events/${id}/publish`))).toEqual(
      refused("an archived event cannot be published"),
    );
    expect(statusAndBodyOf(await as(`PUT /admin/events/${id}`, { summary: "x" }))).toEqual(
      refused("an archived event cannot be changed"),
    );
  });

  it("numbers versions in sequence and creates no run twice in thirty simultaneous requests", async () => {
    const id = await createEvent(daily());
    const asked = Array.from({ length: 30 }, (_, at) =>
      as(`POST /admin/events/${id}/publish`, undefined, admin, at % 2 ? server : other),
    );
    const answers = await Promise.all(asked);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    const numbers = answers.map(({ body }) => (body as Published).version);
    expect(numbers.toSorted((one, two) => one - two)).toEqual(answers.map((_, at) => at + 1));
    const runs = await runsOfEvent(server, id);
    const times = runs.map(({ scheduledFor }) => scheduledFor?.getTime());
    expect(new Set(times).size).toBe(runs.length);
    expect(new Set(runs.map(({ versionId }) => versionId)).size).toBe(1);
  });

  it("creates at most a thousand runs for one schedule, and the calendar shows the rest", async () => {
    const minutes = Array.from({ length: 60 }, (_, at) => at).join(",");
    const schedule = {
      kind: "recurring",
      at: wallIn(1, "00:00"),
      rrule: `FREQ=DAILY;BYHOUR=0,1,2;BYMINUTE=${minutes}`,
    };
    const id = await publishEvent(daily({}, { schedule }));
    const ofIt = { definitionId: id };
    expect(await server.context.models.EventRun.count({ where: ofIt })).toBe(1_000);
    const [from, to] = [`${wallIn(1, "00:00")}Z`, `${wallIn(9, "00:00")}Z`];
    const { body } = await as(`GET /admin/events/calendar?from=${from}&to=${to}`);
    const { entries, truncated } = body as {
      entries: { definitionId: number; scheduledFor: string }[];
      truncated: boolean;
    };
    expect([entries.length, truncated]).toEqual([1_000, true]);
    const later = await as(
      `GET /admin/events/calendar?from=${wallIn(6, "00:00")}Z&to=${wallIn(7, "00:00")}Z`,
    );
    const own = (later.body as { entries: typeof entries }).entries.filter(
      (one) => one.definitionId === id,
    );
    const times = own.map(({ scheduledFor }) => scheduledFor);
    expect([times.length, new Set(times).size]).toEqual([180, 180]);
    await as(`DELETE /admin/events/${id}`);
  });
});

describe("DELETE /admin/events/:id", () => {
  it("archives the event, cancels its scheduled runs, and changes nothing the second time", async () => {
    const id = await publishEvent(daily());
    const waiting = await runsOf(id);
    const first = await as(`DELETE /admin/events/${id}`, undefined, editor);
    expect(statusAndBodyOf(first)).toEqual([
      200,
      { event: expect.objectContaining({ id, state: "archived" }) },
    ]);
    expect(statusAndBodyOf(await as(`DELETE /admin/events/${id}`))).toEqual(statusAndBodyOf(first));
    expect((await runsOf(id)).map(({ status }) => status)).toEqual(waiting.map(() => "cancelled"));
    expect(await logOf(waiting[0]?.id ?? 0)).toContainEqual([
      "cancelled",
      { reason: "definition archived" },
    ]);
    const rows = await detailsOf("event.definition.archived", id);
    expect(rows).toEqual([{ detail: { cancelledRuns: waiting.length } }]);
    expect(statusAndBodyOf(await as(`POST /admin/events/${id}/runs`, {}))).toEqual(
      refused("an archived event cannot have new runs"),
    );
  });
});

describe("POST /admin/events/:id/verify", () => {
  const verify = (id: number, body?: object, who = admin) =>
    as(`POST /admin/events/${id}/verify`, body, who);
  const notConnected = {
    level: "warning",
    path: "/spec/scope",
    message: "the shard is not connected now",
  };

  it("records that a published version has no errors, until the next publication", async () => {
    const id = await createEvent(daily());
    const draft = await verify(id);
    expect(statusAndBodyOf(draft)).toEqual([
      200,
      {
        target: "draft",
        versionId: null,
        version: null,
        recorded: false,
        report: { ok: true, findings: [notConnected], worstCase: { broadcasts: 1 } },
      },
    ]);
    const { versionId } = await publish(id);
    const { body } = await verify(id, undefined, editor);
    expect(body).toMatchObject({ target: "published", versionId, version: 1, recorded: true });
    const verified = await as(`GET /admin/events/${id}`);
    expect(verified.body).toMatchObject({ event: { currentVersionVerifiedAt: anyTime } });
    const verification = { action: "event.definition.verified", targetId: String(id) };
    const rows = await activityOf(server, verification, ["actorId", "detail"]);
    expect(rows).toEqual([{ actorId: editor.userId, detail: { version: 1 } }]);
    expect((await verify(id, { target: "draft" })).body).toMatchObject({
      target: "draft",
      recorded: false,
    });
    await publish(id);
    const fresh = await as(`GET /admin/events/${id}`);
    expect(fresh.body).toMatchObject({ event: { currentVersionVerifiedAt: null } });
  });

  it("reports whether the scope's survival server exists and is connected", async () => {
    const { id: serverId } = await buildSurvivalServer(server);
    const findingsOf = async (scope: string) => {
      const answered = await verify(await createEvent({ ...daily(), scope }));
      return (answered.body as { report: { findings: object[] } }).report.findings;
    };
    const path = "/spec/scope";
    expect(await findingsOf(`survival:${serverId}`)).toEqual([
      { level: "warning", path, message: "the survival server is not connected now" },
    ]);
    expect(await findingsOf("survival:999999999")).toEqual([
      { level: "error", path, message: "there is no survival server 999999999" },
    ]);
    expect(await findingsOf("survival:*")).toEqual([]);
  });

  it("answers 200 while the scope's survival server is deleted", async () => {
    const { id: serverId } = await buildSurvivalServer(server);
    const id = await publishEvent({ ...buildOneStepSpec({}), scope: `survival:${serverId}` });
    const verifies = (times: number) =>
      Array.from({ length: times }, (_, at) =>
        as(`POST /admin/events/${id}/verify`, {}, admin, at % 2 ? other : server),
      );
    const deleted = as(`DELETE /admin/survival/servers/${serverId}`);
    const answers = await Promise.all([...verifies(12), deleted, ...verifies(12)]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it("treats a null parameter as omitted", async () => {
    const params = { server: "all", message: "Hear ye", body: null };
    const id = await publishEvent(
      buildOneStepSpec({ key: "call", actionId: "survival.announce", params }),
    );
    const { body } = await verify(id);
    expect(body).toMatchObject({ recorded: true, report: { ok: true } });
    const { body: read } = await as(`GET /admin/events/${id}`);
    const { event } = read as { event: { spec: { phases: { steps: { params: object }[] }[] } } };
    expect(event.spec.phases[0]?.steps[0]?.params).toEqual({ server: "all", message: "Hear ye" });
  });

  it.each([
    ["that no longer exists", "champ.end", "champ.gone", "trigger"],
    ["whose variable no longer exists", "outcome", "winner", "where/0/var"],
  ])(
    "reports a trigger %s, and a run that waits for the trigger can still be advanced",
    async (_, from, name, place) => {
      const where = [{ var: "outcome", op: "eq", value: "defeated" }];
      const advance = { kind: "trigger", trigger: "champ.end", where };
      const phases = [{ key: "fight", title: "The fight", steps: [], advance }];
      const id = await publishEvent({ scope: "site", phases });
      // Rename the trigger in the stored versions, as if another release had stored them.
      const { EventDefinition, EventVersion } = server.context.models;
      const renamed = (spec: object) =>
        JSON.parse(JSON.stringify(spec).replace(`"${from}"`, `"${name}"`)) as object;
      const event = await EventDefinition.findByPk(id, { rejectOnEmpty: true });
      await event.update({ spec: renamed(event.spec) });
      for (const version of await EventVersion.findAll({ where: { definitionId: id } })) {
        await version.update({ spec: renamed(version.spec) });
      }
      const path = `/spec/phases/0/advance/${place}`;
      const found = { level: "error", path, message: expect.any(String) };
      const report = { ok: false, findings: [found], worstCase: {} };
      for (const target of ["published", "draft"]) {
        const { status, body } = await verify(id, { target });
        expect([status, body]).toEqual([200, expect.objectContaining({ recorded: false, report })]);
      }
      const again = await as(`POST /admin/events/${id}/publish`);
      expect(again.status).toBe(400);
      expect((again.body as { errors: { path: string }[] }).errors.map((one) => one.path)).toEqual([
        path,
      ]);
      const created = await as(`POST /admin/events/${id}/runs`, {});
      const runId = (created.body as { run: Run }).run.id;
      await sweepRuns(server.context);
      const running = (await as(`GET /admin/events/runs/${runId}`)).body as {
        run: Run;
        gates: string[];
      };
      expect([running.run.status, running.gates]).toEqual([
        "running",
        [expect.stringContaining(name)],
      ]);
      await as(`POST /admin/events/runs/${runId}/advance`);
      expect((await runsOf(id)).map((run) => run.status)).toEqual(["completed"]);
    },
  );

  const { schedule } = daily() as { schedule?: object };
  interface Report {
    readonly ok: boolean;
    readonly findings: readonly { readonly level: string; readonly path: string }[];
    readonly worstCase: object;
  }
  /** Publishes an event with these steps. @returns the report about the publication */
  const reportOf = async (steps: readonly object[], rest: object = {}): Promise<Report> => {
    const phases = [{ key: "one", title: "One", steps }];
    const { body } = await verify(await publishEvent({ scope: "site", phases, ...rest }));
    const { recorded, report } = body as { recorded: boolean; report: Report };
    expect(recorded).toBe(report.ok);
    return report;
  };
  const errorsOf = ({ findings }: Report) =>
    findings.filter(({ level }) => level === "error").map(({ path }) => path);

  it("reports a step whose parameter is missing in scheduled runs", async () => {
    const text = (value: string, key: string) => ({
      key,
      actionId: "shard.broadcast",
      params: { text: value, hue: "{{hue}}" },
    });
    const steps = [
      text("{{note}}", "a"),
      text("{{note}} {{ note }}", "b"),
      text("So: {{note}}", "c"),
    ];
    const params = [
      { name: "note", type: "string" },
      { name: "hue", type: "integer" },
    ];
    const [alone, nothingElse] = [0, 1].map((at) => `/spec/phases/0/steps/${at}/params/text`);
    const scheduled = await reportOf(steps, { params, schedule });
    expect([scheduled.ok, errorsOf(scheduled)]).toEqual([false, [alone, nothingElse]]);
    // Without a schedule, a person starts the run and may enter the value. With a default, there
    // always is a value.
    expect((await reportOf(steps, { params })).ok).toBe(true);
    const standing = params.map((one) => (one.name === "note" ? { ...one, default: "Hear" } : one));
    expect((await reportOf(steps, { params: standing, schedule })).ok).toBe(true);
  });

  it("accepts a number for a text parameter that consists of one template", async () => {
    const params = [{ name: "minutes", type: "integer", default: 5 }];
    const step = { key: "a", actionId: "shard.broadcast", params: { text: "{{minutes}}" } };
    expect((await reportOf([step], { params, schedule })).findings).toEqual([]);
  });

  it("reports an exhausted schedule as a warning, not as an error, while a run is scheduled", async () => {
    const over = buildOneStepSpec(
      {},
      { scope: "site", schedule: { kind: "once", at: "2020-01-01T00:00" } },
    );
    const id = await publishEvent(over);
    const errors = async () => {
      const { body } = await verify(id);
      const { recorded, report } = body as { recorded: boolean; report: Report };
      return [recorded, report.findings.map(({ level, path }) => `${level} ${path}`)];
    };
    expect(await errors()).toEqual([false, ["error /spec/schedule"]]);
    const asked = await as(`POST /admin/events/${id}/runs`, { scheduledFor: inDays(1) });
    const { id: runId } = (asked.body as { run: Run }).run;
    expect(await errors()).toEqual([true, ["warning /spec/schedule"]]);
    await changeRun(server, runId, { scheduledFor: clockNow() });
    await sweepRuns(server.context);
    expect((await runsOf(id)).map(({ status }) => status)).toEqual(["running"]);
    // The run has started, so it no longer counts as scheduled.
    expect(await errors()).toEqual([false, ["error /spec/schedule"]]);
  });

  it("reports a step whose parameters do not fit together when they are filled in", async () => {
    const give = { key: "a", actionId: "survival.kit.entitle" };
    const given = { server: "oak", kit: "event", steamIds: "{{who}}" };
    const params = [{ name: "who", type: "text" }];
    await as("PUT /admin/events/actions", { actionId: give.actionId, enabled: true });
    const report = await reportOf([{ ...give, params: given }], { params, schedule });
    expect([report.ok, errorsOf(report)]).toEqual([
      false,
      ["/spec/phases/0/steps/0/params/participation"],
    ]);
  });

  it.each([
    [
      "the action's maximum for a number from a game event",
      { advance: { kind: "trigger", trigger: "champ.end" } },
      {},
      86_400,
    ],
    [
      "the action's maximum for a number that is given at the start",
      {},
      { name: "durationSec", type: "duration" },
      86_400,
    ],
    [
      "the parameter's maximum for a number with a maximum",
      {},
      { name: "durationSec", type: "duration", max: 600 },
      600,
    ],
    [
      "the parameter's default for a number with a default",
      {},
      { name: "durationSec", type: "duration", default: 60 },
      60,
    ],
  ])("computes the worst case of a step with %s", async (_, gate, param, worst) => {
    const actionId = "survival.zone.open";
    const params = { server: "oak", preset: "arena", at: "0 0 0", durationSec: "{{durationSec}}" };
    const phases = [
      { key: "one", title: "One", steps: [], ...gate },
      { key: "two", title: "Two", steps: [{ key: "zone", actionId, params }] },
    ];
    const declared = "name" in param ? [param] : [];
    for (const zoneSeconds of [worst, worst - 1]) {
      await as("PUT /admin/events/actions", { actionId, enabled: true, caps: { zoneSeconds } });
      const report = await reportOf([], { phases, params: declared });
      expect(report.worstCase).toEqual({ zoneSeconds: worst });
      expect(errorsOf(report)).toEqual(zoneSeconds < worst ? ["/spec/phases"] : []);
    }
    await as("PUT /admin/events/actions", { actionId, enabled: true, caps: {} });
  });

  it("counts the largest possible number of kits for players who are named only when the run starts", async () => {
    const actionId = "survival.kit.entitle";
    const params = { server: "oak", kit: "event", steamIds: "{{who}}", uses: "{{uses}}" };
    const declared = [
      { name: "who", type: "text" },
      { name: "uses", type: "integer" },
    ];
    const kitsOf = async (given: object) => {
      const step = { key: "give", actionId, params: { ...params, ...given } };
      return (await reportOf([step], { params: declared })).worstCase;
    };
    const two = "76561198000000001 76561198000000002";
    expect(await kitsOf({})).toEqual({ kits: 222 * 1_000 });
    expect(await kitsOf({ uses: 1 })).toEqual({ kits: 222 });
    expect(await kitsOf({ steamIds: two })).toEqual({ kits: 2 * 1_000 });
    expect(await kitsOf({ steamIds: two, uses: 3 })).toEqual({ kits: 6 });
  });

  it("reports every problem that a run would have", async () => {
    const spec = {
      scope: "site",
      schedule: { kind: "once", at: "2020-01-01T00:00" },
      params: [
        { name: "boss", type: "string", required: true },
        { name: "wait", type: "integer", default: 0 },
      ],
      phases: [
        {
          key: "one",
          title: "One",
          steps: [
            { key: "a", actionId: "shard.broadcast", params: { text: "{{boss}}" } },
            { key: "b", actionId: "core.wait", params: { seconds: "{{wait}}" } },
            { key: "c", actionId: "shard.champion.stop", params: { id: "0x1" } },
          ],
        },
      ],
    };
    const id = await publishEvent(spec);
    await as("PUT /admin/events/actions", {
      actionId: "shard.broadcast",
      enabled: true,
      caps: { broadcasts: 0 },
    });
    const { body } = await verify(id, {}, editor);
    await as("PUT /admin/events/actions", { actionId: "shard.broadcast", enabled: true, caps: {} });
    const { report } = body as { report: { findings: { level: string; path: string }[] } };
    expect(body).toMatchObject({
      recorded: false,
      report: { ok: false, worstCase: { broadcasts: 1, champions: 1 } },
    });
    expect(report.findings.map(({ level, path }) => `${level} ${path}`)).toEqual([
      "error /spec/schedule",
      "error /spec/params/0",
      "error /spec/phases/0/steps/1/params/seconds",
      "error /spec/phases/0/steps/2/actionId",
      "warning /spec/phases/0/steps/2/actionId",
      "error /spec/phases",
    ]);
    expect(statusAndBodyOf(await verify(id, { target: "moon" }))).toEqual([
      400,
      { errors: [fault("/target", "unknown")] },
    ]);
  });
});

describe("POST /admin/events/:id/runs", () => {
  it("creates one run per occurrence for thirty simultaneous requests at two processes", async () => {
    const id = await publishEvent(buildOneStepSpec({}), { concurrencyKey: "yard" });
    const scheduledFor = new Date(Math.round(Date.now() / 1_000) * 1_000 + 5 * dayMs).toISOString();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        as(
          `POST /admin/events/${id}/runs`,
          { scheduledFor },
          at % 3 ? admin : editor,
          at % 2 ? server : other,
        ),
      ),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect([created.length, new Set(answers.map(({ status }) => status)).size]).toEqual([1, 2]);
    const runIds = answers.map(({ body }) => (body as { run: Run }).run.id);
    expect(new Set(runIds).size).toBe(1);
    expect(created[0]?.body).toEqual({
      run: expect.objectContaining({
        definitionId: id,
        status: "scheduled",
        scheduledFor,
        concurrencyKey: "yard",
      }),
      created: true,
    });
    const rows = await detailsOf("event.run.created", runIds[0] ?? 0);
    expect(rows).toEqual([
      { detail: { definitionId: id, scope: "shard", scheduledFor, rehearsal: false } },
    ]);
    const apart = await as(`POST /admin/events/${id}/runs`, { scheduledFor, scope: "site" });
    const rehearsal = await as(`POST /admin/events/${id}/runs`, { scheduledFor, rehearsal: true });
    expect([apart.status, rehearsal.status]).toEqual([201, 201]);
  });

  it("creates one run without a time, and another only after that run has ended", async () => {
    const id = await publishEvent(buildOneStepSpec({}));
    const start = (body: object = {}) => as(`POST /admin/events/${id}/runs`, body);
    const answers = await Promise.all(Array.from({ length: 30 }, () => start()));
    const ids = new Set(answers.map(({ body }) => (body as { run: Run }).run.id));
    expect([ids.size, answers.filter(({ status }) => status === 201).length]).toEqual([1, 1]);
    const [first] = ids;
    expect((await start({ scheduledFor: null })).body).toMatchObject({
      created: false,
      run: { id: first, scheduledFor: null },
    });
    await changeRun(server, first ?? 0, { status: "completed", endedAt: clockNow() });
    const next = await start();
    expect([next.status, (next.body as { run: Run }).run.id === first]).toEqual([201, false]);
  });

  it("answers the run that the schedule created", async () => {
    const id = await publishEvent(daily());
    const [run] = await runsOf(id);
    const answered = await as(`POST /admin/events/${id}/runs`, { scheduledFor: run?.scheduledFor });
    expect([answered.status, answered.body]).toEqual([200, { run, created: false }]);
  });

  it("fills in parameters, copies the lowest cap of the actions of the event, and logs who created the run", async () => {
    const params = [
      { name: "boss", type: "string", required: true, default: "Barracoon" },
      { name: "guests", type: "integer", min: 1 },
    ];
    await as("PUT /admin/events/actions", {
      actionId: "shard.broadcast",
      enabled: true,
      caps: { broadcasts: 9 },
    });
    await as("PUT /admin/events/actions", {
      actionId: "shard.towncrier.add",
      enabled: true,
      caps: { broadcasts: 4 },
    });
    const cry = {
      key: "cry",
      actionId: "shard.towncrier.add",
      params: { lines: "Hear", durationSec: 60 },
    };
    const spec = buildOneStepSpec({}, { params });
    const [phase] = spec.phases;
    const steps = [...(phase?.steps ?? []), cry];
    const id = await publishEvent({ ...spec, phases: [{ ...phase, steps }] });
    const answered = await as(`POST /admin/events/${id}/runs`, { params: { guests: 3 } }, editor);
    await as("PUT /admin/events/actions", { actionId: "shard.broadcast", enabled: true, caps: {} });
    await as("PUT /admin/events/actions", {
      actionId: "shard.towncrier.add",
      enabled: true,
      caps: {},
    });
    const { run } = answered.body as { run: Run };
    expect(run.params).toEqual({ boss: "Barracoon", guests: 3 });
    const detail = await as(`GET /admin/events/runs/${run.id}`);
    expect(statusAndBodyOf(detail)).toEqual([
      200,
      {
        run: { ...run, startedBy: editor.userId, startedByUsername: editor.username },
        steps: [],
        counts: {},
        gates: [],
        budget: [{ dimension: "broadcasts", cap: 4, spent: 0, actionId: "shard.towncrier.add" }],
      },
    ]);
    expect(await logOf(run.id)).toEqual([["created", { by: "person", userId: editor.userId }]]);
  });

  it("creates a run with no more rights than its API token", async () => {
    const id = await publishEvent(buildOneStepSpec({}));
    const body = { name: "bot", role: "editor", scopes: ["events:read", "events:write"] };
    const { secret } = (await as("POST /admin/tokens", body)).body as { secret: string };
    const headers = { authorization: `Bearer ${secret}` };
    const answered = await callRoute(server, `POST /admin/events/${id}/runs`, {
      headers,
      body: {},
    });
    const { run } = answered.body as { run: Run };
    expect([answered.status, run]).toEqual([
      201,
      expect.objectContaining({ startedBy: admin.userId }),
    ]);
    const own = await as(`POST /admin/events/${id}/runs`, { scheduledFor: inDays(1) });
    const runIds = [run.id, (own.body as { run: Run }).run.id];
    const started = await Promise.all(runIds.map((runId) => runOf(server, runId)));
    expect(started.map(({ startedAs }) => startedAs)).toEqual(["editor", null]);
    const line = await server.context.models.ActivityEntry.findOne({
      where: { targetType: "run", targetId: String(run.id) },
    });
    expect(line).toMatchObject({ actorId: admin.userId, tokenId: anyId });
    const refusedToken = await callRoute(server, `POST /admin/events/${id}/publish`, { headers });
    expect(refusedToken.status).toBe(403);
  });

  it("rejects a run that could not begin", async () => {
    const id = await publishEvent(
      buildOneStepSpec({}, { params: [{ name: "boss", type: "string", required: true }] }),
    );
    const start = (body: object) => as(`POST /admin/events/${id}/runs`, body);
    const given = { params: { boss: "x" } };
    const faults = async (body: object) =>
      ((await start(body)).body as { errors: object[] }).errors;
    expect(await faults({ params: { bos: 1 } })).toEqual([
      fault("/params/bos", "unknown"),
      fault("/params/boss", "required"),
    ]);
    expect(await faults({ params: { boss: 5 } })).toEqual([fault("/params/boss", "type")]);
    expect(await faults({ ...given, scheduledFor: "2030-01-01T20:00" })).toEqual([
      fault("/scheduledFor", "format"),
    ]);
    expect(await faults({ ...given, scheduledFor: "2030-02-30T20:00Z" })).toEqual([
      fault("/scheduledFor", "format"),
    ]);
    expect(await faults({ ...given, scheduledFor: "2020-01-01T20:00Z" })).toEqual([
      fault("/scheduledFor", "range"),
    ]);
    expect(await faults({ ...given, scope: "moon", rehearsal: "no", params: [] })).toEqual([
      fault("/scope", "format"),
      fault("/rehearsal", "type"),
      fault("/params", "type"),
    ]);
    for (const scope of ["survival:", "survival:0", "survival:01", "survival:1 ", "Survival:1"]) {
      expect(await faults({ ...given, scope })).toEqual([fault("/scope", "format")]);
    }
    expect(await faults({ ...given, scope: "survival:999999999" })).toEqual([
      fault("/scope", "unknown"),
    ]);
    const late = await start({
      ...given,
      scheduledFor: new Date(Date.now() - 60_000).toISOString(),
    });
    expect(late.status).toBe(201);
    const draft = await createEvent();
    expect(statusAndBodyOf(await as(`POST /admin/events/${draft}/runs`, {}))).toEqual(
      refused("the event was never published"),
    );
    expect((await as("POST /admin/events/2147483647/runs", { scope: 1 })).status).toBe(404);
  });

  it("creates only runs of the new version if the event is being published at the same time", async () => {
    const id = await publishEvent(buildOneStepSpec({}));
    const asked = Array.from({ length: 20 }, (_, at) =>
      at % 4 === 0
        ? as(`POST /admin/events/${id}/publish`, undefined, admin, other)
        : as(`POST /admin/events/${id}/runs`, { scheduledFor: inDays(2 + at) }),
    );
    const answers = await Promise.all(asked);
    expect(answers.every(({ status }) => status === 200 || status === 201)).toBe(true);
    const event = await server.context.models.EventDefinition.findByPk(id);
    const versions = (await runsOfEvent(server, id)).map(({ versionId }) => versionId);
    expect(new Set(versions)).toEqual(new Set([event?.currentVersionId]));
  });
});

describe("a run in progress", () => {
  it("shows its steps, counts, waiting steps, its gate as a sentence, and its newest log lines", async () => {
    const id = await publishEvent(championEvening);
    const { body } = await as(`POST /admin/events/${id}/runs`, {});
    const runId = (body as { run: Run }).run.id;
    const underWay = { status: "running", currentPhase: "fight", startedAt: clockNow() } as const;
    await changeRun(server, runId, underWay);
    await buildStep(server, {
      runId,
      phase: "gather",
      actionId: "shard.broadcast",
      params: { text: "x" },
      onFailure: "continue",
      status: "succeeded",
    });
    await buildStep(server, {
      runId,
      phase: "fight",
      phaseIndex: 1,
      key: "spawn",
      idempotencyKey: `k2-${runId}`,
      actionId: "shard.champion.start",
      onFailure: "pause",
      confirm: true,
      status: "running",
    });
    for (const phase of ["p1", "p2", "p3", "p4", "p5"]) {
      await server.context.models.EventLogLine.create({ runId, kind: "phase", phase });
    }
    const detail = (await as(`GET /admin/events/runs/${runId}`)).body as Record<string, unknown>;
    expect(detail).toMatchObject({
      run: { waitingSteps: 1, currentPhase: "fight" },
      counts: { succeeded: 1, running: 1 },
      gates: ["waiting for 1 more of `champ.end` where outcome is defeated"],
    });
    expect(detail["steps"]).toEqual([
      expect.objectContaining({
        runId,
        phase: "gather",
        seq: 1,
        parked: false,
        status: "succeeded",
      }),
      {
        id: anyId,
        runId,
        phase: "fight",
        seq: 1,
        actionId: "shard.champion.start",
        params: {},
        actionVersion: 1,
        status: "running",
        parked: true,
        dueAt: null,
        attempts: 0,
        onFailure: "pause",
        idempotencyKey: `k2-${runId}`,
        lastError: null,
        startedAt: null,
        finishedAt: null,
        revision: anyRevision,
      },
    ]);
    const log = await as(`GET /admin/events/runs/${runId}/log?limit=2`);
    const line = { id: anyId, stepId: null, kind: "phase", detail: {}, at: anyTime };
    expect(log.body).toEqual({
      log: [
        { ...line, phase: "p4" },
        { ...line, phase: "p5" },
      ],
      kinds: expect.arrayContaining(["created", "refused", "trigger"]),
    });
    expect(statusAndBodyOf(await as("GET /admin/events/runs?limit=101&status=gone"))).toEqual([
      400,
      { errors: [fault("/status", "unknown"), fault("/limit", "range")] },
    ]);
    expect((await as("GET /admin/events/runs/0")).status).toBe(400);
    expect(statusAndBodyOf(await as("GET /admin/events/runs/2147483647/log"))).toEqual([
      404,
      { error: "Unknown run" },
    ]);
  });
});

describe("GET /admin/events/calendar", () => {
  const calendar = (from: string, to: string, more = "") =>
    as(
      `GET /admin/events/calendar?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}${more}`,
    );

  it("shows runs and later occurrences, at the same wall time across a clock change", async () => {
    const zone = "Europe/Berlin";
    const { series } = (await as("POST /admin/events/series", { name: "Zoned" })).body as {
      series: { id: number };
    };
    const schedule = { kind: "recurring", at: wallIn(1), rrule: "FREQ=DAILY" };
    const id = await publishEvent(daily({}, { schedule }), { timezone: zone, seriesId: series.id });
    const { body } = await calendar(inDays(0), inDays(360), `&seriesId=${series.id}`);
    const read = body as { entries: Record<string, string | number | null>[]; horizon: string };
    expect(body).toMatchObject({
      horizonDays: 30,
      truncated: false,
      window: { from: anyTime, to: anyTime },
    });
    const days = read.entries.map(({ scheduledFor }) =>
      Temporal.Instant.from(String(scheduledFor)).toZonedDateTimeISO(zone),
    );
    expect(new Set(days.map((time) => time.toPlainTime().toString()))).toEqual(
      new Set(["20:00:00"]),
    );
    expect(new Set(days.map((time) => time.offset))).toEqual(new Set(["+01:00", "+02:00"]));
    expect(new Set(days.map((time) => time.toPlainDate().toString())).size).toBe(
      read.entries.length,
    );
    const isProjected = ({ status }: { status?: unknown }) => status === "projected";
    const split = read.entries.findIndex(isProjected);
    expect(read.entries.slice(split).every(isProjected)).toBe(true);
    expect(String(read.entries[split]?.["scheduledFor"]) >= read.horizon.slice(0, 10)).toBe(true);
    expect(read.entries.at(-1)).toEqual({
      runId: null,
      definitionId: id,
      title: expect.any(String),
      slug: expect.any(String),
      seriesId: series.id,
      scope: "shard",
      scheduledFor: anyTime,
      status: "projected",
      versionId: anyId,
    });
    const only = await calendar(
      inDays(0),
      inDays(60),
      `&seriesId=${series.id}&status=projected&scope=site`,
    );
    expect(only.body).toMatchObject({ entries: [] });
    await as(`DELETE /admin/events/${id}`);
    const archived = await calendar(inDays(0), inDays(360), `&seriesId=${series.id}`);
    const statuses = (archived.body as typeof read).entries.map(({ status }) => status);
    expect([new Set(statuses), statuses.length]).toEqual([new Set(["cancelled"]), split]);
  });

  it("requires both bounds as instants, at most 366 days apart", async () => {
    const range = [400, { errors: [fault("/to", "range")] }];
    expect(statusAndBodyOf(await as("GET /admin/events/calendar"))).toEqual([
      400,
      { errors: [fault("/from", "required"), fault("/to", "required")] },
    ]);
    expect(
      statusAndBodyOf(await calendar("2026-01-01T00:00", "2026-02-01", "&status=gone")),
    ).toEqual([
      400,
      { errors: [fault("/from", "format"), fault("/to", "format"), fault("/status", "unknown")] },
    ]);
    expect(statusAndBodyOf(await calendar("2026-01-01T00:00Z", "2027-01-03T00:00Z"))).toEqual(
      range,
    );
    expect(statusAndBodyOf(await calendar("2026-01-02T00:00Z", "2026-01-01T00:00Z"))).toEqual(
      range,
    );
    expect((await calendar("2026-01-01T00:00+02:00", "2027-01-02T00:00+02:00")).status).toBe(200);
  });
});

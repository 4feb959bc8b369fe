import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { type ClaimedStep, claimStep } from "../../shared/events/engine/claim-step.ts";
import { findRunsWithUnreadEvents } from "../../shared/events/engine/gate-events.ts";
import { runAttempt, recordAttempt, runStep } from "../../shared/events/engine/run-step.ts";
import { sweepRuns } from "../../shared/events/engine/sweeper.ts";
import { EventSweeper } from "../../shared/events/engine/sweeper.ts";
import type { AttemptResult } from "../../shared/events/machine/settle.ts";
import { createAllScheduledRuns } from "../../shared/events/occurrences/create-scheduled-runs.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { query } from "../support/database/query.ts";
import { statementsOf } from "../support/database/statements.ts";
import { jobsOf } from "../support/database/stored-jobs.ts";
import { changeRun, changeStep, runOf, stepRow } from "../support/factories/events.ts";
import { pushesOf } from "../support/factories/push.ts";
import { changeUser, deleteUser, disableUser } from "../support/factories/users.ts";
import { anyRevision } from "../support/http/any-revision.ts";
import { addReadRevision } from "../support/http/as-read.ts";
import { type ApiAnswer, callRoute, statusAndBodyOf } from "../support/http/call.ts";
import { type Block, openStream } from "../support/http/event-stream.ts";
import { loseAnswer, overSidecar } from "../support/plugin/over-sidecar.ts";
import { itInLongLane } from "../support/runner/lane.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";
import { startTestIngest, type TestIngest } from "../support/shard/ingest.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

let shard: LinkedShard;
let admin: SignedIn;
let editor: SignedIn;
/** A second process of the same service. */
let other: TestServer;
let worker: TestWorker;
let ingest: TestIngest;
let sweeper: EventSweeper;
beforeAll(async () => {
  shard = await startLinkedShard();
  admin = await signIn(shard.server, { role: "admin" });
  editor = await signIn(shard.server, { role: "editor" });
  other = await startTestServer({ database: shard.server.database });
  worker = await startTestWorker(shard.server, ["events"]);
  ingest = await startTestIngest(shard.server.context);
  sweeper = new EventSweeper(shard.server.context);
  sweeper.start();
});
afterAll(async () => {
  await sweeper.stop();
  await ingest.stop();
  await worker.stop();
  await other.stop();
  await shard.stop();
});

type Who = Pick<SignedIn, "userId"> & { readonly headers: Readonly<Record<string, string>> };

const send = (route: string, body?: object, who: Who = admin): Promise<ApiAnswer> =>
  callRoute(shard.server, route, { headers: who.headers, ...(body && { body }) });
const as = async (route: string, body?: object, who: Who = admin): Promise<ApiAnswer> =>
  send(route, await addReadRevision(route, body, send), who);

interface Run {
  readonly id: number;
  readonly status: string;
  readonly health: string;
  readonly currentPhase: string | null;
  readonly lastError: string | null;
}
interface Step {
  readonly id: number;
  readonly status: string;
  readonly parked: boolean;
  readonly attempts: number;
  readonly idempotencyKey: string;
  readonly lastError: string | null;
  readonly params: object;
}
interface Detail {
  readonly run: Run;
  readonly gates: string[];
  readonly steps: Step[];
  readonly budget: { dimension: string; spent: number }[];
}

const good = ({ status, body, text }: ApiAnswer): unknown => {
  if (status >= 300) throw new Error(text);
  return body;
};

let count = 0;
type Phase = readonly object[] | { steps: readonly object[]; advance?: object };

async function published(
  phases: readonly Phase[],
  {
    listed = false,
    params = [{ name: "boss", type: "string", default: "Barracoon" }],
    ...more
  }: { listed?: boolean; params?: readonly object[]; [field: string]: unknown } = {},
): Promise<number> {
  const number = ++count;
  const spec = {
    listed,
    params,
    phases: phases.map((phase, index) => {
      const { steps, ...rest } = Array.isArray(phase) ? { steps: phase } : (phase as { steps: [] });
      const keyed = steps.map((step: object, place) => ({ key: `s${index}-${place}`, ...step }));
      return { key: `p${index}`, title: `Phase ${index}`, steps: keyed, ...rest };
    }),
  };
  const given = { title: `Evening ${number}`, spec, ...more };
  const { event } = good(await as("POST /admin/events", given)) as { event: { id: number } };
  good(await as(`POST /admin/events/${event.id}/publish`));
  return event.id;
}

async function startRun(eventId: number, body: object = {}, who: Who = admin): Promise<number> {
  const made = good(await as(`POST /admin/events/${eventId}/runs`, body, who)) as { run: Run };
  // Start due runs now, as the sweeper does every second.
  await sweepRuns(shard.server.context);
  return made.run.id;
}

const read = async (runId: number): Promise<Detail> =>
  good(await as(`GET /admin/events/runs/${runId}`)) as Detail;

async function runIs(runId: number, status: string): Promise<Detail> {
  let seen: Detail | undefined;
  await waitUntil(
    () => `run ${runId} ${status}: ${JSON.stringify(seen)}`,
    async () => {
      seen = await read(runId);
      return seen.run.status === status;
    },
  );
  return seen as Detail;
}

async function stepIs(runId: number, is: (step: Step) => boolean): Promise<Step> {
  let seen: Step | undefined;
  await waitUntil(
    () => `a step: ${JSON.stringify(seen)}`,
    async () => {
      const { steps } = await read(runId);
      seen = steps.find(is) ?? steps[0];
      return seen !== undefined && is(seen);
    },
  );
  return seen as Step;
}

interface Line {
  readonly kind: string;
  readonly stepId: number | null;
  readonly detail: object;
}
const logOf = async (runId: number): Promise<Line[]> =>
  (good(await as(`GET /admin/events/runs/${runId}/log`)) as { log: Line[] }).log;
const kindsOf = async (runId: number): Promise<string[]> =>
  (await logOf(runId)).map(({ kind }) => kind);

const say = (text: string, more: object = {}) => ({
  actionId: "shard.broadcast",
  params: { text },
  ...more,
});
const commandsOf = (step: Step) =>
  shard.simulator.received.commands.filter(({ key }) => key === step.idempotencyKey);
const enable = (actionId: string, enabled: boolean, caps?: object) =>
  as("PUT /admin/events/actions", { actionId, enabled, ...(caps && { caps }) });

describe("a run", () => {
  it("continues from phase to phase without a person, and acts in the name of its starter", async () => {
    const eventId = await published([
      [say("{{boss}} stirs!"), say("Once more")],
      [say("It is over")],
    ]);
    const runId = await startRun(eventId, { params: { boss: "{{boss}} <b>../x" } });
    const { run, steps } = await runIs(runId, "completed");
    expect(run).toMatchObject({ health: "ok", currentPhase: "p1", lastError: null });
    expect(steps.map(({ status, attempts }) => [status, attempts])).toEqual(
      Array.from({ length: 3 }, () => ["succeeded", 1]),
    );
    const sent = steps.flatMap(commandsOf);
    expect(sent.map(({ body }) => (body as { text: string }).text)).toEqual([
      // A value that contains a placeholder is inserted unchanged: placeholders in inserted values are not
      // replaced.
      "{{boss}} <b>../x stirs!",
      "Once more",
      "It is over",
    ]);
    expect(sent.map(({ actor }) => actor)).toEqual(
      Array.from({ length: 3 }, () => ({
        userId: admin.userId,
        username: admin.username,
        role: "admin",
      })),
    );
    expect(steps[0]?.idempotencyKey).toMatch(
      new RegExp(`^evt:[0-9a-f-]{36}:${runId}:${steps[0]?.id}$`),
    );
    const step = ["step.started", "step.succeeded"];
    expect(await kindsOf(runId)).toEqual([
      "created",
      "started",
      "phase",
      ...step,
      ...step,
      "phase",
      ...step,
      "completed",
    ]);
  });

  it("retries a command with the same key if the shard did not answer", async () => {
    loseAnswer(shard.simulator, { method: "POST", path: "/v1/broadcast" });
    const runId = await startRun(await published([[say("Hear ye")]]));
    const { steps } = await runIs(runId, "completed");
    const [step] = steps as [Step];
    expect([step.status, step.attempts]).toEqual(["succeeded", 2]);
    expect(commandsOf(step).map(({ carriedOut, replayed }) => [carriedOut, replayed])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it("does not retry a command that the shard rejects permanently", async () => {
    shard.simulator.faults.trigger("status", {
      path: "/v1/broadcast",
      status: 400,
      code: "INVALID",
    });
    const runId = await startRun(await published([[say("Hear ye", { onFailure: "abort" })]]));
    const { run, steps } = await runIs(runId, "failed");
    expect([run.health, steps[0]?.attempts, steps[0]?.lastError]).toEqual([
      "degraded",
      1,
      expect.stringContaining("INVALID"),
    ]);
  });

  it.each([
    [400, "UNHEARD_OF"],
    [403, "UNHEARD_OF"],
    [404, "NOT_FOUND"],
    [404, "UNHEARD_OF"],
    [409, "CONFLICT"],
    [409, "BUSY"],
    [409, "UNHEARD_OF"],
    [410, "GONE"],
    [422, "DISABLED"],
    [422, "UNHEARD_OF"],
  ])("fails a step at once if the shard answers %i %s", async (status, code) => {
    shard.simulator.faults.trigger("status", { path: "/v1/broadcast", status, code });
    const runId = await startRun(await published([[say("Hear ye", { onFailure: "abort" })]]));
    const { steps } = await runIs(runId, "failed");
    expect(steps.map(({ attempts }) => attempts)).toEqual([1]);
    expect((await stepRow(shard.server, steps[0]?.id ?? 0)).firstUnknownAt).toBeNull();
  });

  async function triedAgain(
    fault: "protocol" | "unauthorized" | "status" | "html",
    answer: object,
  ) {
    shard.simulator.faults.trigger(fault, { path: "/v1/broadcast", ...answer });
    const runId = await startRun(await published([[say("Hear ye", { onFailure: "abort" })]]));
    const { steps } = await runIs(runId, "completed");
    return [steps[0]?.status, steps[0]?.attempts];
  }

  it.each([
    ["protocol", {}],
    ["unauthorized", {}],
    ["status", { status: 429, code: "LIMIT" }],
    ["status", { status: 429, code: "UNHEARD_OF" }],
    ["status", { status: 502, code: "UNHEARD_OF" }],
    ["status", { status: 503, code: "SHARD_DOWN" }],
  ] as const)("retries after a temporary fault: %s %j", async (fault, answer) => {
    expect(await triedAgain(fault, answer)).toEqual(["succeeded", 2]);
  });

  it("retries after an answer that is an HTML page", overSidecar, async () => {
    expect(await triedAgain("html", {})).toEqual(["succeeded", 2]);
  });

  it("waits for a time, and waits for a person's confirmation", async () => {
    const steps = [
      { actionId: "core.wait", params: { seconds: 1 } },
      { actionId: "core.confirm", params: { message: "Is everybody there?" } },
    ];
    const runId = await startRun(await published([steps]));
    const parked = await stepIs(runId, (step) => step.parked);
    const waited = (await read(runId)).steps[0];
    expect([waited?.status, waited?.attempts, parked.status]).toEqual(["succeeded", 1, "running"]);
  });

  it("logs every call and executes none in a rehearsal", async () => {
    const steps = [
      {
        key: "cry",
        actionId: "shard.towncrier.add",
        params: { lines: "Come all", durationSec: 60 },
      },
      { actionId: "shard.towncrier.remove", params: { step: "cry" } },
    ];
    const runId = await startRun(await published([steps]), { rehearsal: true });
    const { steps: done } = await runIs(runId, "completed");
    expect(done.flatMap(commandsOf)).toEqual([]);
    const { log } = good(await as(`GET /admin/events/runs/${runId}/log`)) as {
      log: { kind: string; detail: object }[];
    };
    const said = log.filter(({ kind }) => kind === "step.succeeded").map(({ detail }) => detail);
    expect(said).toEqual([
      { rehearsal: true, call: { addTownCrier: { lines: ["Come all"], durationSec: 60 } } },
      { rehearsal: true, call: { removeTownCrier: { id: "rehearsed" } } },
    ]);
  });
});

describe("the rights of a run", () => {
  const start = { actionId: "shard.champion.start", params: { id: "0x40001A2B" } };

  it("are checked at each step, whose action must be enabled and allowed for the role of the starter", async () => {
    const eventId = await published([[start]]);
    const off = await runIs(await startRun(eventId, { rehearsal: true }), "paused");
    expect([off.run.health, off.steps[0]?.lastError, off.steps[0]?.attempts]).toEqual([
      "degraded",
      "shard.champion.start is switched off",
      1,
    ]);
    await enable("shard.champion.start", true);
    const byEditor = await startRun(await published([[start]]), { rehearsal: true }, editor);
    const refused = await runIs(byEditor, "paused");
    expect(refused.steps[0]?.lastError).toBe(
      "shard.champion.start needs a run that an administrator started",
    );
    expect(await kindsOf(byEditor)).toEqual([
      "created",
      "started",
      "phase",
      "step.started",
      "refused",
      "paused",
    ]);
  });

  it("end when its starter is demoted", async () => {
    const demoted = await signIn(shard.server, { role: "editor" });
    const wait = { actionId: "core.wait", params: { seconds: 1 } };
    const runId = await startRun(await published([[wait, say("Too late")]]), {}, demoted);
    await stepIs(runId, ({ status }) => status === "ready");
    await changeUser(shard.server, demoted.userId, { role: "player" });
    const { run, steps } = await runIs(runId, "completed");
    expect([run.health, steps[1]?.status, steps.flatMap(commandsOf)]).toEqual([
      "degraded",
      "failed",
      [],
    ]);
  });

  it("end when the token that started it is revoked", async () => {
    const made = await as("POST /admin/tokens", {
      name: "Bot",
      role: "editor",
      scopes: ["events:write", "events:read"],
    });
    const { secret, token } = good(made) as { secret: string; token: { id: number } };
    const bot = { ...admin, headers: { authorization: `Bearer ${secret}` } };
    const ask = { actionId: "core.confirm", params: {} };
    const eventId = await published([[say("By a program"), ask, say("Too late")]]);
    const runId = await startRun(eventId, {}, bot);
    const step = await stepIs(runId, ({ parked }) => parked);
    good(await as(`DELETE /admin/tokens/${token.id}`));
    good(await as(`POST /admin/events/runs/${runId}/steps/${step.id}/confirm`));
    const { run, steps } = await runIs(runId, "completed");
    expect([run.health, steps.map(({ status, lastError }) => [status, lastError])]).toEqual([
      "degraded",
      [
        ["succeeded", null],
        ["succeeded", null],
        ["failed", "the API token that started the run is no longer valid"],
      ],
    ]);
  });

  it.each([
    [
      "its creator is no longer an administrator",
      ({ userId }: SignedIn) => changeUser(shard.server, userId, { role: "editor" }),
    ],
    [
      "it was deleted long after its revocation",
      ({ userId: createdBy }: SignedIn) =>
        shard.server.context.models.ApiToken.destroy({ where: { createdBy } }),
    ],
  ])("end when the token that started the run becomes invalid: %s", async (_, end) => {
    const maker = await signIn(shard.server, { role: "admin" });
    const asked = { name: "Bot", role: "editor", scopes: ["events:write", "events:read"] };
    const { secret } = good(await as("POST /admin/tokens", asked, maker)) as { secret: string };
    const bot = { ...maker, headers: { authorization: `Bearer ${secret}` } };
    const ask = { actionId: "core.confirm", params: {} };
    const eventId = await published([[ask, say("Too late")]]);
    const runId = await startRun(eventId, {}, bot);
    const step = await stepIs(runId, ({ parked }) => parked);
    await end(maker);
    good(await as(`POST /admin/events/runs/${runId}/steps/${step.id}/confirm`));
    const { run, steps } = await runIs(runId, "completed");
    expect([run.health, steps[1]?.status, steps[1]?.lastError, steps.flatMap(commandsOf)]).toEqual([
      "degraded",
      "failed",
      "the API token that started the run is no longer valid",
      [],
    ]);
  });

  it("end when the budget of the run is spent, and each step is charged once", async () => {
    await enable("shard.broadcast", true, { broadcasts: 2 });
    const texts = ["one", "two", "three"].map((text) => say(text));
    const runId = await startRun(await published([texts]));
    await enable("shard.broadcast", true, {});
    const { run, steps, budget } = await runIs(runId, "completed");
    expect([run.health, steps.map(({ status }) => status), budget]).toEqual([
      "degraded",
      ["succeeded", "succeeded", "failed"],
      [expect.objectContaining({ dimension: "broadcasts", spent: 2 })],
    ]);
    expect((await kindsOf(runId)).filter((kind) => kind === "budget")).toHaveLength(1);
  });
});

describe("the start of a run", () => {
  const inPast = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
  const text = [[say("x")]];

  itInLongLane(
    "waits for the slot of its concurrency key, and is recorded as missed if the slot stays taken",
    async () => {
      const keyed = { concurrencyKey: "arena", graceSeconds: 5 };
      const confirm = [[{ actionId: "core.confirm", params: {} }]];
      const first = await startRun(await published(confirm, keyed));
      await runIs(first, "running");
      const second = await startRun(await published(text, keyed));
      const { run } = await runIs(second, "missed");
      expect([run.lastError, (await read(first)).run.status]).toEqual(["slot taken", "running"]);
    },
  );

  it("needs a verified version if the run is scheduled, but not if a person starts it now", async () => {
    const eventId = await published(text, { graceSeconds: 2 });
    const { run } = await runIs(await startRun(eventId, { scheduledFor: inPast(1) }), "missed");
    expect(run.lastError).toBe("not verified");
    await runIs(await startRun(eventId), "completed");
    good(await as(`POST /admin/events/${eventId}/verify`, {}));
    await runIs(await startRun(eventId, { scheduledFor: inPast(0) }), "completed");
  });
});

describe("a step whose worker is lost", () => {
  it("is claimed again when the lease ends, and its effect happens once", overSidecar, async () => {
    const hang = { method: "POST", path: "/v1/broadcast", carryOut: true };
    shard.simulator.faults.trigger("hang", hang);
    const runId = await startRun(await published([[say("Lost")]]));
    const held = await stepIs(runId, ({ status }) => status === "running");
    // Let the lease expire, as if the worker had stalled.
    await changeStep(shard.server, held.id, { leaseUntil: clockNowPlus(-1_000) });
    const { steps } = await runIs(runId, "completed");
    expect([steps[0]?.status, steps[0]?.attempts]).toEqual(["succeeded", 2]);
    expect(commandsOf(steps[0] as Step).filter(({ carriedOut }) => carriedOut)).toHaveLength(1);
    expect(statusAndBodyOf(await as(`GET /admin/events/runs/${runId}/log?limit=1000`))[0]).toBe(
      200,
    );
  });
});

describe("a person", () => {
  const ask = { actionId: "core.confirm", params: { message: "Is everybody there?" } };
  const control = (runId: number, verb: string, body?: object, who = admin) =>
    as(`POST /admin/events/runs/${runId}/${verb}`, body, who);
  const decide = (step: Pick<Step, "id">, runId: number, verb: string, body?: object) =>
    control(runId, `steps/${step.id}/${verb}`, body);
  const whole = async (runId: number) => (await read(runId)).run;
  const refused = (message: string) => [
    409,
    { errors: [{ path: "/status", code: "state", message }] },
  ];
  const lastLine = async (runId: number) => (await logOf(runId)).at(-1);
  const lineOf = async (action: string, target: string) =>
    (await shard.logged(action)).filter((line) => line.target === target);

  /** Starts a run whose first step waits for a person's confirmation. */
  async function waiting(phases: readonly Phase[] = [[ask, say("On we go")]]) {
    const runId = await startRun(await published(phases));
    return { runId, step: await stepIs(runId, ({ parked }) => parked) };
  }

  it("can pause and resume a run, and the log of the run and the activity log record the user", async () => {
    const { runId, step } = await waiting();
    const reason = "The moongate is blocked";
    const paused = await control(runId, "pause", { reason }, editor);
    expect(statusAndBodyOf(paused)).toEqual([200, { run: await whole(runId) }]);
    expect(await lastLine(runId)).toMatchObject({
      kind: "paused",
      detail: { by: editor.userId, reason },
    });
    expect(await lineOf("event.run.paused", `run ${runId}`)).toEqual([
      { actorId: editor.userId, target: `run ${runId}`, detail: { reason } },
    ]);
    expect(statusAndBodyOf(await control(runId, "pause"))).toEqual(
      refused("a paused run cannot be paused"),
    );
    const confirmed = await decide(step, runId, "confirm", { note: "All here" });
    const [first, next] = (await read(runId)).steps;
    expect(statusAndBodyOf(confirmed)).toEqual([200, { step: first }]);
    // The next step does not become ready while the run is paused.
    expect([first?.status, next?.status]).toEqual(["succeeded", "pending"]);
    expect(await lineOf("event.step.confirmed", `step ${step.id}`)).toEqual([
      {
        actorId: admin.userId,
        target: `step ${step.id}`,
        detail: { runId, note: "All here" },
      },
    ]);
    const resumed = await control(runId, "resume");
    expect([resumed.status, (resumed.body as { run: Run }).run.status]).toEqual([200, "running"]);
    await runIs(runId, "completed");
    expect(statusAndBodyOf(await control(runId, "resume"))).toEqual(
      refused("a completed run cannot be resumed"),
    );
    expect((await kindsOf(runId)).slice(4, 8)).toEqual([
      "parked",
      "paused",
      "step.confirmed",
      "resumed",
    ]);
  });

  it("must confirm a step before its effect if the step asks for it", async () => {
    const { runId, step } = await waiting([[say("Now", { confirm: true })]]);
    expect([step.attempts, commandsOf(step)]).toEqual([0, []]);
    expect((await decide(step, runId, "confirm")).status).toBe(200);
    const { steps } = await runIs(runId, "completed");
    expect([steps[0]?.attempts, commandsOf(step)]).toHaveLength(2);
    expect(commandsOf(step)).toHaveLength(1);
    expect(statusAndBodyOf(await decide(step, runId, "confirm"))).toEqual(
      refused("the run is completed"),
    );
  });

  it("can advance a run, and its unfinished steps are skipped", async () => {
    const { runId } = await waiting([
      [ask, say("Never said")],
      { steps: [], advance: { kind: "manual" } },
    ]);
    const advanced = await control(runId, "advance", { reason: "Late" });
    expect(statusAndBodyOf(advanced)).toEqual([200, { run: await whole(runId), phase: "p1" }]);
    expect((await read(runId)).steps.map(({ status }) => status)).toEqual(["skipped", "skipped"]);
    expect(statusAndBodyOf(await control(runId, "advance"))).toEqual([
      200,
      { run: await whole(runId), phase: null },
    ]);
    const { run } = await runIs(runId, "completed");
    expect(run.currentPhase).toBe("p1");
    expect(await lineOf("event.run.advanced", `run ${runId}`)).toHaveLength(2);
  });

  it("can cancel a scheduled or running run, once", async () => {
    const { runId } = await waiting();
    const cancelled = await control(runId, "cancel", { reason: "Nobody came" });
    expect(statusAndBodyOf(cancelled)).toEqual([
      200,
      { run: await whole(runId), cancelledSteps: 2 },
    ]);
    expect(await lastLine(runId)).toMatchObject({
      kind: "cancelled",
      detail: { by: admin.userId, reason: "Nobody came" },
    });
    expect(statusAndBodyOf(await control(runId, "cancel"))).toEqual(
      refused("a cancelled run cannot be cancelled"),
    );
    const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
    const ahead = await startRun(await published([[ask]]), { scheduledFor });
    expect(statusAndBodyOf(await control(ahead, "advance"))).toEqual(
      refused("a scheduled run cannot be advanced"),
    );
    expect(statusAndBodyOf(await control(ahead, "cancel"))).toEqual([
      200,
      { run: await whole(ahead), cancelledSteps: 0 },
    ]);
  });

  it("can retry a failed step under its key, and the retry resumes the run that the failure paused", async () => {
    shard.simulator.faults.trigger("status", {
      path: "/v1/broadcast",
      status: 403,
      code: "WRITES_DISABLED",
    });
    const runId = await startRun(await published([[say("Again", { onFailure: "pause" })]]));
    const { steps } = await runIs(runId, "paused");
    const [failed] = steps as [Step];
    const retried = await decide(failed, runId, "retry");
    expect(retried.status).toBe(200);
    expect(retried.body).toMatchObject({
      step: { id: failed.id, status: "ready", idempotencyKey: failed.idempotencyKey },
      run: { id: runId, status: "running" },
      resumed: true,
    });
    await runIs(runId, "completed");
    expect(commandsOf(failed).filter(({ carriedOut }) => carriedOut)).toHaveLength(1);
    expect(await lineOf("event.step.retried", `step ${failed.id}`)).toEqual([
      { actorId: admin.userId, target: `step ${failed.id}`, detail: { runId } },
    ]);
  });

  it("can skip a failed step, and the run stays paused until it is resumed", async () => {
    shard.simulator.faults.trigger("status", {
      path: "/v1/broadcast",
      status: 404,
      code: "NOT_FOUND",
    });
    const pausing = say("Gone", { onFailure: "pause" });
    const runId = await startRun(await published([[pausing, say("Next")], [say("Last")]]));
    const { steps } = await runIs(runId, "paused");
    const [failed, , last] = steps as [Step, Step, Step];
    expect(
      statusAndBodyOf(await decide(failed, runId, "skip", { reason: "No such altar" })),
    ).toEqual([
      200,
      {
        step: {
          ...failed,
          status: "skipped",
          revision: anyRevision,
          finishedAt: expect.any(String),
        },
      },
    ]);
    expect((await decide(last, runId, "skip")).status).toBe(200);
    expect(statusAndBodyOf(await decide(last, runId, "retry"))).toEqual(
      refused("the step is not in the current phase"),
    );
    expect((await whole(runId)).status).toBe("paused");
    await control(runId, "resume");
    const done = await runIs(runId, "completed");
    expect(done.steps.map(({ status }) => status)).toEqual(["skipped", "succeeded", "skipped"]);
  });

  it("can confirm a step only once with simultaneous requests at two processes", async () => {
    const { runId, step } = await waiting([[ask], { steps: [], advance: { kind: "manual" } }]);
    const asked = `POST /admin/events/runs/${runId}/steps/${step.id}/confirm`;
    const answers = await Promise.all(
      [shard.server, other, shard.server, other].map((at) =>
        callRoute(at, asked, { headers: admin.headers }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409,
    ]);
    const kinds = await kindsOf(runId);
    expect(kinds.filter((kind) => kind === "step.confirmed")).toHaveLength(1);
    expect(await lineOf("event.step.confirmed", `step ${step.id}`)).toHaveLength(1);
    await control(runId, "cancel");
  });

  it("gets 404 for an unknown run or step, and 400 or 409 for an invalid request", async () => {
    const { runId, step } = await waiting();
    const another = await waiting();
    for (const verb of ["pause", "resume", "advance", "cancel"]) {
      expect((await control(0, verb)).status).toBe(400);
      expect(statusAndBodyOf(await control(999_999, verb))).toEqual([
        404,
        { error: "Unknown run" },
      ]);
    }
    for (const verb of ["confirm", "skip", "retry"]) {
      expect((await decide({ id: 0 }, runId, verb)).status).toBe(400);
      expect(statusAndBodyOf(await decide(another.step, runId, verb))).toEqual([
        404,
        { error: "Unknown step" },
      ]);
      expect(statusAndBodyOf(await decide(step, 999_999, verb))).toEqual([
        404,
        { error: "Unknown run" },
      ]);
    }
    const long = "x".repeat(501);
    const limit = (path: string) => [
      400,
      { errors: [{ path, code: "limit", message: expect.any(String) }] },
    ];
    expect(statusAndBodyOf(await control(runId, "cancel", { reason: long }))).toEqual(
      limit("/reason"),
    );
    expect(statusAndBodyOf(await decide(step, runId, "confirm", { note: long }))).toEqual(
      limit("/note"),
    );
    expect(statusAndBodyOf(await decide(step, runId, "retry"))).toEqual(
      refused("the step has not failed"),
    );
    const all = await Promise.all([runId, another.runId].map((id) => control(id, "cancel")));
    expect(all.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe("a gate that waits for events of the shard", () => {
  const defeated = {
    kind: "trigger",
    trigger: "champ.end",
    where: [
      { var: "outcome", op: "eq", value: "defeated" },
      { var: "name", op: "contains", value: "{{boss}}" },
    ],
  };
  const gate = (more: object = {}): Phase => ({ steps: [], advance: { ...defeated, ...more } });
  let serial = 0x40_00_00_00;

  /** Makes the shard report the end of a champion spawn. */
  const end = (fields: object = {}, options: object = {}) =>
    shard.simulator.emit(
      "champ.end",
      {
        id: `0x${(++serial).toString(16)}`,
        name: "Barracoon's den",
        outcome: "defeated",
        ...fields,
      },
      options,
    );

  const taken = () =>
    shard.server.context.models.IngestSource.findOne({ where: { source: "shard" }, raw: true });

  /**
   * Waits until all events are stored and counted by the runs that wait for them.
   * @param former the epoch of a buffer that was lost
   */
  async function isHeard(former?: string | null): Promise<void> {
    await waitUntil("it is taken in", async () => {
      const source = await taken();
      return source?.epoch !== former && source?.seq === shard.simulator.buffer.head;
    });
    const { sequelize } = shard.server.context;
    await waitUntil(
      "it is counted",
      async () => (await findRunsWithUnreadEvents(sequelize, 10)).length === 0,
    );
  }

  async function running(
    phases: readonly Phase[],
    body: object = {},
    params?: readonly object[],
  ): Promise<number> {
    const runId = await startRun(await published(phases, { ...(params && { params }) }), body);
    await runIs(runId, "running");
    return runId;
  }
  const cancel = (runId: number) => as(`POST /admin/events/runs/${runId}/cancel`);
  const gatesOf = async (runId: number) => (await read(runId)).gates;
  const waitsFor = (more: number) => [
    `waiting for ${more} more of \`champ.end\` where outcome is defeated and name contains Barracoon`,
  ];

  it("opens after enough matching events, each counted once, and passes the last event's values to the next step", async () => {
    const next = say("{{name}} fell at {{id}} after {{durationSec}} s");
    const runId = await running([gate({ count: 2 }), [next]]);
    end({ outcome: "expired" });
    end({ name: "Neira's den" });
    const first = end();
    await isHeard();
    expect(await gatesOf(runId)).toEqual(waitsFor(1));
    // Lose the sidecar's buffer. The game then repeats its last event in a new epoch.
    const former = await taken();
    shard.simulator.faults.trigger("recreate", { repeat: 3 });
    await isHeard(former?.epoch);
    expect([first.eventKey, await gatesOf(runId)]).toEqual([expect.any(String), waitsFor(1)]);
    end({ id: "0x4000beef", durationSec: 90 });
    const { steps } = await runIs(runId, "completed");
    expect(steps[0]?.params).toEqual({ text: "Barracoon's den fell at 0x4000BEEF after 90 s" });
    const told = (await logOf(runId)).filter(({ kind }) => kind === "trigger");
    expect(told.map(({ detail }) => (detail as { hits: number }).hits)).toEqual([1, 2]);
  });

  it("passes on only values of the last event, and does not replace a parameter of the same name", async () => {
    const ask = { actionId: "core.confirm", params: {} };
    const any = { kind: "trigger", trigger: "champ.end" };
    const phases = [
      { steps: [ask], advance: any },
      { steps: [ask], advance: any },
      [say("{{name}}, {{durationSec}}, {{map}}.")],
    ];
    const params = [{ name: "map", type: "string" }];
    const runId = await running(phases, {}, params);
    for (const told of [{ map: "Ilshenar", durationSec: 90 }, { map: "Tokuno" }]) {
      const step = await stepIs(runId, ({ parked }) => parked);
      end(told);
      await isHeard();
      good(await as(`POST /admin/events/runs/${runId}/steps/${step.id}/confirm`));
    }
    const { steps } = await runIs(runId, "completed");
    expect(steps.at(-1)?.params).toEqual({ text: "Barracoon's den, , ." });
  });

  it("ignores events from before its phase and events older than a minute", async () => {
    end();
    await isHeard();
    const runId = await running([gate()]);
    end({}, { t: Date.now() - 61_000 });
    await isHeard();
    expect(await gatesOf(runId)).toEqual(waitsFor(1));
    end({}, { t: Date.now() - 30_000 });
    await runIs(runId, "completed");
  });

  it("opens once every step has ended, and counts events while the run is paused", async () => {
    const ask = { actionId: "core.confirm", params: {} };
    const runId = await running([{ steps: [ask], advance: defeated }]);
    const step = await stepIs(runId, ({ parked }) => parked);
    good(await as(`POST /admin/events/runs/${runId}/pause`));
    end();
    await isHeard();
    expect(await gatesOf(runId)).toEqual(waitsFor(0));
    good(await as(`POST /admin/events/runs/${runId}/resume`));
    expect((await read(runId)).run.status).toBe("running");
    good(await as(`POST /admin/events/runs/${runId}/steps/${step.id}/confirm`));
    expect((await read(runId)).run.status).toBe("completed");
  });

  it("ignores broadcasts that only staff receive", async () => {
    const heard = { trigger: "world.broadcast", where: [] };
    const runId = await running([gate(heard), [say("They said: {{text}}")]]);
    shard.simulator.emit("world.broadcast", { text: "Saving", access: "Counselor" });
    await isHeard();
    expect(await gatesOf(runId)).toEqual(["waiting for 1 more of `world.broadcast`"]);
    shard.simulator.emit("world.broadcast", { text: "Hear ye", access: "Player" });
    const { steps } = await runIs(runId, "completed");
    expect(steps[0]?.params).toEqual({ text: "They said: Hear ye" });
  });

  it("times out, and then pauses the run or advances it", async () => {
    const paused = await running([gate({ timeoutSeconds: 1 })]);
    const gone = await running([gate({ timeoutSeconds: 1, onTimeout: "advance" })]);
    await runIs(paused, "paused");
    expect((await logOf(paused)).at(-1)).toMatchObject({
      kind: "paused",
      detail: { reason: "timeout" },
    });
    await runIs(gone, "completed");
    end();
    await isHeard();
    good(await as(`POST /admin/events/runs/${paused}/resume`));
    await runIs(paused, "completed");
  });

  it("is checked only after events for which a run waits, and counts an event whose notification is lost", async () => {
    const jobs = () => jobsOf(shard.server, "event.trigger");
    await isHeard();
    const before = (await jobs()).length;
    end();
    await isHeard();
    expect(await jobs()).toHaveLength(before);
    const runs = await Promise.all([running([gate()]), running([gate()])]);
    end();
    for (const runId of runs) await runIs(runId, "completed");
    expect(await jobs()).toHaveLength(before + 1);
    const lonely = await running([gate({ count: 2 })]);
    // Store an event without the notification, so that only the sweep finds it.
    const { context } = shard.server;
    await inTransaction(context.sequelize, async (transaction) => {
      const { EventNews, EventNewsSource } = context.models;
      const source = "shard";
      await EventNewsSource.increment("last", { where: { source }, transaction });
      const counted = await EventNewsSource.findByPk(source, { rejectOnEmpty: true, transaction });
      const variables = { id: "0x40000001", name: "Barracoon", outcome: "defeated" };
      const told = { source, number: counted.last, trigger: "champ.end", eventKey: "lost" };
      await EventNews.create({ ...told, t: Date.now(), variables }, { transaction });
    });
    await isHeard();
    expect(await gatesOf(lonely)).toEqual(waitsFor(1));
    expect(await jobs()).toHaveLength(before + 1);
    await cancel(lonely);
  });
});

describe("a follower of the event streams", () => {
  const ask = { actionId: "core.confirm", params: {} };
  const follow = (at: TestServer, path: string, who: SignedIn) =>
    openStream(`${at.url}/api/v1${path}`, { headers: who.headers });
  const isOf = (event: string, runId: number, status: string) => (block: Block) => {
    const { id, runId: of = id, ...data } = (block.data ?? {}) as Run & { runId?: number };
    return block.event === event && of === runId && data.status === status;
  };

  it("gets whole runs and steps as they change, on every process, and a player gets 403", async () => {
    const player = await signIn(shard.server, { role: "player" });
    expect((await as("GET /admin/events/stream", undefined, player)).status).toBe(403);
    const streams = await Promise.all([
      follow(other, "/admin/events/stream", editor),
      follow(shard.server, "/admin/shardlink/stream", admin),
    ]);
    for (const stream of streams) await stream.waitFor(({ event }) => event === "hello");
    const runId = await startRun(await published([[ask]]));
    const parked = await stepIs(runId, (step) => step.parked);
    const steps = streams.map((stream) => stream.waitFor(isOf("event.step", runId, "running")));
    for (const told of await Promise.all(steps)) {
      expect(told).toEqual({
        event: "event.step",
        data: expect.objectContaining({ id: parked.id }),
      });
    }
    good(await as(`POST /admin/events/runs/${runId}/steps/${parked.id}/confirm`));
    const { run, steps: ended } = await read(runId);
    for (const stream of streams) {
      expect(await stream.waitFor(isOf("event.run", runId, "completed"))).toEqual({
        event: "event.run",
        data: run,
      });
      expect(await stream.waitFor(isOf("event.step", runId, "succeeded"))).toEqual({
        event: "event.step",
        data: ended[0],
      });
      stream.close();
    }
  });

  it("gets no job notices as an editor, because they are only for administrators", async () => {
    const [editors, all] = await Promise.all([
      follow(shard.server, "/admin/events/stream", editor),
      follow(shard.server, "/admin/shardlink/stream", admin),
    ]);
    for (const stream of [editors, all]) await stream.waitFor(({ event }) => event === "hello");
    const job = { jobId: "6f1c3c5e-0000-4000-8000-0000000000cc", queue: "imports.atlas" };
    const data = { ...job, phase: "regions", done: 3, total: 9, unit: "entries" };
    const notice = { name: "job.progress", data };
    await query(shard.server, "select pg_notify('stream_notices', $1)", JSON.stringify(notice));
    await all.waitFor(({ event }) => event === "job.progress");
    const runId = await startRun(await published([[ask]]));
    await editors.waitFor(isOf("event.step", runId, "running"));
    expect(editors.blocks.filter(({ event }) => event === "job.progress")).toEqual([]);
    for (const stream of [editors, all]) stream.close();
  });

  it("gets runs that are created ahead, and runs that move to a new version", async () => {
    const stream = await follow(other, "/admin/events/stream", editor);
    await stream.waitFor(({ event }) => event === "hello");
    const eventId = await published([[ask]]);
    const { event } = good(await as(`GET /admin/events/${eventId}`)) as { event: { spec: object } };
    const at = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    const spec = { ...event.spec, schedule: { kind: "once", at } };
    good(await as(`PUT /admin/events/${eventId}`, { spec }));
    interface StreamedRun {
      readonly id: number;
      readonly definitionId: number;
      readonly version: number;
    }
    const told = async (version: number, before?: number): Promise<number> => {
      const block = await stream.waitFor(({ event: name, data }) => {
        const run = data as StreamedRun;
        const isOther = run?.id !== before;
        return (
          name === "event.run" && run.definitionId === eventId && run.version === version && isOther
        );
      });
      return (block.data as StreamedRun).id;
    };
    good(await as(`POST /admin/events/${eventId}/publish`));
    const runId = await told(2);
    good(await as(`POST /admin/events/${eventId}/publish`));
    expect(await told(3)).toBe(runId);
    await (await runOf(shard.server, runId)).destroy();
    await createAllScheduledRuns(shard.server.context);
    expect(await told(3, runId)).toBeGreaterThan(runId);
    stream.close();
  });

  it.each(["EventRun", "EventStep"] as const)(
    "gets a change even if reading it failed at first: %s",
    async (model) => {
      const stream = await follow(other, "/admin/events/stream", editor);
      await stream.waitFor(({ event }) => event === "hello");
      const eventId = await published([[ask]]);
      const inAnHour = (seconds: number) =>
        startRun(eventId, {
          scheduledFor: new Date(Date.now() + 3_600_000 + seconds * 1_000).toISOString(),
        });
      const looks = vi.spyOn(other.context.models[model], "findAll");
      looks.mockRejectedValueOnce(new Error("the database went away"));
      const runId = await inAnHour(1);
      await waitUntil("a look that failed", () => looks.mock.calls.length > 0);
      const next = await inAnHour(2);
      await stream.waitFor(isOf("event.run", next, "scheduled"));
      looks.mockRestore();
      expect(stream.blocks.filter(isOf("event.run", runId, "scheduled"))).toHaveLength(1);
      stream.close();
    },
  );

  it("gets a reset after its process missed notifications, but a visitor of the public stream gets none", async () => {
    const streams = await Promise.all([
      follow(shard.server, "/admin/events/stream", editor),
      follow(shard.server, "/admin/shardlink/stream", admin),
    ]);
    const visitor = await openStream(`${shard.server.url}/api/v1/public/shard/stream`);
    for (const stream of [...streams, visitor]) {
      await stream.waitFor(({ event }) => event === "hello");
    }
    await query(
      shard.server,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'guildhall listen' and datname = current_database()`,
    );
    for (const stream of streams) {
      const reset = await stream.waitFor(({ event }) => event === "reset");
      expect(reset).toEqual({ event: "reset", data: { reason: "notices" } });
      stream.close();
    }
    expect(visitor.blocks.filter(({ event }) => event === "reset")).toEqual([]);
    visitor.close();
  });

  it("gets push messages when an announced event starts and ends, but not for a rehearsal", async () => {
    const run = async (listed: boolean, body: object = {}) => {
      const eventId = await published([[say("Now")]], { listed });
      const runId = await startRun(eventId, body);
      await runIs(runId, "completed");
      return runId;
    };
    const announced = await run(true);
    await run(true, { rehearsal: true });
    await run(false);
    const ofEvents = { stream: { [Op.like]: "event.%" } };
    expect(await pushesOf(shard.server, ofEvents, ["stream", "ref"])).toEqual([
      { stream: "event.started", ref: String(announced) },
      { stream: "event.completed", ref: String(announced) },
    ]);
  });
});

describe("the push messages about a run", () => {
  const ask = { actionId: "core.confirm", params: {} };
  const listedAs = async (eventId: number, listed: boolean) => {
    const { event } = good(await as(`GET /admin/events/${eventId}`)) as { event: { spec: object } };
    good(await as(`PUT /admin/events/${eventId}`, { spec: { ...event.spec, listed } }));
    good(await as(`POST /admin/events/${eventId}/publish`));
  };

  it.each([
    ["was archived meanwhile", true, (id: number) => as(`DELETE /admin/events/${id}`), ["started"]],
    ["is no longer announced", true, (id: number) => listedAs(id, false), ["started"]],
    ["is announced since its start", false, (id: number) => listedAs(id, true), ["completed"]],
  ] as const)(
    "follow the current announcement of the event if the event %s",
    async (_, listed, change, told) => {
      const eventId = await published([[ask]], { listed });
      const runId = await startRun(eventId);
      const step = await stepIs(runId, ({ parked }) => parked);
      await change(eventId);
      good(await as(`POST /admin/events/runs/${runId}/steps/${step.id}/confirm`));
      await runIs(runId, "completed");
      const ofIt = { stream: { [Op.like]: "event.%" }, ref: String(runId) };
      const pushes = await pushesOf(shard.server, ofIt, ["stream"]);
      expect(pushes).toEqual(told.map((news) => ({ stream: `event.${news}` })));
    },
  );
});

describe("a single worker", () => {
  beforeAll(async () => {
    await sweeper.stop();
    await worker.stop();
  });

  it("executes consecutive steps with at most ten statements each", async () => {
    const texts = Array.from({ length: 10 }, (_, place) => say(`No. ${place}`));
    const runId = await startRun(await published([texts]));
    const [first] = (await read(runId)).steps as [Step];
    const statements = await statementsOf(other.context, () =>
      runStep(first.id, other.context, new AbortController().signal),
    );
    const perStep = statements.length / 10;
    const { run, steps } = await read(runId);
    expect([run.status, steps.every(({ attempts }) => attempts === 1)]).toEqual([
      "completed",
      true,
    ]);
    expect(steps.flatMap(commandsOf)).toHaveLength(10);
    expect(perStep).toBeLessThanOrEqual(10);
    expect(perStep).toBeGreaterThan(2);
    // Only the first claim reads all steps of the run. The later claims use that result.
    expect(statements.filter((text) => text.includes("tries_allowed as"))).toHaveLength(1);
  });

  const signal = new AbortController().signal;

  it.each([
    ["disabled", (id: number) => disableUser(shard.server, id), "disabled"],
    [
      "demoted",
      (id: number) => changeUser(shard.server, id, { role: "moderator" }),
      "staff started",
    ],
    ["deleted", (id: number) => deleteUser(shard.server, id), "no longer exists"],
    ["off", () => enable("shard.broadcast", false), "shard.broadcast is switched off"],
  ] as const)(
    "does not execute a claimed step if a right of the run ends after the claim: %s",
    async (_, end, reason) => {
      const { context } = shard.server;
      const starter = await signIn(shard.server, { role: "editor" });
      const runId = await startRun(await published([[say("Too late")]]), {}, starter);
      const [step] = (await read(runId)).steps as [Step];
      const claimed = (await claimStep(step.id, context)) as ClaimedStep;
      await end(starter.userId);
      const ending = (await runAttempt(claimed, context, signal)) as AttemptResult;
      expect(ending).toMatchObject({ kind: "failed", cause: "refused", mayRetry: false });
      await recordAttempt(claimed, ending, { context, mayGoOn: () => true });
      await enable("shard.broadcast", true);
      const { run, steps } = await read(runId);
      expect([run.health, steps[0]?.status, commandsOf(step)]).toEqual(["degraded", "failed", []]);
      expect(steps[0]?.lastError).toContain(reason);
      expect(await kindsOf(runId)).toContain("refused");
    },
  );

  it("completes the largest event that is allowed", async () => {
    const text = "{{boss}} ".repeat(20);
    const phases = Array.from({ length: 8 }, () => Array.from({ length: 25 }, () => say(text)));
    const runId = await startRun(await published(phases), { rehearsal: true });
    const { steps } = await read(runId);
    for (let round = 0; round < 5; round++) {
      const due = (await read(runId)).steps.find(({ status }) => status === "ready");
      if (due) await runStep(due.id, shard.server.context, signal);
    }
    const done = await read(runId);
    expect([steps.length, done.run.status]).toEqual([200, "completed"]);
    expect(done.steps.every(({ status }) => status === "succeeded")).toBe(true);
  });

  it("uses the database's clock and not the clock of its machine", async () => {
    const soon = say("Later", { offsetSeconds: 3_600 });
    const runId = await startRun(await published([[soon]]));
    const [step] = (await read(runId)).steps as [Step];
    const real = Date.now();
    const clock = vi.spyOn(Date, "now").mockImplementation(() => real + 86_400_000);
    await runStep(step.id, shard.server.context, signal);
    clock.mockRestore();
    expect((await read(runId)).steps[0]).toEqual(step);
    good(await as(`POST /admin/events/runs/${runId}/cancel`));
  });

  it("records in a missed run that no worker was running", async () => {
    const eventId = await published([[say("x")]], { graceSeconds: 60 });
    good(await as(`POST /admin/events/${eventId}/verify`, {}));
    const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
    const runId = await startRun(eventId, { scheduledFor });
    await changeRun(shard.server, runId, { scheduledFor: clockNowPlus(-70_000) });
    await sweepRuns(shard.server.context);
    const { run } = await read(runId);
    expect([run.status, run.lastError]).toEqual(["missed", "no worker"]);
  });
});

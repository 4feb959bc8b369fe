import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createAllScheduledRuns } from "../../shared/events/occurrences/create-scheduled-runs.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { buildShiftedClockEnv } from "../support/clock/shifted-clock.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { runsOfEvent } from "../support/factories/events.ts";
import { callRoute } from "../support/http/call.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { type ApiProcess, startApiProcess, startProgram } from "../support/service/processes.ts";
import type { TestServer } from "../support/service/server.ts";
import { type LinkedShard, startLinkedShard } from "../support/shard/linked-shard.ts";

/** The error of the wrong clocks. It exceeds the grace period of a run and every lease. */
const off = 2 * 86_400_000;

let shard: LinkedShard;
let admin: SignedIn;
/** One process whose clock is ahead by `off`, and one whose clock is behind by `off`. */
let apis: readonly [ahead: ApiProcess, behind: ApiProcess];
let workers: readonly ChildProgram[] = [];
beforeAll(async () => {
  shard = await startLinkedShard();
  const { server } = shard;
  const { database } = server;
  admin = await signIn(server, { role: "admin" });
  const shifted = [buildShiftedClockEnv(off), buildShiftedClockEnv(-off)] as const;
  const [ahead, behind, ...others] = await Promise.all([
    startApiProcess(database, shifted[0]),
    startApiProcess(database, shifted[1]),
    ...shifted.map((environment) =>
      startProgram("worker", { database, arguments: ["events"], environment }),
    ),
  ]);
  apis = [ahead, behind];
  workers = others;
});
afterAll(async () => {
  await Promise.all([...apis, ...workers].map((one) => one.kill()));
  await shard.stop();
});

async function ask<T>(
  route: string,
  body?: object,
  at: Pick<TestServer, "url"> = shard.server,
): Promise<T> {
  const answered = await callRoute(at, route, { headers: admin.headers, ...(body && { body }) });
  if (answered.status >= 300) throw new Error(answered.text);
  return answered.body as T;
}

let count = 0;
const say = (place: number, more: object = {}) => ({
  key: `s${place}`,
  actionId: "shard.broadcast",
  params: { text: `No. ${place}` },
  ...more,
});

async function published(
  { steps = [say(0)], advance, ...rest }: Record<string, unknown> = {},
  at: Pick<TestServer, "url"> = shard.server,
): Promise<number> {
  const phases = [{ key: "one", title: "One", steps, ...(advance ? { advance } : {}) }];
  const given = { title: `Clocks ${++count}`, graceSeconds: 3_600, spec: { ...rest, phases } };
  const { event } = await ask<{ event: { id: number } }>("POST /admin/events", given, at);
  await ask(`POST /admin/events/${event.id}/publish`, {}, at);
  await ask(`POST /admin/events/${event.id}/verify`, {}, at);
  return event.id;
}

async function started(
  eventId: number,
  body: object = {},
  at: Pick<TestServer, "url"> = shard.server,
): Promise<number> {
  const route = `POST /admin/events/${eventId}/runs`;
  return (await ask<{ run: { id: number } }>(route, body, at)).run.id;
}

interface Detail {
  readonly run: { readonly status: string; readonly lastError: string | null };
  readonly steps: readonly {
    readonly id: number;
    readonly status: string;
    readonly attempts: number;
    readonly idempotencyKey: string;
  }[];
}
const read = (runId: number) => ask<Detail>(`GET /admin/events/runs/${runId}`);

async function isDone(runId: number): Promise<Detail> {
  let seen: Detail | undefined;
  await waitUntil(
    () => `run ${runId} is complete: ${JSON.stringify(seen)}`,
    async () => {
      seen = await read(runId);
      return seen.run.status === "completed";
    },
  );
  return seen as Detail;
}

/**
 * Stops one worker at a time and waits until the other has done some work. Afterward each worker has looked for
 * due steps.
 */
async function everyWorkerHasLooked(): Promise<void> {
  const [one, other] = workers as [ChildProgram, ChildProgram];
  for (const absent of [other, one]) {
    await absent.stop();
    for (let round = 0; round < 2; round++) await isDone(await started(await published()));
    await absent.start();
  }
}

/** Returns the time this many seconds from now, by the database's correct clock. */
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

describe("workers and APIs whose clocks are days ahead and behind", () => {
  it("start no run early, and do not miss or end a run whose time has not passed", async () => {
    const ahead = await started(await published(), { scheduledFor: inSeconds(3_600) });
    const waiting = await started(await published({ steps: [say(0, { offsetSeconds: 3_600 })] }));
    const advance = { kind: "after", seconds: 3_600 };
    const gated = await started(await published({ steps: [], advance }));
    const heard = { kind: "trigger", trigger: "champ.end", timeoutSeconds: 3_600 };
    const listening = await started(await published({ steps: [], advance: heard }));
    const past = await started(await published(), { scheduledFor: inSeconds(-60) });
    await isDone(past);
    await everyWorkerHasLooked();
    expect((await read(ahead)).run).toMatchObject({ status: "scheduled", lastError: null });
    for (const runId of [waiting, gated, listening]) {
      expect((await read(runId)).run).toMatchObject({ status: "running", lastError: null });
    }
    expect((await read(waiting)).steps).toMatchObject([{ status: "ready", attempts: 0 }]);
  });

  it("start runs that are due, and execute each step once", async () => {
    const steps = Array.from({ length: 6 }, (_, place) => say(place));
    const waits = { key: "wait", actionId: "core.wait", params: { seconds: 1 } };
    const eventId = await published({ steps: [...steps, waits, say(9, { offsetSeconds: 2 })] });
    const runs = [];
    for (const at of [...apis, shard.server]) {
      const scheduledFor = inSeconds(runs.length + 1);
      runs.push(await started(eventId, { scheduledFor }, at));
    }
    for (const runId of runs) {
      const done = await isDone(runId);
      expect(done.steps.map(({ status, attempts }) => [status, attempts])).toEqual(
        Array.from({ length: 8 }, () => ["succeeded", 1]),
      );
      const keys = new Set(done.steps.map(({ idempotencyKey }) => idempotencyKey));
      const sent = shard.simulator.received.commands.filter(({ key }) => keys.has(key ?? ""));
      expect(sent.map(({ carriedOut }) => carriedOut)).toEqual(
        Array.from({ length: 7 }, () => true),
      );
    }
  });

  it("do not take a step from each other during its lease", async () => {
    const eventId = await published();
    shard.simulator.faults.trigger("freeze", { ms: 600_000, patienceMs: 600_000 });
    const runId = await started(eventId);
    await waitUntil("it is at work", async () => (await read(runId)).steps[0]?.attempts === 1);
    // While the shard is frozen, workers execute steps of other runs, which do not need the shard.
    const marker = [{ key: "wait", actionId: "core.wait", params: { seconds: 1 } }];
    for (let round = 0; round < 2; round++) {
      await isDone(await started(await published({ steps: marker })));
    }
    shard.simulator.game.thaw();
    const { steps } = await isDone(runId);
    const { log } = await ask<{ log: { kind: string; detail: object }[] }>(
      `GET /admin/events/runs/${runId}/log`,
    );
    const lost = log.filter(({ detail }) => "reason" in detail);
    expect(lost.filter(({ kind }) => kind === "step.started")).toEqual([]);
    const sent = shard.simulator.received.commands.filter(
      ({ key }) => key === steps[0]?.idempotencyKey,
    );
    expect(sent.filter(({ carriedOut }) => carriedOut)).toHaveLength(1);
  });

  it("create the runs of a schedule once, as with the correct clock", async () => {
    const schedule = {
      kind: "recurring",
      // Starts half a day before the horizon's end, so no further occurrence enters the horizon during the test.
      at: inSeconds(86_400 * 1.5).slice(0, 16),
      rrule: "FREQ=DAILY",
    };
    const timesOf = async (id: number) =>
      (await runsOfEvent(shard.server, id)).map(({ scheduledFor, status }) => [
        scheduledFor,
        status,
      ]);
    const right = await timesOf(await published({ schedule }));
    expect(right.length).toBeGreaterThan(25);
    for (const at of apis) {
      const eventId = await published({ schedule }, at);
      expect(await timesOf(eventId)).toEqual(right);
      await createAllScheduledRuns(shard.server.context);
      expect(await timesOf(eventId)).toEqual(right);
    }
  });

  it("agree whether a time is too far in the past", async () => {
    const eventId = await published();
    const late = { scheduledFor: inSeconds(-7_200) };
    const refused = {
      errors: [{ path: "/scheduledFor", code: "range", message: expect.any(String) }],
    };
    for (const at of [...apis, shard.server]) {
      const { headers } = admin;
      const answered = await callRoute(at, `POST /admin/events/${eventId}/runs`, {
        headers,
        body: late,
      });
      expect([answered.status, answered.body]).toEqual([400, refused]);
      const soon = { scheduledFor: inSeconds(-1_800), rehearsal: true };
      await ask(`POST /admin/events/${eventId}/runs`, soon, at);
    }
  });
});

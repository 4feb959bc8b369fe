import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { findDueSteps } from "../../shared/events/engine/due.ts";
import { runStep } from "../../shared/events/engine/run-step.ts";
import { sweepRuns } from "../../shared/events/engine/sweeper.ts";
import { anyTime } from "../support/clock/any-time.ts";
import type { ReceivingHook } from "../support/receiver/receiving-hook.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";
import { type HookSite, startHookSite } from "../support/webhooks/hook-site.ts";

let site: HookSite;
let worker: TestWorker;
beforeAll(async () => {
  site = await startHookSite();
  worker = await startTestWorker(site.server, ["push"], { everySeconds: 0.5 });
});
afterAll(async () => {
  await worker.stop();
  await site.stop();
});

const anyMessageId: unknown = expect.stringMatching(/^msg_[0-9a-f-]{36}$/);
const signal = new AbortController().signal;

async function ask<T>(route: string, body: object = {}): Promise<T> {
  const answered = await site.as(route, body);
  if (answered.status >= 300) throw new Error(`${route}: ${answered.text}`);
  return answered.body as T;
}

interface Run {
  readonly id: number;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

interface Given {
  readonly listed?: boolean;
  readonly rehearsal?: boolean;
}

/** Starts an event whose only step waits for a person. @returns the id of the run */
async function begun(title: string, { listed = true, ...given }: Given = {}): Promise<number> {
  const steps = [{ key: "ask", actionId: "core.confirm" }];
  const spec = { listed, scope: "site", phases: [{ key: "one", title: "One", steps }] };
  const { event } = await ask<{ event: { id: number } }>("POST /admin/events", { title, spec });
  await ask(`POST /admin/events/${event.id}/publish`);
  const { run } = await ask<{ run: Run }>(`POST /admin/events/${event.id}/runs`, given);
  const { context } = site.server;
  await sweepRuns(context);
  for (const id of await findDueSteps(context.sequelize, 5)) await runStep(id, context, signal);
  return run.id;
}

interface Detail {
  readonly run: Run;
  readonly steps: readonly { readonly id: number }[];
}

async function confirmed(runId: number): Promise<Run> {
  const { steps } = await read(runId);
  await ask(`POST /admin/events/runs/${runId}/steps/${steps[0]?.id}/confirm`);
  return (await read(runId)).run;
}

async function read(runId: number): Promise<Detail> {
  const answered = await site.as(`GET /admin/events/runs/${runId}`);
  return answered.body as Detail;
}

/** Returns the messages in the order of their times, because they may arrive in any order. */
const told = ({ bodies }: ReceivingHook): readonly object[] =>
  (bodies as { type: string; timestamp: string }[]).toSorted((one, other) =>
    one.timestamp.localeCompare(other.timestamp),
  );

describe("webhooks", () => {
  it("receive the start and the completion of an announced event's run", async () => {
    const { secret, receiver } = await site.make({ streams: ["event.started", "event.completed"] });
    const whole = await site.make({ streams: ["event.run"] });
    const over = await site.make({ streams: ["event.completed"] });
    const runId = await begun("The Feast");
    await site.settled();
    const event = {
      runId,
      title: "The Feast",
      slug: "the-feast",
      eventUrl: `http://localhost:3000/events/the-feast?run=${runId}`,
    };
    const { startedAt } = (await read(runId)).run;
    const message = (type: string, more: object) => ({
      id: anyMessageId,
      type,
      timestamp: anyTime,
      data: { ref: String(runId), event: { kind: type, ...event, ...more } },
    });
    const started = message("event.started", { startedAt, endedAt: null });
    expect([startedAt, told(receiver)]).toEqual([anyTime, [started]]);

    const { endedAt } = await confirmed(runId);
    await site.settled();
    const completed = message("event.completed", { startedAt, endedAt });
    expect([endedAt, told(receiver)]).toEqual([anyTime, [started, completed]]);
    expect(told(over.receiver)).toEqual([completed]);
    // A webhook that subscribes to the stream of all runs gets both messages, with the name of this stream.
    expect(told(whole.receiver)).toEqual(
      [started, completed].map((one) => ({ ...one, type: "event.run" })),
    );
    expect(receiver.posted).toHaveLength(2);
    for (const { body, headers } of receiver.posted) {
      const text = headers as Record<string, string>;
      expect(new Webhook(secret).verify(body, text)).toEqual(JSON.parse(body));
    }
  });

  it("receive nothing about a rehearsal or an unannounced event, and no end of a canceled run", async () => {
    const { receiver } = await site.make({ streams: ["event.started", "event.completed"] });
    await confirmed(await begun("Rehearsed", { rehearsal: true }));
    await confirmed(await begun("Not announced", { listed: false }));
    await site.settled();
    expect(told(receiver)).toEqual([]);
    const cancelled = await begun("Called off");
    await ask(`POST /admin/events/runs/${cancelled}/cancel`);
    await site.settled();
    expect(told(receiver)).toMatchObject([
      { type: "event.started", data: { ref: String(cancelled) } },
    ]);
  });
});

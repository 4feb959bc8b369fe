import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { SiteCalls } from "../../simulator/plugin/site-calls.ts";
import { type Simulator, startSimulator } from "../../simulator/simulator.ts";
import { simulateShardEvents } from "../ingest/happenings.ts";
import { answerCalls } from "../parts/answering.ts";
import { now } from "../parts/clock.ts";
import { sayHello, sendEvents } from "./calls.ts";

/** Simulated plugins. They send calls that were prepared before. */

const batchEvents = 500;
/** The pause of the shipped plugins between two calls with events. The site accepts 20 calls per second. */
const pauseMs = 75;

interface Site {
  readonly url: string;
  readonly key: string;
}

interface PacedEvent {
  readonly kind: string;
  readonly payload: object;
  readonly perSecond: number;
  readonly count: number;
}

const ending = new AbortController();
const epoch = randomUUID();
const bootId = randomUUID();
let shard: Simulator | undefined;
let site: SiteCalls | undefined;
let head = 0;
let batches: { readonly events: readonly object[] }[] = [];

answerCalls({ start, greet, prepare, send, pace, serve, wait });

/** Starts a simulated shard with a full-sized world. */
async function start({ seed }: { seed: string }): Promise<void> {
  shard = await startSimulator({ world: "full", seed });
}

async function greet({ url, key }: Site): Promise<void> {
  site = new SiteCalls([url], key);
  await sayHello(site, { game: "uo", bootId, epoch }, ending.signal);
}

const siteNow = (): SiteCalls => {
  if (!site) throw new Error("there is no site yet");
  return site;
};

/** Simulates events that change no state and packs them into calls. */
function prepare({ count }: { count: number }): void {
  if (!shard) throw new Error("there is no shard yet");
  const events = simulateShardEvents(shard, count, true).map(({ kind, payload, eventKey }) => {
    head += 1;
    return { seq: head, kind, t: Date.now(), eventKey, payload };
  });
  batches = [];
  for (let at = 0; at < events.length; at += batchEvents) {
    batches.push({ events: events.slice(at, at + batchEvents) });
  }
}

/** Sends the prepared calls one after another, as a plugin does. @returns the start of the first call */
async function send(): Promise<number> {
  const startedAt = now();
  for (const { events } of batches) await sendBatch(events);
  return startedAt;
}

const sendBatch = (events: readonly object[]): Promise<void> =>
  sendEvents(siteNow(), { epoch, bootId, events }, ending.signal);

/**
 * Emits one event repeatedly at a fixed rate. The next call sends all events that occurred since the last one,
 * as the shipped plugins do.
 */
async function pace({ kind, payload, perSecond, count }: PacedEvent): Promise<void> {
  const startedAt = now();
  const waiting: object[] = [];
  const sendWaiting = async (): Promise<void> => {
    for (let sent = 0; sent < count;) {
      const events = waiting.splice(0);
      sent += events.length;
      if (events.length > 0) await sendEvents(siteNow(), { epoch, bootId, events }, ending.signal);
      await sleep(events.length > 0 ? pauseMs : 1);
    }
  };
  const sending = sendWaiting();
  for (let made = 0; made < count; made++) {
    const dueMs = (made / perSecond) * 1e3 - (now() - startedAt) / 1e3;
    if (dueMs > 0) await sleep(dueMs);
    head += 1;
    waiting.push({ seq: head, kind, t: now(), eventKey: randomUUID(), payload });
  }
  await sending;
}

/** Waits for commands from now on and reports each as executed at once. */
function serve(): void {
  void serveAll(siteNow());
}

async function serveAll(to: SiteCalls): Promise<void> {
  while (!ending.signal.aborted) {
    const answer = await to.get(`/commands?wait=25&bootId=${bootId}`, ending.signal);
    const { commands = [] } = answer.body as { commands?: { readonly id: string }[] };
    for (const { id } of commands) {
      const outcome = { status: 200, body: { ok: true, recipients: 0 } };
      void to.post(`/commands/${id}?bootId=${bootId}`, outcome, ending.signal);
    }
  }
}

/** Makes one plugin per key wait for commands. */
async function wait({ url, keys }: { url: string; keys: readonly string[] }): Promise<void> {
  for (const key of keys) {
    const [calls, boot] = [new SiteCalls([url], key), randomUUID()];
    await sayHello(calls, { game: "rust", bootId: boot, epoch: randomUUID() }, ending.signal);
    void waitAlways(calls, boot);
  }
}

async function waitAlways(calls: SiteCalls, boot: string): Promise<void> {
  while (!ending.signal.aborted) {
    await calls.get(`/commands?wait=25&bootId=${boot}`, ending.signal);
  }
}

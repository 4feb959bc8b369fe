import { familiesOf, type Game } from "../payloads/payload-faults.ts";
import type { ResultRecorder } from "../report/report.ts";
import { type Batch, readBatch } from "../site/batch.ts";
import type { Call } from "../site/call.ts";
import type { ReplyHandler, Site } from "../site/site.ts";
import { waitUntil } from "../wait/within.ts";
import type { Watch } from "../watch/watch.ts";
import type { PluginRequirement } from "./requirements.ts";
import type { CheckTimes } from "./times.ts";

/** The context of a check of a plugin. */
export interface CheckContext {
  readonly game: Game;
  readonly site: Site;
  readonly watch: Watch;
  readonly report: ResultRecorder<PluginRequirement>;
  readonly times: CheckTimes;
  readonly say: (text: string) => void;
  /** Texts of broadcasts that arrived as events. */
  readonly broadcasts: string[];
  /** An account and a character that events have named. */
  readonly known: { account: string; serial: string };
  /** True while the plugin is not expected to call: the site is away or refuses the key. */
  isPaused: boolean;
  hasNoResync: boolean;
}

/** A check that provokes a behavior of the plugin. */
export interface Check {
  readonly name: string;
  /** One line for the server's owner: the action of the check. */
  readonly does: string;
  run(this: void, bench: CheckContext): Promise<void>;
}

export const isHello = ({ endpoint }: Call): boolean => endpoint === "hello";
export const isWait = ({ endpoint }: Call): boolean => endpoint === "wait";

/** Returns the batch of a call of events; undefined if it is empty or invalid. */
export function batchOf(call: Call): Batch | undefined {
  const batch = call.endpoint === "events" ? readBatch(call) : undefined;
  return typeof batch === "object" && batch.events.length > 0 ? batch : undefined;
}

export const hasEvents = (call: Call): boolean => batchOf(call) !== undefined;

/** Requests all states of the plugin to produce events; does not wait for them. */
export function requestStates(bench: CheckContext): void {
  if (bench.hasNoResync) return;
  const order = { call: "POST /v1/resync", body: { families: familiesOf(bench.game) } };
  const learn = async (): Promise<void> => {
    const outcome = await bench.site.ask(order, bench.times.commandMs);
    if (outcome?.status === 422) bench.hasNoResync = true;
  };
  void learn();
}

/** Returns the next answered call with events; undefined on timeout. */
export async function nextEvents(bench: CheckContext): Promise<Call | undefined> {
  const { site, times } = bench;
  requestStates(bench);
  return site.nextAnswered(hasEvents, times.patienceMs);
}

/** Answers the next call with events by `reply`; returns undefined on timeout. */
export async function takeEvents(
  bench: CheckContext,
  reply: ReplyHandler,
): Promise<Call | undefined> {
  const { site, times } = bench;
  requestStates(bench);
  return site.replyOnce(hasEvents, times.patienceMs, reply);
}

export const describeNoEvents = ({ times }: CheckContext): string =>
  `the game told no event in ${times.patienceMs / 1_000} s; do something in it during the check`;

/** Expects no calls of the plugin while `work` runs. */
export async function whilePaused<T>(bench: CheckContext, work: () => Promise<T>): Promise<T> {
  bench.isPaused = true;
  bench.watch.stop();
  try {
    return await work();
  } finally {
    bench.isPaused = false;
  }
}

/** Waits until the plugin waits for commands. @returns false on timeout */
export const waitForOpenWait = ({ site, times }: CheckContext): Promise<boolean> =>
  waitUntil(() => site.queue.openWait !== null, times.soonMs);

/** Waits until a hello of the plugin is accepted. @returns false on timeout */
export const waitForHello = ({ site, times }: CheckContext, ms = times.soonMs): Promise<boolean> =>
  waitUntil(() => !site.memory.needsHello, ms);

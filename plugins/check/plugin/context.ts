import { familiesOf, type Game } from "../payloads/payload-faults.ts";
import type { ResultRecorder } from "../report/report.ts";
import { type Batch, readBatch } from "../site/batch.ts";
import type { Call } from "../site/call.ts";
import type { ReplyHandler, Site } from "../site/site.ts";
import { waitUntil } from "../wait/within.ts";
import type { CallWatch } from "../watch/watch.ts";
import type { PluginRequirement } from "./requirements.ts";
import type { CheckTimes } from "./times.ts";

export interface CheckContext {
  readonly game: Game;
  readonly site: Site;
  readonly watch: CallWatch;
  readonly report: ResultRecorder<PluginRequirement>;
  readonly times: CheckTimes;
  readonly say: (text: string) => void;
  /** Texts of broadcasts that arrived as events. */
  readonly broadcasts: string[];
  /** The name of an account and the serial of a character that events have contained. */
  readonly known: { account: string; serial: string };
  /** True while the plugin need not call, because the site is away or refuses the key. */
  isPaused: boolean;
  hasNoResync: boolean;
}

/** A check that makes the plugin react to a situation. */
export interface Check {
  readonly name: string;
  /** One line that tells the server's owner what the check does. */
  readonly does: string;
  run(this: void, bench: CheckContext): Promise<void>;
}

export const isHelloCall = ({ endpoint }: Call): boolean => endpoint === "hello";
export const isWaitCall = ({ endpoint }: Call): boolean => endpoint === "wait";

/** Returns the events of a call; undefined if there are none or the body is invalid. */
export function batchOf(call: Call): Batch | undefined {
  const batch = call.endpoint === "events" ? readBatch(call) : undefined;
  return typeof batch === "object" && batch.events.length > 0 ? batch : undefined;
}

export const hasEvents = (call: Call): boolean => batchOf(call) !== undefined;

/** Asks the plugin to send all states, so that it sends events. Does not wait for them. */
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
export async function waitForEvents(bench: CheckContext): Promise<Call | undefined> {
  const { site, times } = bench;
  requestStates(bench);
  return site.nextAnswered(hasEvents, times.patienceMs);
}

/** Answers the next call with events by `reply`. @returns the call; undefined on timeout */
export async function answerNextEvents(
  bench: CheckContext,
  reply: ReplyHandler,
): Promise<Call | undefined> {
  const { site, times } = bench;
  requestStates(bench);
  return site.replyOnce(hasEvents, times.patienceMs, reply);
}

export const describeNoEvents = ({ times }: CheckContext): string =>
  `the game sent no event in ${times.patienceMs / 1_000} s: do something in the game during the check`;

/** Runs `work`. The plugin need not call meanwhile. */
export async function runWhilePaused<T>(bench: CheckContext, work: () => Promise<T>): Promise<T> {
  bench.isPaused = true;
  bench.watch.stop();
  try {
    return await work();
  } finally {
    bench.isPaused = false;
  }
}

/** Waits until the plugin polls for commands. @returns false on timeout */
export const waitForCommandPoll = ({ site, times }: CheckContext): Promise<boolean> =>
  waitUntil(() => site.queue.openWait !== null, times.soonMs);

/** Waits until a hello of the plugin is accepted. @returns false on timeout */
export const waitForHello = ({ site, times }: CheckContext, ms = times.soonMs): Promise<boolean> =>
  waitUntil(() => !site.memory.needsHello, ms);

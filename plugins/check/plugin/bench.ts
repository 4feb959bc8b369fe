import { familiesOf, type Game } from "../payloads/payload-faults.ts";
import type { Findings } from "../report/report.ts";
import { type Batch, readBatch } from "../site/batch.ts";
import type { Call } from "../site/call.ts";
import type { Reply, Site } from "../site/site.ts";
import { holdsWithin } from "../wait/within.ts";
import type { Watch } from "../watch/watch.ts";
import type { PluginSentence } from "./sentences.ts";
import type { Times } from "./times.ts";

/** What a check works with. */
export interface Bench {
  readonly game: Game;
  readonly site: Site;
  readonly watch: Watch;
  readonly report: Findings<PluginSentence>;
  readonly times: Times;
  readonly say: (text: string) => void;
  /** Texts of broadcasts that came as events. */
  readonly broadcasts: string[];
  /** An account and a character that events named. */
  readonly known: { account: string; serial: string };
  /** While it is true, nothing is due: the site is away or refuses the key. */
  isPaused: boolean;
  /** Whether the plugin has no resync. */
  hasNoResync: boolean;
}

/** A check: what it does to the plugin, for what is not judged by looking on. */
export interface Check {
  readonly name: string;
  /** In one line, what an owner has to do or wait for. */
  readonly does: string;
  run(this: void, bench: Bench): Promise<void>;
}

export const isHello = ({ endpoint }: Call): boolean => endpoint === "hello";
export const isWait = ({ endpoint }: Call): boolean => endpoint === "wait";

/** The batch of a call of events that has at least one event. */
export function batchOf(call: Call): Batch | undefined {
  const batch = call.endpoint === "events" ? readBatch(call) : undefined;
  return typeof batch === "object" && batch.events.length > 0 ? batch : undefined;
}

export const hasEvents = (call: Call): boolean => batchOf(call) !== undefined;

/** Has the plugin tell its states again, so that there are events; does not wait for them. */
export function provokeEvents(bench: Bench): void {
  if (bench.hasNoResync) return;
  const order = { call: "POST /v1/resync", body: { families: familiesOf(bench.game) } };
  const learn = async (): Promise<void> => {
    const outcome = await bench.site.ask(order, bench.times.commandMs);
    if (outcome?.status === 422) bench.hasNoResync = true;
  };
  void learn();
}

/** The next call with events, once it is answered; undefined when the game tells nothing. */
export async function nextEvents(bench: Bench): Promise<Call | undefined> {
  const { site, times } = bench;
  provokeEvents(bench);
  return site.nextAnswered(hasEvents, times.patienceMs);
}

/** Answers the next call with events; undefined when the game tells nothing. */
export async function takeEvents(bench: Bench, reply: Reply): Promise<Call | undefined> {
  const { site, times } = bench;
  provokeEvents(bench);
  return site.replyOnce(hasEvents, times.patienceMs, reply);
}

export const noEvents = ({ times }: Bench): string =>
  `the game told no event in ${times.patienceMs / 1_000} s; do something in it during the check`;

/** Nothing is due of the plugin while this is done: the site is away, or refuses everything. */
export async function whilePaused<T>(bench: Bench, work: () => Promise<T>): Promise<T> {
  bench.isPaused = true;
  bench.watch.stop();
  try {
    return await work();
  } finally {
    bench.isPaused = false;
  }
}

/** Waits until a wait is open; false when there is none in time. */
export const untilWaiting = ({ site, times }: Bench): Promise<boolean> =>
  holdsWithin(() => site.queue.openWait !== null, times.soonMs);

/** Waits until the plugin is greeted again; false when it says no hello in time. */
export const untilGreeted = ({ site, times }: Bench, ms = times.soonMs): Promise<boolean> =>
  holdsWithin(() => !site.memory.needsHello, ms);

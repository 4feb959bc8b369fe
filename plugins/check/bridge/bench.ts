import { setTimeout as sleep } from "node:timers/promises";

import type { Cursor } from "../../../shared/platform/bridge/frames.ts";
import type { Known } from "../calls/reads.ts";
import type { EventJudge } from "../payloads/event-judge.ts";
import type { Game } from "../payloads/payload-faults.ts";
import type { Findings } from "../report/report.ts";
import { holdsWithin } from "../wait/within.ts";
import type { Caller } from "./caller.ts";
import { FrameJudge, type Heard } from "./frame-judge.ts";
import type { BridgeSentence } from "./sentences.ts";
import { openStream, type SidecarStream } from "./sidecar-stream.ts";

/** The context of a check of a sidecar. */
export interface Bench {
  readonly game: Game;
  readonly wsUrl: string;
  readonly token: string;
  readonly protocol: number;
  readonly report: Findings<BridgeSentence>;
  readonly events: EventJudge;
  readonly caller: Caller;
  /** An account and a character for calls that need one. */
  readonly known: Known;
  readonly mayCommand: boolean;
  readonly say: (text: string) => void;
  /** Timeout for actions that the sidecar takes at once. */
  readonly soonMs: number;
  /** Timeout for actions of the game and for a whole replay. */
  readonly patienceMs: number;
}

export interface Check {
  readonly name: string;
  readonly does: string;
  run(this: void, bench: Bench): Promise<void>;
}

/** A connection and the frames that arrived on it. */
export interface Listening {
  readonly stream: SidecarStream;
  readonly judge: FrameJudge;
}

/** Opens a connection, or returns the reason as a text. Retries while a closed client is still locked. */
export async function listen(bench: Bench, cursor: Cursor | null): Promise<Listening | string> {
  const until = performance.now() + bench.soonMs;
  for (;;) {
    const judge = new FrameJudge(bench.report, bench.events, bench.protocol, cursor);
    const opened = await openStream({ ...bench, cursor }, judge);
    if (opened.how === "open") return { stream: opened.stream, judge };
    const isLocked = opened.how === "refused" && opened.status === 423;
    if (!isLocked || performance.now() > until) {
      if (opened.how === "lost") return opened.reason;
      return `${opened.status} ${opened.text}`;
    }
    await sleep(200);
  }
}

/** Waits until the received frames match. @returns false on timeout or if the connection closes */
export async function untilHeard(
  { stream, judge }: Listening,
  fits: (heard: Heard) => boolean,
  ms: number,
): Promise<boolean> {
  const isOver = (): boolean => fits(judge.heard) || stream.closedBecause !== null;
  return (await holdsWithin(isOver, ms)) && fits(judge.heard);
}

export const isLive = ({ live }: Heard): boolean => live !== null;

/** Calls `use` after the replay of a connection and closes it. @returns the reason on failure */
export async function withReplay(
  bench: Bench,
  cursor: Cursor | null,
  use: (listening: Listening) => Promise<void> | void,
): Promise<string | undefined> {
  const listening = await listen(bench, cursor);
  if (typeof listening === "string") return `the stream was not opened: ${listening}`;
  try {
    if (!(await untilHeard(listening, isLive, bench.patienceMs))) {
      const { closedBecause } = listening.stream;
      return closedBecause ?? `no live in ${bench.patienceMs / 1_000} s`;
    }
    await use(listening);
    return undefined;
  } finally {
    await listening.stream.close();
  }
}

import { setTimeout as sleep } from "node:timers/promises";

import type { Cursor } from "../../../shared/platform/bridge/frames.ts";
import type { KnownObjects } from "../calls/reads.ts";
import type { EventJudge } from "../payloads/event-judge.ts";
import type { Game } from "../payloads/payload-faults.ts";
import type { ResultRecorder } from "../report/report.ts";
import { waitUntil } from "../wait/within.ts";
import type { SidecarClient } from "./caller.ts";
import { FrameJudge, type ReceivedFrames } from "./frame-judge.ts";
import type { BridgeRequirement } from "./requirements.ts";
import { openStream, type SidecarStream } from "./sidecar-stream.ts";

export interface CheckContext {
  readonly game: Game;
  readonly wsUrl: string;
  readonly token: string;
  readonly protocol: number;
  readonly report: ResultRecorder<BridgeRequirement>;
  readonly events: EventJudge;
  readonly caller: SidecarClient;
  /** The name of an account and the serial of a character, for calls that need one. */
  readonly known: KnownObjects;
  readonly mayCommand: boolean;
  readonly say: (text: string) => void;
  /** Timeout for actions that the sidecar does at once. */
  readonly soonMs: number;
  /** Timeout for actions of the game and for a whole replay. */
  readonly patienceMs: number;
}

export interface Check {
  readonly name: string;
  readonly does: string;
  run(this: void, bench: CheckContext): Promise<void>;
}

/** A connection and the frames that arrived on it. */
export interface StreamConnection {
  readonly stream: SidecarStream;
  readonly judge: FrameJudge;
}

/** Opens a connection, or returns the reason as a text. Retries while an earlier client still blocks it. */
export async function openConnection(
  bench: CheckContext,
  cursor: Cursor | null,
): Promise<StreamConnection | string> {
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

/** Waits until the received frames satisfy a condition. @returns false on timeout or if the connection closes */
export async function waitForFrames(
  { stream, judge }: StreamConnection,
  fits: (heard: ReceivedFrames) => boolean,
  ms: number,
): Promise<boolean> {
  const isOver = (): boolean => fits(judge.received) || stream.closedBecause !== null;
  return (await waitUntil(isOver, ms)) && fits(judge.received);
}

export const hasLiveFrame = ({ live }: ReceivedFrames): boolean => live !== null;

/** Opens a connection, calls `use` after its replay, and closes it. @returns the reason if a step fails */
export async function runAfterReplay(
  bench: CheckContext,
  cursor: Cursor | null,
  use: (listening: StreamConnection) => Promise<void> | void,
): Promise<string | undefined> {
  const listening = await openConnection(bench, cursor);
  if (typeof listening === "string") return `the stream was not opened: ${listening}`;
  try {
    if (!(await waitForFrames(listening, hasLiveFrame, bench.patienceMs))) {
      const { closedBecause } = listening.stream;
      return closedBecause ?? `no frame live in ${bench.patienceMs / 1_000} s`;
    }
    await use(listening);
    return undefined;
  } finally {
    await listening.stream.close();
  }
}

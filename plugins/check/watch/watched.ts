import type { EventFrame } from "../../../shared/platform/bridge/frames.ts";
import type { EventSentence } from "../payloads/event-sentences.ts";
import type { Game } from "../payloads/payload-faults.ts";
import type { Findings } from "../report/report.ts";
import type { Call } from "../site/call.ts";
import type { CommandQueue } from "../site/command-queue.ts";
import type { SiteMemory } from "../site/memory.ts";
import type { WatchSentence } from "./sentences.ts";

/** What each watcher looks at. */
export interface Watched {
  readonly game: Game;
  readonly key: string;
  readonly report: Findings<WatchSentence | EventSentence>;
  readonly memory: () => SiteMemory;
  readonly queue: () => CommandQueue;
  /** Every call so far, the present one last. */
  readonly calls: () => readonly Call[];
  /** Is called with each event that the service would take, the first time it comes. */
  readonly onEvent: (event: EventFrame) => void;
  /** Whether a check has the site away, or has it refuse the key: then nothing is due. */
  readonly isPaused: () => boolean;
}

/** Calls of an endpoint before this one, the last first. */
export const earlierCalls = ({ calls }: Watched, call: Call): Call[] =>
  calls()
    .filter(({ endpoint, number }) => endpoint === call.endpoint && number < call.number)
    .toReversed();

/** Whether a call was still unanswered when another began. */
export const wasOpen = (call: Call, atMs: number): boolean =>
  call.answer === undefined && (call.endedMs === undefined || call.endedMs > atMs);

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

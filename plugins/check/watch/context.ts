import type { EventFrame } from "../../../shared/platform/bridge/frames.ts";
import type { EventRequirement } from "../payloads/event-requirements.ts";
import type { Game } from "../payloads/payload-faults.ts";
import type { ResultRecorder } from "../report/report.ts";
import type { Call } from "../site/call.ts";
import type { CommandQueue } from "../site/command-queue.ts";
import type { SiteMemory } from "../site/memory.ts";
import type { WatchRequirement } from "./requirements.ts";

export interface WatchContext {
  readonly game: Game;
  readonly key: string;
  readonly report: ResultRecorder<WatchRequirement | EventRequirement>;
  readonly memory: () => SiteMemory;
  readonly queue: () => CommandQueue;
  /** Returns all calls so far; the current call is the last one. */
  readonly calls: () => readonly Call[];
  /** Called once for each event that the site would accept. */
  readonly onEvent: (event: EventFrame) => void;
  /** True while a check simulates an outage or refuses the key. The plugin need not call then. */
  readonly isPaused: () => boolean;
}

/** Returns earlier calls of the same endpoint, latest first. */
export const earlierCalls = ({ calls }: WatchContext, call: Call): Call[] =>
  calls()
    .filter(({ endpoint, number }) => endpoint === call.endpoint && number < call.number)
    .toReversed();

/** Returns true if a call had no answer yet at `atMs`. */
export const wasUnanswered = (call: Call, atMs: number): boolean =>
  call.answer === undefined && (call.endedMs === undefined || call.endedMs > atMs);

export const formatSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

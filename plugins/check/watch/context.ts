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
  /** All calls so far, the present one last. */
  readonly calls: () => readonly Call[];
  /** Called once for each event that the service would accept. */
  readonly onEvent: (event: EventFrame) => void;
  /** True while a check lets the site be away or refuse the key; no call is due then. */
  readonly isPaused: () => boolean;
}

/** Returns earlier calls of the same endpoint, latest first. */
export const earlierCalls = ({ calls }: WatchContext, call: Call): Call[] =>
  calls()
    .filter(({ endpoint, number }) => endpoint === call.endpoint && number < call.number)
    .toReversed();

/** Returns true if a call was unanswered at `atMs`. */
export const wasUnanswered = (call: Call, atMs: number): boolean =>
  call.answer === undefined && (call.endedMs === undefined || call.endedMs > atMs);

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

import type { Cursor, StreamFrame } from "../../platform/bridge/frames.ts";
import type { FrameSource, FrameSourceOptions } from "../../platform/bridge/socket/feed.ts";
import { FrameQueue } from "../../platform/bridge/socket/frame-queue.ts";
import { socketBounds, type SocketStatus } from "../../platform/bridge/socket/socket-options.ts";
import type { SocketStats } from "../../platform/bridge/socket/socket.ts";
import type { CommandOutcome } from "../../platform/plugin/commands.ts";
import type { ConsoleCall, ConsoleSession, ConsoleSettings } from "./console-types.ts";

export interface ConsoleFeedOptions extends FrameSourceOptions {
  /** Called when the console begins or ends to execute commands. */
  readonly onSession: (session: ConsoleSession | null) => void;
}

/** Times in milliseconds. */
export const consoleTiming = {
  serverInfoMs: 10_000,
  playerListMs: 15_000,
};

/** Frames of a Rust server's console, and the calls that the console can execute. */
export class ConsoleFeed implements FrameSource {
  readonly status: SocketStatus = { state: "reconnecting", reason: null, pluginConnected: false };
  readonly settings: ConsoleSettings;
  readonly options: ConsoleFeedOptions;
  readonly #queue = new FrameQueue<StreamFrame>({
    frames: socketBounds.waitingFrames,
    bytes: socketBounds.waitingBytes,
  });

  /** @param timing other intervals, for tests */
  constructor(
    settings: ConsoleSettings,
    options: ConsoleFeedOptions,
    _timing: Partial<typeof consoleTiming> = {},
  ) {
    this.settings = settings;
    this.options = options;
  }

  get stats(): SocketStats {
    return {
      received: 0,
      duplicates: 0,
      rejected: 0,
      gaps: 0,
      ignored: 0,
      waiting: this.#queue.length,
      lastAckAt: null,
    };
  }

  nextBatch(max: number, signal?: AbortSignal): Promise<StreamFrame[]> {
    return this.#queue.take(max, signal);
  }

  committed(_cursor: Cursor | null): void {}

  /** Delivers the frames after the stored cursor again, because a batch could not be stored. */
  rewind(): Promise<void> {
    return Promise.resolve();
  }

  /** Executes a call of the site. The outcome is what a sidecar would answer. */
  execute(_call: ConsoleCall): Promise<CommandOutcome> {
    return Promise.resolve({ status: 503, body: { code: "SHARD_DOWN" } });
  }

  stop(): Promise<void> {
    this.#queue.close();
    return Promise.resolve();
  }
}

import type { Logger } from "../../log.ts";
import type { Cursor, StreamFrame } from "../frames.ts";
import type { SocketStatus } from "./socket-options.ts";
import type { SocketStats } from "./socket.ts";

/** A source of a game server's frames: a socket to its sidecar, or the calls of its plugin. */
export interface FrameSource {
  readonly status: SocketStatus;
  readonly stats: SocketStats;
  /**
   * Returns the frames since the last call, oldest first; waits if there is none.
   * @throws the signal's reason if it aborts, an Error after `stop`
   */
  nextBatch(max: number, signal?: AbortSignal): Promise<StreamFrame[]>;
  /** Reports the position up to which the consumer has stored frames; the source may delete them. */
  committed(cursor: Cursor | null): void;
  /** Ends all waits of the consumer permanently. */
  stop(): Promise<void>;
}

export interface FrameSourceOptions {
  readonly log: Logger;
  /** Returns the last committed position; called when the feed starts from the stored state. */
  readonly cursor: () => Promise<Cursor | null>;
  readonly onStatus: () => void;
}

import type { Logger } from "../../log.ts";
import type { Cursor, StreamFrame } from "../frames.ts";
import type { SocketStatus } from "./socket-options.ts";
import type { SocketStats } from "./socket.ts";

/** A source of a game server's frames: a socket to its sidecar, or the calls of its plugin. */
export interface FrameSource {
  readonly status: SocketStatus;
  readonly stats: SocketStats;
  /**
   * Returns the frames since the last call, oldest first. Waits if there are none.
   * @throws the signal's reason if it aborts, an Error after `stop`
   */
  nextBatch(max: number, signal?: AbortSignal): Promise<StreamFrame[]>;
  /** Reports the position up to which frames are stored, so that the source may delete them. */
  committed(cursor: Cursor | null): void;
  /** Ends all waits of the consumer permanently. */
  stop(): Promise<void>;
}

export interface FrameSourceOptions {
  readonly log: Logger;
  /** Returns the last stored position, from which the feed starts. */
  readonly cursor: () => Promise<Cursor | null>;
  readonly onStatus: () => void;
}

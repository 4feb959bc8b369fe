import type { Logger } from "../../log.ts";
import type { Cursor, StreamFrame } from "../frames.ts";
import type { SocketStatus } from "./socket-options.ts";
import type { SocketStats } from "./socket.ts";

/** Where the frames of a game server come from: a socket to its sidecar, or the calls of its plugin. */
export interface Feed {
  readonly status: SocketStatus;
  readonly stats: SocketStats;
  /**
   * The frames that came since the last call, oldest first; waits while there is none.
   * @throws the signal's reason when it aborts, an Error once the feed was stopped
   */
  nextBatch(max: number, signal?: AbortSignal): Promise<StreamFrame[]>;
  /** Says how far the consumer has stored. */
  committed(cursor: Cursor | null): void;
  /** Ends every wait of the consumer, for good. */
  stop(): Promise<void>;
}

/** What every feed is given. */
export interface FeedOptions {
  readonly log: Logger;
  /** The last committed position; asked when the feed starts from what is stored. */
  readonly cursor: () => Promise<Cursor | null>;
  readonly onStatus: () => void;
}

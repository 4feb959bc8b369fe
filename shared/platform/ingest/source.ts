import type { Control } from "../bridge/calls/control.ts";
import type { Cursor, StreamFrame } from "../bridge/frames.ts";
import type { Feed, FeedOptions } from "../bridge/socket/feed.ts";
import type { SocketSettings } from "../bridge/socket/socket-options.ts";
import type { Question } from "./follow-up.ts";
import type { Ownership } from "./ownership.ts";

/** How a game server is reached. */
export type SourceLink = SidecarSource | PluginSource | StatusSource;

/** By the socket and the control plane of its sidecar. */
export interface SidecarSource extends SocketSettings {
  readonly kind: "sidecar";
  connect(this: void): Control;
}

/** By the calls of its plugin. */
export interface PluginSource {
  readonly kind: "plugin";
  readonly protocol: number;
  connect(this: void): Control;
}

/** By a packet that the game answers without anything installed: it takes no commands. */
export interface StatusSource {
  readonly kind: "status";
  readonly host: string;
  readonly port: number;
  openFeed(this: void, options: FeedOptions): Feed;
}

/** What ingest needs to know of one game server: its link, and what is made of its frames. */
export interface Source {
  /** As its rows in `ingest_sources` and `rejected_frames` name it. */
  readonly name: string;
  /** The link as it is stored now; null while it is off. @throws when the token cannot be read */
  readLink(this: void): Promise<SourceLink | null>;
  /** Has the listener told of each change of the link. @returns what ends that */
  onChange(this: void, changed: () => void): () => void;
  /** What the sidecar is asked for, because the stream alone does not bring it. */
  readonly questions: readonly Question[];
  /**
   * Whether all that came before must be stored before this frame.
   * @param part what would be stored with it otherwise
   */
  beginsPart(this: void, frame: StreamFrame, part: readonly StreamFrame[]): boolean;
  /**
   * Stores frames whole or not at all, none but the first of which speaks of the stream itself or of
   * another game process.
   * @returns the position they cover, if they have one
   * @throws {OwnershipLost} when another process has taken over
   */
  storePart(this: void, frames: readonly StreamFrame[], owner: Ownership): Promise<Cursor | null>;
}

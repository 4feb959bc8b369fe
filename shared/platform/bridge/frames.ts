import type { JsonObject } from "./json-text.ts";

/** A position in a sidecar's buffer. `seq` increases by one per event. A new buffer has a new epoch. */
export interface Cursor {
  readonly epoch: string;
  readonly seq: number;
}

export interface HelloFrame {
  readonly type: "hello";
  readonly protocol: number;
  readonly epoch: string;
  readonly bootId: string | null;
  /** The newest and oldest `seq` in the buffer. If the buffer is empty, `oldest` is `head + 1`. */
  readonly head: number;
  readonly oldest: number;
  readonly pluginConnected: boolean;
  readonly capabilities: readonly string[];
  readonly t: number | null;
  /** The whole frame, with fields that depend on the kind of game server. */
  readonly details: JsonObject;
}

export interface EventFrame {
  readonly type: "event";
  readonly epoch: string;
  readonly seq: number;
  /** The id of the game process; null for an event that the sidecar created. */
  readonly bootId: string | null;
  /** Creation time of the world's save; only survival servers send it. */
  readonly saveId?: number;
  /** Derived from facts of the game, so the key stays the same if the sidecar recreates the buffer. */
  readonly eventKey: string | null;
  readonly kind: string;
  /** Epoch milliseconds by the game's clock, which may go back from one event to the next. */
  readonly t: number;
  readonly replay: boolean;
  readonly payload: JsonObject;
}

/** The frame that ends the replay of old events. */
export interface ReplayEndFrame {
  readonly type: "live";
  readonly head: number;
}

/** An inclusive range of events that the buffer no longer contains. */
export interface GapFrame {
  readonly type: "gap";
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

/** A gap with its epoch, limited to events that were not received before. */
export interface StreamGap extends GapFrame {
  readonly epoch: string;
}

/** The game process stopped or started. */
export interface PluginFrame {
  readonly type: "plugin";
  readonly connected: boolean;
  readonly bootId: string | null;
}

export type RejectReason =
  | "json"
  | "size"
  | "depth"
  | "type"
  | "cursor"
  | "kind"
  | "t"
  | "bootId"
  | "eventKey"
  | "payload"
  | "schema"
  | "storage"
  | "hello"
  | "live"
  | "gap"
  | "plugin";

/** An invalid frame. It is counted, stored for the operator and skipped. */
export interface RejectedFrame {
  readonly type: "rejected";
  readonly reason: RejectReason;
  readonly excerpt: string;
  /** The position of the frame, which advances the cursor; null if it could not be read. */
  readonly cursor: Cursor | null;
  readonly kind: string | null;
  /** The exact fault, if the reason alone does not tell enough. */
  readonly detail?: string;
}

/** A frame of a type that a later protocol added. It is counted and skipped. */
interface IgnoredFrame {
  readonly type: "ignored";
}

/** The last frame of a plugin call. Storing it deletes the call's row in the inbox. */
export interface InboxFrame {
  readonly type: "inbox";
  readonly id: number;
}

export type Frame =
  | HelloFrame
  | EventFrame
  | ReplayEndFrame
  | GapFrame
  | PluginFrame
  | RejectedFrame
  | IgnoredFrame;

/** The frames that a consumer receives, in order. */
export type StreamFrame =
  | HelloFrame
  | EventFrame
  | RejectedFrame
  | StreamGap
  | ReplayEndFrame
  | PluginFrame
  | InboxFrame;

/** Returns the game process of a frame; null if the frame names none or reports the end of the process. */
export const gameProcessOf = (frame: StreamFrame): string | null =>
  isProcessGone(frame) || !("bootId" in frame) ? null : frame.bootId;

/** Returns the position in the buffer up to which a frame reaches; null if the frame has none. */
export function cursorOfFrame(frame: StreamFrame): Cursor | null {
  if (frame.type === "event") return { epoch: frame.epoch, seq: frame.seq };
  if (frame.type === "gap") return { epoch: frame.epoch, seq: frame.to };
  return frame.type === "rejected" ? frame.cursor : null;
}

/** Returns true if a frame reports that no game process runs. */
export const isProcessGone = (frame: StreamFrame): boolean =>
  (frame.type === "plugin" && !frame.connected) ||
  (frame.type === "hello" && !frame.pluginConnected);

/** Returns true if a frame is about the stream itself and not about the game. */
export const isStreamStatusFrame = ({ type }: StreamFrame): boolean =>
  type === "hello" || type === "gap" || type === "plugin";

/** Returns true if states from before the frame may be outdated. */
export const invalidatesStates = (frame: StreamFrame): boolean =>
  frame.type === "hello" || frame.type === "gap" || (frame.type === "plugin" && frame.connected);

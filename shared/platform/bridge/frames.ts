import type { JsonObject } from "./json-text.ts";

/** A position in a sidecar's buffer: `seq` rises by one as long as the buffer, its epoch, lives. */
export interface Cursor {
  readonly epoch: string;
  readonly seq: number;
}

/** The first frame of a connection. */
export interface HelloFrame {
  readonly type: "hello";
  readonly protocol: number;
  readonly epoch: string;
  readonly bootId: string | null;
  /** Newest and oldest buffered seq; `oldest` is `head + 1` when the buffer is empty. */
  readonly head: number;
  readonly oldest: number;
  readonly pluginConnected: boolean;
  readonly capabilities: readonly string[];
  readonly t: number | null;
  /** The whole frame: what a kind of game server says beyond the above. */
  readonly details: JsonObject;
}

/** One live event. */
export interface EventFrame {
  readonly type: "event";
  readonly epoch: string;
  readonly seq: number;
  /** Which run of the game process it is of; null for what the sidecar itself noticed. */
  readonly bootId: string | null;
  /** Which world it is of, by when that was made; only survival servers say so. */
  readonly saveId?: number;
  /** Made from game facts, so it outlives a recreated buffer. */
  readonly eventKey: string | null;
  readonly kind: string;
  /** Epoch ms by the game's clock; alone it may be out of order. */
  readonly t: number;
  readonly replay: boolean;
  readonly payload: JsonObject;
}

/** Replay is over. */
export interface LiveFrame {
  readonly type: "live";
  readonly head: number;
}

/** An inclusive range that the buffer no longer holds. */
export interface GapFrame {
  readonly type: "gap";
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

/** A gap with the epoch it lies in, clipped to what was not yet seen. */
export interface StreamGap extends GapFrame {
  readonly epoch: string;
}

/** The game process went away or came back. */
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

/** A frame that is counted, kept for the operator to see and passed over. */
export interface RejectedFrame {
  readonly type: "rejected";
  readonly reason: RejectReason;
  /** The beginning of its text. */
  readonly excerpt: string;
  /** Its position, which moves the cursor; null when it could not be read. */
  readonly cursor: Cursor | null;
  readonly kind: string | null;
  /** What exactly is wrong, where the reason alone does not say. */
  readonly detail?: string;
}

/** A frame of a type that a later protocol brought: it is counted and passed over. */
interface IgnoredFrame {
  readonly type: "ignored";
}

/** All that a call of a plugin brought was handed on: its row of the inbox is deleted with it. */
export interface InboxFrame {
  readonly type: "inbox";
  /** Of the row. */
  readonly id: number;
}

export type Frame =
  | HelloFrame
  | EventFrame
  | LiveFrame
  | GapFrame
  | PluginFrame
  | RejectedFrame
  | IgnoredFrame;

/** The frames that a consumer is handed, in order. */
export type StreamFrame =
  | HelloFrame
  | EventFrame
  | RejectedFrame
  | StreamGap
  | LiveFrame
  | PluginFrame
  | InboxFrame;

/** The game process of a frame; null where the frame says nothing of one, or that it is gone. */
export const bootOf = (frame: StreamFrame): string | null =>
  isGone(frame) || !("bootId" in frame) ? null : frame.bootId;

/** Whether a frame says that the game process is not there. */
export const isGone = (frame: StreamFrame): boolean =>
  (frame.type === "plugin" && !frame.connected) ||
  (frame.type === "hello" && !frame.pluginConnected);

/** Whether a frame tells of the stream itself and not of the game. */
export const speaksOfStream = ({ type }: StreamFrame): boolean =>
  type === "hello" || type === "gap" || type === "plugin";

/** Whether what was known before a frame may be wrong after it. */
export const makesDoubtful = (frame: StreamFrame): boolean =>
  frame.type === "hello" || frame.type === "gap" || (frame.type === "plugin" && frame.connected);

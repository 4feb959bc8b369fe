import type { FrameForm } from "./forms.ts";

export type Payload = Readonly<Record<string, unknown>>;

/** An event in the sidecar's buffer. */
export interface BufferedEvent {
  readonly epoch: string;
  readonly seq: number;
  /** The boot of the game. Null for an event of the sidecar itself. */
  readonly bootId: string | null;
  /** The save of the world in which the event happened. Undefined if the protocol has no saves. */
  readonly saveId?: number | null | undefined;
  /** The key that the game derives from the event. Null for a state. */
  readonly eventKey: string | null;
  readonly kind: string;
  /** The time of the event, by the game's clock. */
  readonly t: number;
  readonly payload: Payload;
  /** The time at which the sidecar appended the event. */
  readonly at: number;
  /** The way in which the event's frame is malformed. Null for a correct frame. */
  readonly form: FrameForm | null;
  /** True if the buffer has lost the event. It is reported as a gap and never sent. */
  readonly lost: boolean;
}

export type EventDraft = Pick<
  BufferedEvent,
  "bootId" | "saveId" | "eventKey" | "kind" | "t" | "payload" | "form"
>;

export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly reason: string;
}

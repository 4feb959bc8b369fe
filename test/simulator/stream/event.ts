import type { FrameForm } from "./forms.ts";

export type Payload = Readonly<Record<string, unknown>>;

/** One event as the sidecar holds it. */
export interface BufferedEvent {
  readonly epoch: string;
  readonly seq: number;
  /** The boot of the game process; null for the sidecar's own events. */
  readonly bootId: string | null;
  /** The world of the event; absent if the protocol has none. */
  readonly saveId?: number | null | undefined;
  /** Computed by the game from the event's facts; null for states. */
  readonly eventKey: string | null;
  readonly kind: string;
  /** The game's clock. */
  readonly t: number;
  readonly payload: Payload;
  /** The sidecar's time of the append. */
  readonly at: number;
  /** The malformation of its frame; null for none. */
  readonly form: FrameForm | null;
  /** The buffer lost it: it is announced as a gap and never sent. */
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

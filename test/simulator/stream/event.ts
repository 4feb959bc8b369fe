import type { FrameForm } from "./forms.ts";

export type Payload = Readonly<Record<string, unknown>>;

/** One event as the sidecar holds it. */
export interface BufferedEvent {
  readonly epoch: string;
  readonly seq: number;
  /** The game process that said it; null for what the sidecar itself noticed. */
  readonly bootId: string | null;
  /** The world the event is of; absent where the protocol has none. */
  readonly saveId?: number | null | undefined;
  /** Minted by the game from its own facts; null for what is only a state. */
  readonly eventKey: string | null;
  readonly kind: string;
  /** The game's clock. */
  readonly t: number;
  readonly payload: Payload;
  /** When the sidecar took it in, by its own clock. */
  readonly at: number;
  /** The way its frame is spoiled when it is sent; null for a sound one. */
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

import { toRejectedFrame } from "../bridge/frame.ts";
import {
  type Cursor,
  type EventFrame,
  cursorOfFrame,
  type RejectedFrame,
  type StreamFrame,
} from "../bridge/frames.ts";
import type { JsonObject } from "../bridge/json-text.ts";

/** An event whose payload has passed the check of its kind. */
export interface CheckedEvent {
  readonly frame: EventFrame;
  readonly payload: JsonObject;
  /** Number of rows that were removed from the payload because they contained an invalid value. */
  readonly rowsLeftOut: number;
}

export interface CheckedFrames {
  readonly events: readonly CheckedEvent[];
  readonly rejected: readonly RejectedFrame[];
  /** For staff: one rejected frame for each event that is stored without its invalid rows. */
  readonly shortened: readonly RejectedFrame[];
  /** The position after the frames; null if no frame has one. */
  readonly cursor: Cursor | null;
}

/** The payload to store, the reason of a refusal, or both if invalid rows were removed. */
export type PayloadCheckResult =
  | { readonly payload: JsonObject; readonly rowsLeftOut?: number; readonly reason?: string }
  | { readonly reason: string };

export type PayloadCheck = (kind: string, payload: JsonObject) => PayloadCheckResult;

/**
 * Checks the payload of every event against its kind. Events that fail become rejected frames.
 * @returns the checked frames and the position after them
 */
export function checkFrames(frames: readonly StreamFrame[], check: PayloadCheck): CheckedFrames {
  const events: CheckedEvent[] = [];
  const rejected: RejectedFrame[] = [];
  const shortened: RejectedFrame[] = [];
  let cursor: Cursor | null = null;
  for (const frame of frames) {
    cursor = cursorOfFrame(frame) ?? cursor;
    if (frame.type === "rejected") rejected.push(frame);
    if (frame.type !== "event") continue;
    const judged = check(frame.kind, frame.payload);
    if ("payload" in judged) {
      events.push({ frame, payload: judged.payload, rowsLeftOut: judged.rowsLeftOut ?? 0 });
    }
    if (judged.reason === undefined) continue;
    const refused = toRejectedFrame(frame, "schema", judged.reason);
    ("payload" in judged ? shortened : rejected).push(refused);
  }
  return { events, rejected, shortened, cursor };
}

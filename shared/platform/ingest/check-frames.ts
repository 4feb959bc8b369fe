import { rejectEvent } from "../bridge/frame.ts";
import type { EventFrame, RejectedFrame, StreamFrame } from "../bridge/frames.ts";
import type { JsonObject } from "../bridge/json-text.ts";

/** An event whose payload is as its kind declares it, ready to be stored. */
export interface CheckedEvent {
  readonly frame: EventFrame;
  readonly payload: JsonObject;
  /** Rows that are not in the payload because a value of theirs was odd. */
  readonly rowsLeftOut: number;
}

export interface CheckedFrames {
  /** In the order in which they came. */
  readonly events: readonly CheckedEvent[];
  readonly rejected: readonly RejectedFrame[];
  /** Events that are stored without some of their rows, as frames for staff to see. */
  readonly shortened: readonly RejectedFrame[];
}

/**
 * A payload as it is stored, and why it is refused. A payload with a reason is stored without the
 * rows that the reason is about.
 */
export type JudgedPayload =
  | { readonly payload: JsonObject; readonly rowsLeftOut?: number; readonly reason?: string }
  | { readonly reason: string };

/** Checks a payload against its kind. */
export type PayloadCheck = (kind: string, payload: JsonObject) => JudgedPayload;

/** Checks the payload of every event against its kind. Events that fail become rejected frames. */
export function checkFrames(frames: readonly StreamFrame[], check: PayloadCheck): CheckedFrames {
  const events: CheckedEvent[] = [];
  const rejected: RejectedFrame[] = [];
  const shortened: RejectedFrame[] = [];
  for (const frame of frames) {
    if (frame.type === "rejected") rejected.push(frame);
    if (frame.type !== "event") continue;
    const judged = check(frame.kind, frame.payload);
    if ("payload" in judged) {
      events.push({ frame, payload: judged.payload, rowsLeftOut: judged.rowsLeftOut ?? 0 });
    }
    if (judged.reason === undefined) continue;
    const refused = rejectEvent(frame, "schema", judged.reason);
    ("payload" in judged ? shortened : rejected).push(refused);
  }
  return { events, rejected, shortened };
}

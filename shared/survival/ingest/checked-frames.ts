import { checkAgainst } from "../../platform/bridge/check-payload.ts";
import { rejectEvent } from "../../platform/bridge/frame.ts";
import type { EventFrame, RejectedFrame, StreamFrame } from "../../platform/bridge/frames.ts";
import type { JsonObject } from "../../platform/bridge/json-text.ts";
import { findSurvivalKind } from "../kinds/kinds.ts";
import { withoutOddRows } from "./odd-rows.ts";

/** A frame of the game whose payload is as its kind declares it. */
export interface CheckedEvent {
  readonly frame: EventFrame;
  readonly payload: JsonObject;
  /** Rows that are not in the payload because a value of theirs was odd. */
  readonly rowsLeftOut: number;
}

export interface CheckedFrames {
  /** What happened, which is stored. */
  readonly happenings: readonly CheckedEvent[];
  /** All of them, with the states between, in the order in which they came. */
  readonly events: readonly CheckedEvent[];
  readonly rejected: readonly RejectedFrame[];
  /** Frames that were taken in without some of their rows, for staff to see. */
  readonly shortened: readonly RejectedFrame[];
}

/** Checks every frame of a part against its kind; those that fail join the rejected ones. */
export function checkFrames(frames: readonly StreamFrame[]): CheckedFrames {
  const events: CheckedEvent[] = [];
  const rejected: RejectedFrame[] = [];
  const shortened: RejectedFrame[] = [];
  for (const frame of frames) {
    if (frame.type === "rejected") rejected.push(frame);
    if (frame.type !== "event") continue;
    const kind = findSurvivalKind(frame.kind);
    const checked = checkAgainst(kind?.payload, frame.payload);
    if ("payload" in checked) {
      events.push({ frame, payload: checked.payload, rowsLeftOut: 0 });
      continue;
    }
    const refused = rejectEvent(frame, "schema", checked.reason);
    const left = kind && withoutOddRows(kind.payload, frame.payload);
    if (left) events.push({ frame, ...left });
    (left ? shortened : rejected).push(refused);
  }
  return { events, rejected, shortened, happenings: events.filter(isHappening) };
}

/** A kind that a newer plugin brought is stored as well, for staff to see. */
export const isHappening = ({ frame }: CheckedEvent): boolean =>
  findSurvivalKind(frame.kind)?.isEvent ?? true;

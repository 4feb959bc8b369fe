import { checkAgainst } from "../../bridge/check-payload.ts";
import { rejectEvent } from "../../bridge/frame.ts";
import type { EventFrame, RejectedFrame, StreamFrame } from "../../bridge/frames.ts";
import type { JsonObject } from "../../bridge/json-text.ts";
import { findSurvivalKind } from "../kinds/kinds.ts";

/** A frame of the game whose payload is as its kind declares it. */
export interface CheckedEvent {
  readonly frame: EventFrame;
  readonly payload: JsonObject;
}

export interface CheckedFrames {
  /** What happened, which is stored. */
  readonly happenings: readonly CheckedEvent[];
  /** All of them, with the states between, in the order in which they came. */
  readonly events: readonly CheckedEvent[];
  readonly rejected: readonly RejectedFrame[];
}

/** Checks every frame of a part against its kind; those that fail join the rejected ones. */
export function checkFrames(frames: readonly StreamFrame[]): CheckedFrames {
  const events: CheckedEvent[] = [];
  const rejected: RejectedFrame[] = [];
  for (const frame of frames) {
    if (frame.type === "rejected") rejected.push(frame);
    if (frame.type !== "event") continue;
    const checked = checkAgainst(findSurvivalKind(frame.kind)?.payload, frame.payload);
    if ("payload" in checked) events.push({ frame, payload: checked.payload });
    else rejected.push(rejectEvent(frame, "schema", checked.reason));
  }
  return { events, rejected, happenings: events.filter(isHappening) };
}

/** A kind that a newer plugin brought is stored as well, for staff to see. */
export const isHappening = ({ frame }: CheckedEvent): boolean =>
  findSurvivalKind(frame.kind)?.isEvent ?? true;

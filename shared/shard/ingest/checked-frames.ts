import { rejectEvent } from "../../platform/bridge/frame.ts";
import type { EventFrame, RejectedFrame, StreamFrame } from "../../platform/bridge/frames.ts";
import { checkPayload, findKind } from "../kinds/kinds.ts";
import type { Fields } from "../visibility/view.ts";

/** An event whose payload is as its kind declares it, ready to be stored. */
export interface CheckedEvent {
  readonly frame: EventFrame;
  readonly payload: Fields;
}

export interface CheckedFrames {
  readonly events: readonly CheckedEvent[];
  readonly rejected: readonly RejectedFrame[];
}

/** Checks every event of a batch against its kind; those that fail join the rejected frames. */
export function checkFrames(frames: readonly StreamFrame[]): CheckedFrames {
  const events: CheckedEvent[] = [];
  const rejected: RejectedFrame[] = [];
  for (const frame of frames) {
    if (frame.type === "rejected") rejected.push(frame);
    if (frame.type !== "event") continue;
    const checked = checkPayload(frame.kind, frame.payload);
    if ("payload" in checked) events.push({ frame, payload: checked.payload });
    else rejected.push(rejectEvent(frame, "schema", checked.reason));
  }
  return { events, rejected };
}

/** Whether an event moves a live state, or rests on one. */
export function concernsState({ frame }: CheckedEvent): boolean {
  const kind = findKind(frame.kind);
  return kind?.feeds !== undefined || kind?.restsOn !== undefined;
}

/** The payload as it is stored: of a snapshot's page the number of rows, which have their own table. */
export function storedPayload({ frame, payload }: CheckedEvent): Fields {
  if (findKind(frame.kind)?.feeds?.as !== "page") return payload;
  return { ...payload, rows: (payload["rows"] as readonly unknown[]).length };
}

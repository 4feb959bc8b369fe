import type { StreamFrame } from "../../platform/bridge/frames.ts";
import { findKind } from "../kinds/kinds.ts";
import { readAccountKey } from "./account-owners.ts";

/**
 * Returns true if an event must start a new part. Announcements use the links after the whole part, and
 * the houses before it. Therefore an event starts a part if it moves the link of an account that an
 * earlier event may notify. So does an event whose news depends on its house, after an event that
 * changes houses.
 * @param part the events before it
 */
export function startsNewPart(frame: StreamFrame, part: readonly StreamFrame[]): boolean {
  if (frame.type !== "event") return false;
  const { feeds, push } = findKind(frame.kind) ?? {};
  if (feeds?.state === "links") {
    const moved = readAccountKey(frame.payload, "acct");
    return moved !== null && part.some((earlier) => notifiedAccount(earlier) === moved);
  }
  if (push?.needsFacts?.(frame.payload) !== true) return false;
  return part.some((earlier) => changedState(earlier) === feeds?.state);
}

/** Returns the account whose owner a frame may notify. */
function notifiedAccount(frame: StreamFrame): string | null {
  if (frame.type !== "event") return null;
  const personal = findKind(frame.kind)?.push?.personal;
  return personal ? readAccountKey(frame.payload, personal.owner) : null;
}

const changedState = (frame: StreamFrame) =>
  frame.type === "event" ? findKind(frame.kind)?.feeds?.state : undefined;

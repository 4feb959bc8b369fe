import type { StreamFrame } from "../../platform/bridge/frames.ts";
import { findKind } from "../kinds/kinds.ts";
import { accountIn } from "./account-owners.ts";

/**
 * Returns whether an event must be the first of its part. Events of a part are announced by the links
 * as the whole part leaves them, and by the houses as the part meets them. Therefore a part begins
 * with an event that moves the link of an account whose owner may be told of an event before it, and
 * with an event whose news rests on its house after others that move houses.
 * @param part the events before it
 */
export function beginsPart(frame: StreamFrame, part: readonly StreamFrame[]): boolean {
  if (frame.type !== "event") return false;
  const { feeds, push } = findKind(frame.kind) ?? {};
  if (feeds?.state === "links") {
    const moved = accountIn(frame.payload, "acct");
    return moved !== null && part.some((earlier) => accountToldOf(earlier) === moved);
  }
  if (push?.asksFacts?.(frame.payload) !== true) return false;
  return part.some((earlier) => stateMovedBy(earlier) === feeds?.state);
}

/** The account whose owner may be told of a frame. */
function accountToldOf(frame: StreamFrame): string | null {
  if (frame.type !== "event") return null;
  const personal = findKind(frame.kind)?.push?.personal;
  return personal ? accountIn(frame.payload, personal.owner) : null;
}

const stateMovedBy = (frame: StreamFrame) =>
  frame.type === "event" ? findKind(frame.kind)?.feeds?.state : undefined;

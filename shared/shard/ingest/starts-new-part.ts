import type { StreamFrame } from "../../platform/bridge/frames.ts";
import { findKind } from "../kinds/kinds.ts";
import { readAccountKey } from "./account-owners.ts";

/**
 * Returns true if an event must be stored in a new transaction. Announcements use the links as they are after all
 * events of a transaction, and the houses as they were before the first event. An event therefore starts a new
 * transaction if it changes the link of an account whose owner an earlier event may notify, or if its own
 * announcement depends on a house and an earlier event changes houses.
 * @param part the events before it in the current transaction
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

import type { EventFrame } from "../../platform/bridge/frames.ts";
import type { EventAudienceContext, ShardKind } from "../kinds/kind.ts";
import { findShardKind } from "../kinds/kinds.ts";
import { decideReach, type EventReach } from "../streams/projection.ts";
import type { PayloadFields } from "../visibility/view.ts";

export interface StateEvent {
  readonly id: number;
  readonly frame: EventFrame;
  readonly payload: PayloadFields;
}

/** An event whose audience depends on the state before it, with the streams (`reach`) that carry the event. */
export interface StateEventReach {
  readonly event: StateEvent;
  readonly reach: EventReach;
}

/** Returns the effect of the event on its state; undefined if it has none. */
export const findStateEffect = ({ frame }: Pick<StateEvent, "frame">): ShardKind["feeds"] =>
  findShardKind(frame.kind)?.feeds;

/** Returns the event with reach `none`, because it changed nothing and no stream carries it. */
export const hideStateEvent = (event: StateEvent): StateEventReach => ({ event, reach: "none" });

/** @param facts the facts at the time when the event arrived */
export const computeReach = (
  event: StateEvent,
  facts: Partial<EventAudienceContext>,
): StateEventReach => ({
  event,
  reach: decideReach(event.frame.kind, event.payload, facts),
});

/** Payload fields that describe the event. They are not part of the object's state. */
export const nonStateFields: readonly string[] = ["t", "from", "to", "reason"];

/** Returns the fields of a payload that are stored and compared. */
export const pickStateFields = (payload: PayloadFields): PayloadFields =>
  Object.fromEntries(Object.entries(payload).filter(([field]) => !nonStateFields.includes(field)));

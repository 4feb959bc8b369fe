import type { EventFrame } from "../../platform/bridge/frames.ts";
import type { EventFacts, Kind } from "../kinds/kind.ts";
import { findKind } from "../kinds/kinds.ts";
import { audienceOf, type EventReach } from "../streams/projection.ts";
import type { Fields } from "../visibility/view.ts";

export interface StateEvent {
  readonly id: number;
  readonly frame: EventFrame;
  readonly payload: Fields;
}

/** An event's reach (the streams that carry it), where it depends on the state before the event. */
export interface StateReach {
  readonly event: StateEvent;
  readonly reach: EventReach;
}

/** Returns the effect of the event on its state; undefined if it has none. */
export const feedOf = ({ frame }: Pick<StateEvent, "frame">): Kind["feeds"] =>
  findKind(frame.kind)?.feeds;

/** An event that changed nothing is stored but not streamed. */
export const unchangedReach = (event: StateEvent): StateReach => ({ event, reach: "none" });

/** @param facts as they were when the event arrived */
export const reachFromFacts = (event: StateEvent, facts: Partial<EventFacts>): StateReach => ({
  event,
  reach: audienceOf(event.frame.kind, event.payload, facts),
});

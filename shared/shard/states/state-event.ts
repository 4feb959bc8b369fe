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

/** The reach of an event (the streams that carry it), for events whose reach depends on the state before them. */
export interface StateReach {
  readonly event: StateEvent;
  readonly reach: EventReach;
}

/** Returns the effect of the event on its state; undefined if it has none. */
export const feedOf = ({ frame }: Pick<StateEvent, "frame">): Kind["feeds"] =>
  findKind(frame.kind)?.feeds;

/** An event that changed nothing is stored but not streamed. */
export const unchangedReach = (event: StateEvent): StateReach => ({ event, reach: "none" });

/** @param facts the facts at the time when the event arrived */
export const reachFromFacts = (event: StateEvent, facts: Partial<EventFacts>): StateReach => ({
  event,
  reach: audienceOf(event.frame.kind, event.payload, facts),
});

import type { EventFrame } from "../../platform/bridge/frames.ts";
import type { Facts, Kind } from "../kinds/kind.ts";
import { findKind } from "../kinds/kinds.ts";
import { audienceOf, type EventReach } from "../streams/projection.ts";
import type { Fields } from "../visibility/view.ts";

/** A stored event that moves a live state. */
export interface StateEvent {
  readonly id: number;
  readonly frame: EventFrame;
  readonly payload: Fields;
}

/** The reach that an event has by the state it met, where the event alone does not say it. */
export interface MetReach {
  readonly event: StateEvent;
  readonly reach: EventReach;
}

/** What the event's kind does to its state; undefined for one that moves none. */
export const feedOf = ({ frame }: Pick<StateEvent, "frame">): Kind["feeds"] =>
  findKind(frame.kind)?.feeds;

/** An event that changed nothing is kept, and not streamed. */
export const reachOfUnchanged = (event: StateEvent): MetReach => ({ event, reach: "none" });

/** @param facts what was true when the event came */
export const reachBy = (event: StateEvent, facts: Partial<Facts>): MetReach => ({
  event,
  reach: audienceOf(event.frame.kind, event.payload, facts),
});

import type { EventFrame } from "../../bridge/frames.ts";
import type { Fields } from "../view.ts";

/** A stored event that moves a state of ours. */
export interface FedEvent {
  readonly id: number;
  readonly frame: EventFrame;
  readonly payload: Fields;
}

import type { Sql } from "../../platform/db/sql.ts";
import type { Fields } from "../visibility/view.ts";
import type { StateReach, StateEvent } from "./state-event.ts";

/** The operations on one live state, on the connection of the source's owner. */
export interface StateHandler {
  /** Applies events in order. @returns the reach of events that depends on the state */
  apply(events: readonly StateEvent[], connection: Sql, source: string): Promise<StateReach[]>;
  /** SQL statements that empty a state when the game process ends. */
  readonly clear?: readonly string[];
  readonly snapshot?: SnapshotHandler;
}

export interface SnapshotHandler {
  /** Returns the key of the event's object. */
  keyOf(payload: Fields): string;
  /** Replaces the state by the complete staged snapshot. */
  swap(source: string, connection: Sql): Promise<void>;
}

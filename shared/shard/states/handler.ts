import type { SqlClient } from "../../platform/db/sql.ts";
import type { PayloadFields } from "../visibility/view.ts";
import type { StateEventReach, StateEvent } from "./state-event.ts";

/** The operations on one live state. They use the connection of the process that owns the source. */
export interface StateHandler {
  /**
   * Applies events in order.
   * @returns the streams (`reach`) of the events whose audience depends on the state before the event
   */
  apply(
    events: readonly StateEvent[],
    connection: SqlClient,
    source: string,
  ): Promise<StateEventReach[]>;
  /** SQL statements that empty a state when the game process ends. */
  readonly clear?: readonly string[];
  readonly snapshot?: SnapshotHandler;
}

export interface SnapshotHandler {
  /** Returns the key of the object that the payload describes. */
  keyOf(payload: PayloadFields): string;
  /** Replaces the state by the complete staged snapshot. */
  swap(source: string, connection: SqlClient): Promise<void>;
}

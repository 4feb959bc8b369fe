import type { Sql } from "../../platform/db/sql.ts";
import type { Fields } from "../visibility/view.ts";
import type { MetReach, StateEvent } from "./state-event.ts";

/** What is done with one live state, on the connection of the source's owner. */
export interface StateHandler {
  /** Moves the state by the events, in their order. @returns what it says of their reach */
  apply(events: readonly StateEvent[], connection: Sql, source: string): Promise<MetReach[]>;
  /** SQL statements that empty a state which dies with the game process. */
  readonly clear?: readonly string[];
  /** How a snapshot replaces the state. */
  readonly snapshot?: SnapshotHandler;
}

export interface SnapshotHandler {
  /** The key of the thing that an event is about. */
  keyOf(payload: Fields): string;
  /** Replaces the state by the snapshot that is staged whole. */
  swap(source: string, connection: Sql): Promise<void>;
}

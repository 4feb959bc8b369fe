import type { Audience } from "./audience.ts";
import type { Frame } from "./frames.ts";
import type { HistorySize } from "./recent-events.ts";

/** A stored event. Ids increase in the order in which events of one log are committed. */
export interface EventLogEntry {
  readonly id: number;
  readonly createdAt: Date;
  /** The payload as JSON; empty if no stream sends the event. */
  readonly payload: string;
}

/** The stored events behind one or more streams. */
export interface EventLogSource<Event extends EventLogEntry> {
  /** Maximum size of the newest events in memory, from which clients resume. */
  readonly history: HistorySize;
  /** The number of stored events that a new log reads into memory. */
  readonly warmEvents: number;
  /** Stored events are not deleted before this age, in milliseconds. */
  readonly keptMs: number;
  /** Returns the id after which there are `count` streamed events. */
  findStart(count: number): Promise<number>;
  /** Reads the next events after an id, including those that no stream sends. */
  readAfter(afterId: number, limit: number): Promise<Event[]>;
  /** Reads one page of events between two ids that an audience may see. */
  readMissed(afterId: number, untilId: number, audience: Audience): Promise<readonly Event[]>;
  isStreamed(event: Event): boolean;
  /** Returns true if a stream may have sent an event with this id. */
  wasStreamed(id: number): Promise<boolean>;
  /** Encodes an event for an audience; null if the audience may not see it. */
  frameOf(event: Event, audience: Audience): Frame;
  /** Calls `heard` with the id of the newest event after each commit. @returns a function that unsubscribes */
  onNews(heard: (lastId: number) => void): () => void;
}

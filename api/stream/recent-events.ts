import type { StreamEvent } from "../../shared/shard/streams/stored-events.ts";

/** What is kept ready for clients that come back: enough for a restart, little enough to forget. */
const keep = { events: 2_000, payloadChars: 8 * 1024 * 1024 };

/** The newest stored events in memory, so that a thousand reconnects are not a thousand queries. */
export class RecentEvents {
  #events: StreamEvent[] = [];
  #chars = 0;

  /** The id of the newest event the streams have carried; 0 before the first. */
  get position(): number {
    return this.#events.at(-1)?.id ?? 0;
  }

  /** Forgets what it held: other events have taken its place. */
  replace(events: readonly StreamEvent[]): void {
    this.#events = [];
    this.#chars = 0;
    this.add(events);
  }

  add(events: readonly StreamEvent[]): void {
    this.#events.push(...events);
    this.#chars += events.reduce((sum, { payload }) => sum + payload.length, 0);
    // Forgetting in halves costs next to nothing an event; a shift a time would move them all.
    if (this.#events.length > 2 * keep.events || this.#chars > 2 * keep.payloadChars) this.#trim();
  }

  /** The events after one that is held; undefined when it is not, and the database must say. */
  after(id: number): readonly StreamEvent[] | undefined {
    const at = this.#events.findLastIndex((event) => event.id <= id);
    return this.#events[at]?.id === id ? this.#events.slice(at + 1) : undefined;
  }

  #trim(): void {
    let chars = 0;
    const newest = this.#events.slice(-keep.events);
    const from = newest.findLastIndex(
      ({ payload }) => (chars += payload.length) > keep.payloadChars,
    );
    // The newest one stays whatever its size: it is the position.
    this.#events = newest.slice(Math.min(from + 1, newest.length - 1));
    this.#chars = this.#events.reduce((sum, { payload }) => sum + payload.length, 0);
  }
}

import type { StreamEvent } from "../../shared/shard/streams/stored-events.ts";

/** The size of the history for reconnecting clients: enough for a restart, and small in memory. */
const keep = { events: 2_000, payloadChars: 8 * 1024 * 1024 };

/** The newest stored events in memory, so that many reconnects do not cause many queries. */
export class RecentEvents {
  #events: StreamEvent[] = [];
  #chars = 0;

  /** The id of the newest event; 0 before the first. */
  get position(): number {
    return this.#events.at(-1)?.id ?? 0;
  }

  /** Replaces all events, because the stored log has changed. */
  replace(events: readonly StreamEvent[]): void {
    this.#events = [];
    this.#chars = 0;
    this.add(events);
  }

  add(events: readonly StreamEvent[]): void {
    this.#events.push(...events);
    this.#chars += events.reduce((sum, { payload }) => sum + payload.length, 0);
    // Trim half at a time: shifting one event at a time would move all others.
    if (this.#events.length > 2 * keep.events || this.#chars > 2 * keep.payloadChars) this.#trim();
  }

  /** Returns the events after the one with this id; undefined if that event is not in memory. */
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
    // Keep the newest event however large it is, because its id is the position.
    this.#events = newest.slice(Math.min(from + 1, newest.length - 1));
    this.#chars = this.#events.reduce((sum, { payload }) => sum + payload.length, 0);
  }
}

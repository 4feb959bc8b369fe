import type { EventLogEntry } from "./log-source.ts";

/** Maximum size of the events in memory for reconnecting clients. */
export interface HistorySize {
  readonly events: number;
  readonly payloadChars: number;
}

/** The newest stored events in memory, so that many reconnects do not cause many queries. */
export class RecentEvents<Event extends EventLogEntry> {
  readonly #keep: HistorySize;
  #events: Event[] = [];
  #chars = 0;

  constructor(keep: HistorySize) {
    this.#keep = keep;
  }

  /** The id of the newest event; 0 before the first. */
  get position(): number {
    return this.#events.at(-1)?.id ?? 0;
  }

  /** Replaces all events, because the stored log has changed. */
  replace(events: readonly Event[]): void {
    this.#events = [];
    this.#chars = 0;
    this.add(events);
  }

  add(events: readonly Event[]): void {
    this.#events.push(...events);
    this.#chars += events.reduce((sum, { payload }) => sum + payload.length, 0);
    // Remove half of the events at a time, because each removal moves all remaining ones.
    const { events: most, payloadChars } = this.#keep;
    if (this.#events.length > 2 * most || this.#chars > 2 * payloadChars) this.#trim();
  }

  /** Returns the events after the one with this id; undefined if that event is not in memory. */
  after(id: number): readonly Event[] | undefined {
    const at = this.#events.findLastIndex((event) => event.id <= id);
    return this.#events[at]?.id === id ? this.#events.slice(at + 1) : undefined;
  }

  #trim(): void {
    let chars = 0;
    const newest = this.#events.slice(-this.#keep.events);
    const from = newest.findLastIndex(
      ({ payload }) => (chars += payload.length) > this.#keep.payloadChars,
    );
    // Keep the newest event however large it is, because its id is the position.
    this.#events = newest.slice(Math.min(from + 1, newest.length - 1));
    this.#chars = this.#events.reduce((sum, { payload }) => sum + payload.length, 0);
  }
}

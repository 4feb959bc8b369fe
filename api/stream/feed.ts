import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";

import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { EventLogEntry, EventLogSource } from "./log-source.ts";

/** The maximum number of events per query. */
const pageSize = 500;
/**
 * After each delivery the feed pauses for as long as the delivery took, so that half of the process's time
 * remains for requests.
 */
const rest = { share: 1, leastMs: 5, mostMs: 100 };

export interface StoredEventFeedOptions<Event> {
  /** Milliseconds between polls, in case a notification is lost. */
  readonly pollMs: number;
  /** Repeats a read while the process starts and the database is not yet available. */
  readonly retry?: <T>(read: () => Promise<T>) => Promise<T>;
  /** Delivers events to the subscribers; resolves when they are written. */
  readonly deliver: (events: readonly Event[]) => Promise<void>;
  /** Called with the newest events if events that were delivered are no longer in the log. */
  readonly beginAnew: (events: readonly Event[]) => void;
  /** Called with the number of stored events that a query returned. */
  readonly countRead: (events: number) => void;
  /** Called with the age of the newest event of a query, in milliseconds. */
  readonly observeLag: (ms: number) => void;
}

/** Reads stored events once for the whole process. A burst of notifications causes only one query. */
export class StoredEventFeed<Event extends EventLogEntry> {
  readonly #source: EventLogSource<Event>;
  readonly #context: Pick<SiteContext, "listener" | "log">;
  readonly #options: StoredEventFeedOptions<Event>;
  /** Runs reads outside the request that triggers them, because a read serves every stream. */
  readonly #inProcess = AsyncLocalStorage.snapshot();
  #cursor = 0;
  #heardId = 0;
  /** The last event that was read; undefined before the first read. */
  #last: Pick<EventLogEntry, "id" | "createdAt"> | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #restsUntil = 0;
  #unlisten: (() => void)[] = [];
  #poll: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    source: EventLogSource<Event>,
    context: Pick<SiteContext, "listener" | "log">,
    options: StoredEventFeedOptions<Event>,
  ) {
    this.#source = source;
    this.#context = context;
    this.#options = options;
  }

  /** The newest event id, from a notification or a read. */
  get heardId(): number {
    return Math.max(this.#heardId, this.#cursor);
  }

  async start(): Promise<void> {
    const { warmEvents } = this.#source;
    const { retry = (read) => read() } = this.#options;
    this.#cursor = await retry(() => this.#source.findStart(warmEvents));
    const readSoon = () => this.#look();
    this.#unlisten = [
      this.#source.onNews((lastId) => {
        this.#heardId = Math.max(this.#heardId, lastId);
        if (lastId > this.#cursor) readSoon();
      }),
      this.#context.listener.onGap(readSoon),
    ];
    this.#poll = setInterval(readSoon, this.#options.pollMs).unref();
    await retry(() => this.drain());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    for (const unlisten of this.#unlisten) unlisten();
    await (this.#next ?? this.#running).catch(() => undefined);
  }

  /** Resolves when all events stored before the call are delivered. */
  drain(): Promise<void> {
    this.#next ??= this.#inProcess(() => this.#readNext());
    return this.#next;
  }

  async #readNext(): Promise<void> {
    await this.#running;
    const restMs = this.#restsUntil - performance.now();
    if (restMs > 0) await sleep(restMs);
    this.#next = undefined;
    const reading = this.#readAll();
    this.#running = reading.catch(() => undefined);
    return reading;
  }

  #look(): void {
    this.drain().catch((error: unknown) => {
      // Only a read can fail. A failed read leaves the cursor unchanged, so the next read starts at the same
      // event.
      this.#context.log.warn({ err: error }, "new events for the event streams could not be read");
    });
  }

  async #readAll(): Promise<void> {
    for (let isFull = true; isFull && !this.#stopped;) {
      const stored = await this.#readPage();
      if (!stored) return this.#beginAnew();
      isFull = stored.length === pageSize;
      this.#options.countRead(stored.length);
      this.#moveTo(stored.at(-1));
      const events = stored.filter((event) => this.#source.isStreamed(event));
      if (events.length > 0) await this.#deliver(events);
    }
  }

  /**
   * Reads the events after the last one. After a failover the database may have lost events and reuse their
   * ids, so the last event is read again too.
   * @returns undefined if that event differs now, or is missing although it is too young to be deleted
   */
  async #readPage(): Promise<Event[] | undefined> {
    const last = this.#last;
    if (!last) return this.#source.readAfter(this.#cursor, pageSize);
    const found = await this.#source.readAfter(last.id - 1, pageSize + 1);
    const [known] = found;
    if (known?.id !== last.id) {
      const isOld = Date.now() - last.createdAt.getTime() >= this.#source.keptMs;
      return isOld ? found.slice(0, pageSize) : undefined;
    }
    return Number(known.createdAt) === Number(last.createdAt) ? found.slice(1) : undefined;
  }

  /** Forgets the last event: after a failover, new events may have lower ids than the last one read. */
  async #beginAnew(): Promise<void> {
    const newest: Event[] = [];
    let cursor = await this.#source.findStart(this.#source.warmEvents);
    for (let isFull = true; isFull && !this.#stopped;) {
      const stored = await this.#source.readAfter(cursor, pageSize);
      isFull = stored.length === pageSize;
      cursor = stored.at(-1)?.id ?? cursor;
      newest.push(...stored);
    }
    this.#cursor = cursor;
    this.#heardId = cursor;
    this.#last = undefined;
    this.#moveTo(newest.at(-1));
    this.#options.beginAnew(newest.filter((event) => this.#source.isStreamed(event)));
  }

  #moveTo(event: Event | undefined): void {
    if (!event) return;
    this.#cursor = event.id;
    this.#last = { id: event.id, createdAt: event.createdAt };
  }

  async #deliver(events: readonly Event[]): Promise<void> {
    const startedAt = performance.now();
    const newest = events.at(-1);
    if (newest) this.#options.observeLag(Date.now() - newest.createdAt.getTime());
    await this.#options.deliver(events);
    const tookMs = performance.now() - startedAt;
    const restMs = Math.min(Math.max(tookMs * rest.share, rest.leastMs), rest.mostMs);
    this.#restsUntil = performance.now() + restMs;
  }
}

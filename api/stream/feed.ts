import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";

import type { SiteContext } from "../../shared/ops/site-context.ts";
import {
  findStart,
  readEventsAfter,
  type StoredEvent,
  type StreamEvent,
} from "../../shared/shard/streams/stored-events.ts";

/** Events of one read. */
const pageSize = 500;
/** Events that a new process reads back, for clients that were connected to the one before it. */
const warmEvents = 1_000;
/** After a delivery the next waits as long as it took, so that requests keep half of the time. */
const rest = { share: 1, leastMs: 5, mostMs: 100 };

export interface FeedOptions {
  /** Milliseconds between reads that nobody asked for, in case a notification was lost. */
  readonly pollMs: number;
  /** Hands on what was read; resolves when it has been written. */
  readonly deliver: (events: readonly StreamEvent[]) => Promise<void>;
  /** Told what the newest events are, when those that were handed on are not in the log any more. */
  readonly beginAnew: (events: readonly StreamEvent[]) => void;
  /** Told how many stored events were read. */
  readonly countRead: (events: number) => void;
  /** Told how long the newest of a read had been stored. */
  readonly observeLag: (ms: number) => void;
}

/**
 * Reads stored events by id, once for the whole process. A notification only says that there may be
 * new ones: a single one is followed at once, those of a burst are read together.
 */
export class Feed {
  readonly #context: SiteContext;
  readonly #options: FeedOptions;
  /** A read serves every stream, so it has nothing of the request of whoever asked for it first. */
  readonly #inProcess = AsyncLocalStorage.snapshot();
  #cursor = 0;
  #heardId = 0;
  /** The event at the cursor; undefined before the first was read. */
  #last: Pick<StoredEvent, "id" | "createdAt"> | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #restsUntil = 0;
  #unlisten: (() => void)[] = [];
  #poll: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(context: SiteContext, options: FeedOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** The newest event that was told of or read, whichever came first. */
  get heardId(): number {
    return Math.max(this.#heardId, this.#cursor);
  }

  async start(): Promise<void> {
    const { listener, sequelize, startWait } = this.#context;
    this.#cursor = await startWait.for(() => findStart(sequelize, warmEvents));
    const look = () => this.#look();
    this.#unlisten = [
      listener.on("shard_events", ({ lastId }) => {
        this.#heardId = Math.max(this.#heardId, lastId);
        if (lastId > this.#cursor) look();
      }),
      listener.onGap(look),
    ];
    this.#poll = setInterval(look, this.#options.pollMs).unref();
    await startWait.for(() => this.drain());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    for (const unlisten of this.#unlisten) unlisten();
    await (this.#next ?? this.#running).catch(() => undefined);
  }

  /** Resolves when everything stored before the call has been delivered. */
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
      // Only a read can fail, and the cursor stands where it stood: the next look reads on from there.
      this.#context.log.warn({ err: error }, "reading stored events failed");
    });
  }

  async #readAll(): Promise<void> {
    for (let isFull = true; isFull && !this.#stopped;) {
      const stored = await this.#readPage();
      if (!stored) return this.#beginAnew();
      isFull = stored.length === pageSize;
      this.#options.countRead(stored.length);
      this.#moveTo(stored.at(-1));
      const events = stored.filter(isStreamed);
      if (events.length > 0) await this.#deliver(events);
    }
  }

  /**
   * The events after the cursor. A database that took over may lack what its predecessor lost, and
   * gives the same ids to other events: so the event at the cursor is read with them.
   * @returns undefined when that is not what it was
   */
  async #readPage(): Promise<StoredEvent[] | undefined> {
    const last = this.#last;
    if (!last) return readEventsAfter(this.#cursor, pageSize, this.#context);
    const [known, ...stored] = await readEventsAfter(last.id - 1, pageSize + 1, this.#context);
    const isKnown = known?.id === last.id && Number(known.createdAt) === Number(last.createdAt);
    return isKnown ? stored : undefined;
  }

  /** Reads back as a new process does: what was stored meanwhile may stand below the cursor. */
  async #beginAnew(): Promise<void> {
    const newest: StoredEvent[] = [];
    let cursor = await findStart(this.#context.sequelize, warmEvents);
    for (let isFull = true; isFull && !this.#stopped;) {
      const stored = await readEventsAfter(cursor, pageSize, this.#context);
      isFull = stored.length === pageSize;
      cursor = stored.at(-1)?.id ?? cursor;
      newest.push(...stored);
    }
    this.#cursor = cursor;
    this.#heardId = cursor;
    this.#last = undefined;
    this.#moveTo(newest.at(-1));
    this.#options.beginAnew(newest.filter(isStreamed));
  }

  #moveTo(event: StoredEvent | undefined): void {
    if (!event) return;
    this.#cursor = event.id;
    this.#last = { id: event.id, createdAt: event.createdAt };
  }

  async #deliver(events: readonly StreamEvent[]): Promise<void> {
    const startedAt = performance.now();
    const newest = events.at(-1);
    if (newest) this.#options.observeLag(Date.now() - newest.createdAt.getTime());
    await this.#options.deliver(events);
    const tookMs = performance.now() - startedAt;
    const restMs = Math.min(Math.max(tookMs * rest.share, rest.leastMs), rest.mostMs);
    this.#restsUntil = performance.now() + restMs;
  }
}

const isStreamed = (event: StoredEvent): event is StreamEvent => event.reach !== "none";

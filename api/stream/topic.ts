import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";

import { audienceLadder, type Rung } from "../../shared/platform/access/roles.ts";
import type { FairQueue } from "../../shared/platform/net/fair-queue.ts";
import { Audience } from "./audience.ts";
import { EventLog, type EventLogServices } from "./event-log.ts";
import type { EventLogEntry, EventLogSource } from "./log-source.ts";
import { encodeBlock } from "./sse.ts";
import type { TopicStream } from "./streams.ts";
import type { Subscriber } from "./subscriber.ts";
import { startSubscriber } from "./welcome.ts";

/** A complete state, sent as a named block without an id. Missed blocks need no replay. */
export interface TopicState {
  readonly event: string;
  readonly data: object;
  /** Fields of `data`: if only these change, the state is not sent again. */
  readonly minor?: readonly string[];
}

/** Callbacks for changes of states in the database, of states in memory, and of hidden events. */
export interface TopicChanges {
  readonly stored: () => void;
  readonly inMemory: () => void;
  readonly hidden: () => void;
}

/** The events and states of one topic, such as a game server. */
export interface TopicSource<Event extends EventLogEntry> extends EventLogSource<Event> {
  /** Reads which stored events are hidden. `frameOf` then returns null for them. */
  readHidden(): Promise<void>;
  /** Reads the states for these access levels. @returns false if the topic no longer exists */
  readStates(rungs: readonly Rung[]): Promise<boolean>;
  /** Drops the states, which become outdated while nobody follows the topic. */
  forgetStates(): void;
  /** Returns the states that an access level may see now, without those that were not read for it. */
  describeStates(rung: Rung): readonly TopicState[];
  /** Subscribes to changes. @returns a function that unsubscribes */
  onChange(changed: TopicChanges): () => void;
}

/** A topic that a caller follows, such as a survival server. */
export interface FollowedTopic<Event extends EventLogEntry> {
  readonly stream: TopicStream;
  /** The id of the topic among those of its stream. */
  readonly id: number;
  /** The caller's access level for this topic. */
  readonly rung: Rung;
  /** Creates the topic's source, if no client of the process follows the topic yet. */
  readonly create: () => TopicSource<Event>;
}

export interface TopicServices extends EventLogServices {
  /** Limits the reads of all topics, so that they leave connections for requests. */
  readonly reads: FairQueue;
}

/** Minimum time between two reads of the states, so that a burst of changes causes one read. */
const restMs = 250;

/** The streams of one topic in this process. */
export class Topic<Event extends EventLogEntry = EventLogEntry> {
  readonly #log: EventLog<Event>;
  readonly #source: TopicSource<Event>;
  readonly #services: TopicServices;
  /** Runs reads outside the request that starts them, because a read serves every stream. */
  readonly #inProcess = AsyncLocalStorage.snapshot();
  readonly #sent = new Map<Audience, Map<string, SentState>>();
  readonly #stopping = new AbortController();
  #ready: Promise<void> | undefined;
  #hasStarted = false;
  #isDue = false;
  #reading: Promise<void> | undefined;
  /** The current read of the hidden events. `#nextHiddenRead` is the one after it. */
  #hiddenRead: Promise<void> = Promise.resolve();
  #nextHiddenRead: Promise<void> | undefined;
  #isHiddenStale = false;
  #unsubscribe: (() => void) | undefined;
  #poll: NodeJS.Timeout | undefined;

  constructor(stream: TopicStream, source: TopicSource<Event>, services: TopicServices) {
    this.#source = source;
    this.#services = services;
    const audiences = audienceLadder.map((rung) => new Audience(stream, rung));
    this.#log = new EventLog(limitReads(source, services.reads), audiences, services);
  }

  get audiences(): readonly Audience[] {
    return this.#log.audiences;
  }

  audienceOf(rung: Rung): Audience {
    return this.audiences.find((each) => each.rung === rung) as Audience;
  }

  /** False if the start has failed. Then the topic cannot be used. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  beat(): void {
    this.#log.beat();
  }

  /** Returns true if no client follows the topic. */
  isEmpty(): boolean {
    return this.#log.subscribers().length === 0;
  }

  /** Sends the missed events, then the states. @returns the number of missed events */
  async welcome(subscriber: Subscriber, lastEventId: string | undefined): Promise<number> {
    await (this.#ready ??= this.#inProcess(() => this.#start()));
    // Read which events are hidden now: the notification about a hidden event may arrive only later.
    if (lastEventId) await this.#readHidden();
    const replayed = await startSubscriber(subscriber, lastEventId, this.#log.history);
    const { audience } = subscriber;
    if (!audience.members.has(subscriber)) return replayed;
    // The first member of an audience gets the states from the next read.
    for (const { block } of this.#sent.get(audience)?.values() ?? []) subscriber.send(block);
    if (!this.#sent.has(audience)) this.#readSoon();
    return replayed;
  }

  async stop(): Promise<void> {
    for (const subscriber of this.#log.subscribers()) subscriber.bye("unavailable");
    this.#stopping.abort();
    clearInterval(this.#poll);
    this.#unsubscribe?.();
    await this.#ready?.catch(() => undefined);
    await this.#log.stop();
    await (this.#nextHiddenRead ?? this.#hiddenRead).catch(() => undefined);
    await this.#reading;
  }

  async #start(): Promise<void> {
    this.#unsubscribe = this.#source.onChange({
      stored: () => this.#readSoon(),
      inMemory: () => this.#sendChanges(),
      hidden: () => this.#refreshHidden(),
    });
    const unlisten = this.#services.context.listener.onGap(() => {
      this.#refreshHidden();
      this.#readSoon();
    });
    const unsubscribe = this.#unsubscribe;
    this.#unsubscribe = () => {
      unlisten();
      unsubscribe();
    };
    this.#poll = setInterval(() => {
      if (this.#isHiddenStale) this.#refreshHidden();
      this.#readSoon();
    }, this.#services.pollMs).unref();
    await this.#readHidden();
    await this.#log.start();
    this.#hasStarted = true;
  }

  /**
   * Reads the hidden events even if nobody follows the topic, because its events stay in memory for clients that
   * reconnect.
   */
  #refreshHidden(): void {
    this.#isHiddenStale = false;
    this.#readHidden().then(
      () => this.#sendChanges(),
      (error: unknown) => {
        // The next poll repeats the read.
        this.#isHiddenStale = true;
        this.#services.context.log.warn(
          { err: error },
          "the hidden events of an event stream could not be read",
        );
      },
    );
  }

  /** Resolves after a read that began after the call. Calls during a read share the next read. */
  #readHidden(): Promise<void> {
    this.#nextHiddenRead ??= this.#inProcess(async () => {
      await this.#hiddenRead;
      this.#nextHiddenRead = undefined;
      const reading = this.#services.reads.run(undefined, () => this.#source.readHidden());
      this.#hiddenRead = reading.catch(() => undefined);
      return reading;
    });
    return this.#nextHiddenRead;
  }

  #readSoon(): void {
    this.#isDue = true;
    this.#reading ??= this.#inProcess(() => this.#readWhileDue());
  }

  async #readWhileDue(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#isDue && !signal.aborted) {
      this.#isDue = false;
      try {
        await this.#read();
      } catch (error) {
        // The next poll reads the states again.
        this.#services.context.log.warn(
          { err: error },
          "the states for the event streams could not be read",
        );
      }
      await sleep(restMs, undefined, { signal }).catch(() => undefined);
    }
    this.#reading = undefined;
  }

  async #read(): Promise<void> {
    const rungs = this.#log.withSubscribers().map(({ rung }) => rung);
    if (rungs.length === 0) {
      this.#sent.clear();
      this.#source.forgetStates();
      return;
    }
    const isThere = await this.#services.reads.run(undefined, () => this.#source.readStates(rungs));
    if (isThere) return this.#sendChanges();
    for (const subscriber of this.#log.subscribers()) subscriber.bye("gone");
  }

  /** Sends each audience the states that differ from those that it received last. */
  #sendChanges(): void {
    for (const audience of this.#log.audiences) {
      if (audience.members.size === 0) this.#sent.delete(audience);
      else this.#sendTo(audience);
    }
  }

  #sendTo(audience: Audience): void {
    const sent = this.#sent.get(audience) ?? new Map<string, SentState>();
    const blocks: Buffer[] = [];
    for (const state of this.#source.describeStates(audience.rung)) {
      const key = keyOf(state);
      if (sent.get(state.event)?.key === key) continue;
      const block = encodeBlock({ event: state.event, data: state.data });
      sent.set(state.event, { key, block });
      blocks.push(block);
    }
    if (blocks.length === 0) return;
    this.#sent.set(audience, sent);
    void audience.send(Buffer.concat(blocks));
  }
}

/** Wraps a source, so that its reads wait in the queue. */
const limitReads = <Event extends EventLogEntry>(
  source: EventLogSource<Event>,
  reads: FairQueue,
): EventLogSource<Event> => ({
  history: source.history,
  warmEvents: source.warmEvents,
  keptMs: source.keptMs,
  findStart: (...given) => reads.run(undefined, () => source.findStart(...given)),
  readAfter: (...given) => reads.run(undefined, () => source.readAfter(...given)),
  readMissed: (...given) => reads.run(undefined, () => source.readMissed(...given)),
  wasStreamed: (...given) => reads.run(undefined, () => source.wasStreamed(...given)),
  isStreamed: (event) => source.isStreamed(event),
  frameOf: (event, audience) => source.frameOf(event, audience),
  onNews: (heard) => source.onNews(heard),
});

interface SentState {
  /** The state as text without minor fields. A state with the same text is not sent again. */
  readonly key: string;
  readonly block: Buffer;
}

const keyOf = ({ data, minor = [] }: TopicState): string =>
  JSON.stringify(data, (name, value: unknown) => (minor.includes(name) ? undefined : value));

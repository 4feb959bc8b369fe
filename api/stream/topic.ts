import { setTimeout as sleep } from "node:timers/promises";

import { audienceLadder, type Rung } from "../../shared/platform/access/roles.ts";
import { Audience } from "./audience.ts";
import { EventLog, type LogServices } from "./event-log.ts";
import type { LogEvent, LogSource } from "./log-source.ts";
import { encodeBlock } from "./sse.ts";
import type { TopicStream } from "./streams.ts";
import type { Subscriber } from "./subscriber.ts";
import { startSubscriber } from "./welcome.ts";

/** A state that a named block without an id tells in full, so that missed blocks need no replay. */
export interface StateBlock {
  readonly event: string;
  readonly data: object;
  /** Parts of `data` whose change alone is not sent. */
  readonly minor?: readonly string[];
}

/** The events and states of one topic, such as a game server. */
export interface TopicSource<Event extends LogEvent> extends LogSource<Event> {
  /** Reads the states for these access levels. @returns false if the topic no longer exists */
  readStates(rungs: readonly Rung[]): Promise<boolean>;
  /** Returns the states that an access level may see now, without those that were not read for it. */
  describeStates(rung: Rung): readonly StateBlock[];
  /** Subscribes to changes of the states: in the database, or only in memory. */
  onChange(changed: { readonly stored: () => void; readonly inMemory: () => void }): () => void;
}

/** A topic that a caller follows, such as a survival server. */
export interface FollowedTopic<Event extends LogEvent> {
  readonly stream: TopicStream;
  /** The id of the topic among those of its stream. */
  readonly id: number;
  /** The caller's access level for this topic. */
  readonly rung: Rung;
  /** Creates the topic's source, if no client of the process follows the topic yet. */
  readonly create: () => TopicSource<Event>;
}

/** The least time between two reads of the states, which combines changes. */
const restMs = 250;

/** One topic in this process: it has streams as long as clients follow it. */
export class Topic<Event extends LogEvent = LogEvent> {
  readonly #log: EventLog<Event>;
  readonly #source: TopicSource<Event>;
  readonly #services: LogServices;
  readonly #sent = new Map<Audience, Map<string, SentState>>();
  readonly #stopping = new AbortController();
  #ready: Promise<void> | undefined;
  #hasStarted = false;
  #isDue = false;
  #reading: Promise<void> | undefined;
  #unsubscribe: (() => void) | undefined;
  #poll: NodeJS.Timeout | undefined;

  constructor(stream: TopicStream, source: TopicSource<Event>, services: LogServices) {
    this.#source = source;
    this.#services = services;
    const audiences = audienceLadder.map((rung) => new Audience(stream, rung));
    this.#log = new EventLog(source, audiences, services);
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
    await (this.#ready ??= this.#start());
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
    await this.#reading;
  }

  async #start(): Promise<void> {
    this.#unsubscribe = this.#source.onChange({
      stored: () => this.#readSoon(),
      inMemory: () => this.#sendChanges(),
    });
    const unlisten = this.#services.context.listener.onGap(() => this.#readSoon());
    const unsubscribe = this.#unsubscribe;
    this.#unsubscribe = () => {
      unlisten();
      unsubscribe();
    };
    this.#poll = setInterval(() => this.#readSoon(), this.#services.pollMs).unref();
    await this.#log.start();
    this.#hasStarted = true;
  }

  #readSoon(): void {
    this.#isDue = true;
    this.#reading ??= this.#readWhileDue();
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
    if (rungs.length === 0) return this.#sent.clear();
    if (await this.#source.readStates(rungs)) return this.#sendChanges();
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

interface SentState {
  /** The text by which a change is noticed. */
  readonly key: string;
  readonly block: Buffer;
}

const keyOf = ({ data, minor = [] }: StateBlock): string =>
  JSON.stringify(data, (name, value: unknown) => (minor.includes(name) ? undefined : value));

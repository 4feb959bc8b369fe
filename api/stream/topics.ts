import { AsyncLocalStorage } from "node:async_hooks";

import { FairQueue } from "../../shared/platform/net/fair-queue.ts";
import type { Audience } from "./audience.ts";
import type { EventLogServices } from "./event-log.ts";
import type { EventLogEntry } from "./log-source.ts";
import type { Subscriber } from "./subscriber.ts";
import { type FollowedTopic, Topic, type TopicServices } from "./topic.ts";

/** The members of a topic that do not depend on the type of its events. */
type AnyTopic = Pick<
  Topic,
  "audienceOf" | "welcome" | "stop" | "audiences" | "beat" | "isEmpty" | "hasStarted"
>;

/** The number of reads of all topics at once. A process may have hundreds of topics, and few connections. */
const readsAtOnce = 2;

interface RunningTopic {
  readonly topic: AnyTopic;
  /** When the last client left the topic, on the `performance.now()` clock; null while clients follow it. */
  idleSince: number | null;
}

/** The topics that clients of this process follow. */
export class Topics {
  readonly #services: TopicServices;
  readonly #running = new Map<string, RunningTopic>();
  /** Runs a topic outside the request that opens it, because the topic serves every stream. */
  readonly #inProcess = AsyncLocalStorage.snapshot();

  constructor(services: EventLogServices) {
    this.#services = { ...services, reads: new FairQueue({ atOnce: readsAtOnce }) };
  }

  audienceOf<Event extends EventLogEntry>(followed: FollowedTopic<Event>): Audience {
    return this.#find(followed).audienceOf(followed.rung);
  }

  /** Sends the missed events and the states to a subscriber. @returns the number of missed events */
  async welcome<Event extends EventLogEntry>(
    followed: FollowedTopic<Event>,
    subscriber: Subscriber,
    lastEventId: string | undefined,
  ): Promise<number> {
    const topic = this.#find(followed);
    try {
      return await topic.welcome(subscriber, lastEventId);
    } catch (error) {
      // The start failed. Drop the topic, so that the next client starts it again.
      if (!topic.hasStarted) await this.#drop(keyOf(followed), topic);
      throw error;
    }
  }

  *audiences(): Iterable<Audience> {
    for (const { topic } of this.#running.values()) yield* topic.audiences;
  }

  beat(): void {
    for (const { topic } of this.#running.values()) topic.beat();
  }

  /** Stops the topics that no client has followed for this time. */
  stopIdle(idleMs: number): void {
    const now = performance.now();
    for (const [key, running] of this.#running) {
      if (!running.topic.isEmpty()) running.idleSince = null;
      else if (now - (running.idleSince ??= now) >= idleMs) void this.#drop(key, running.topic);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running].map(([key, { topic }]) => this.#drop(key, topic)));
  }

  #find<Event extends EventLogEntry>(followed: FollowedTopic<Event>): AnyTopic {
    const key = keyOf(followed);
    const known = this.#running.get(key);
    if (known) {
      known.idleSince = null;
      return known.topic;
    }
    const topic = this.#inProcess(
      () => new Topic(followed.stream, followed.create(), this.#services),
    );
    this.#running.set(key, { topic, idleSince: null });
    return topic;
  }

  /** Ends the streams of a topic and stops the topic. The clients reconnect. */
  async #drop(key: string, topic: AnyTopic): Promise<void> {
    if (this.#running.get(key)?.topic === topic) this.#running.delete(key);
    await topic.stop();
  }
}

const keyOf = ({ stream, id }: Pick<FollowedTopic<EventLogEntry>, "stream" | "id">): string =>
  `${stream}:${id}`;

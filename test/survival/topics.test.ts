import { setImmediate as nextTurn } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import type { Audience } from "../../api/stream/audience.ts";
import type { EventLogServices } from "../../api/stream/event-log.ts";
import { StoredEventFeed } from "../../api/stream/feed.ts";
import type { EventLogEntry } from "../../api/stream/log-source.ts";
import type { Subscriber } from "../../api/stream/subscriber.ts";
import type { TopicChanges, TopicSource } from "../../api/stream/topic.ts";
import { Topics } from "../../api/stream/topics.ts";
import {
  isAnonymousRead,
  runAsAnonymousRead,
} from "../../shared/platform/db/connection/connection.ts";
import { waitUntil } from "../support/clock/wait.ts";

const hour = 3_600_000;

const eventOf = (id: number, age = 0): EventLogEntry => ({
  id,
  createdAt: new Date(Date.now() - age),
  payload: "{}",
});

/** A source with events in memory. */
class FakeSource implements TopicSource<EventLogEntry> {
  readonly history = { events: 10, payloadChars: 1_000 };
  readonly warmEvents = 10;
  readonly keptMs = hour;
  events: EventLogEntry[] = [];
  changes: TopicChanges | undefined;
  hear: (lastId: number) => void = () => undefined;
  /** The reads so far, each with whether it ran in the context of a request. */
  readonly reads: { readonly name: string; readonly isOfRequest: boolean }[] = [];
  isBroken = false;
  readonly #work: () => Promise<void>;

  constructor(work: () => Promise<void> = () => nextTurn()) {
    this.#work = work;
  }

  countOf(name: string): number {
    return this.reads.filter((read) => read.name === name).length;
  }

  async #read<T>(name: string, result: () => T): Promise<T> {
    this.reads.push({ name, isOfRequest: isAnonymousRead() });
    await this.#work();
    return result();
  }

  findStart = () => this.#read("start", () => 0);
  readAfter = (afterId: number) =>
    this.#read("events", () => this.events.filter(({ id }) => id > afterId));
  readMissed = (afterId: number) => this.readAfter(afterId);
  wasStreamed = () => this.#read("event", () => true);
  readHidden = () => this.#read("hidden", () => undefined);
  readStates = () =>
    this.#read("states", () => {
      if (this.isBroken) throw new Error("the states cannot be read");
      return true;
    });
  forgetStates = () => this.reads.push({ name: "forget", isOfRequest: isAnonymousRead() });
  isStreamed = () => true;
  frameOf = () => null;
  describeStates = () => [];

  onNews(heard: (lastId: number) => void): () => void {
    this.hear = heard;
    return () => undefined;
  }

  onChange(changes: TopicChanges): () => void {
    this.changes = changes;
    return () => undefined;
  }
}

const context = {
  listener: { on: () => () => undefined, onGap: () => () => undefined },
  log: { warn: () => undefined },
} as unknown as EventLogServices["context"];

const metrics = {
  countRead: () => undefined,
  observeLag: () => undefined,
  countSent: () => undefined,
} as unknown as EventLogServices["metrics"];

/** Returns topics, and the set in which these topics keep their followers. */
function newTopics() {
  const followers = new Set<Subscriber>();
  return {
    topics: new Topics({ context, metrics, connections: followers, pollMs: hour }),
    followers,
  };
}

const topicOf = (id: number, source: FakeSource) =>
  ({ stream: "survival", id, rung: "anonymous", create: () => source }) as const;

const followerOf = (audience: Audience): Subscriber =>
  ({
    audience,
    isOpen: true,
    send: () => undefined,
    deliver: () => Promise.resolve(),
    bye: () => undefined,
  }) as unknown as Subscriber;

/** Follows a topic as a request does. */
async function follow(
  { topics, followers }: ReturnType<typeof newTopics>,
  followed: ReturnType<typeof topicOf>,
  lastEventId?: string,
): Promise<Subscriber> {
  const follower = followerOf(topics.audienceOf(followed));
  followers.add(follower);
  await runAsAnonymousRead(() => topics.welcome(followed, follower, lastEventId));
  return follower;
}

describe("a topic", () => {
  it("reads its data outside the read limits of the request that opened it and of later requests", async () => {
    const source = new FakeSource();
    const all = newTopics();
    await follow(all, topicOf(1, source));
    await waitUntil("the states are read", () => source.countOf("states") > 0);
    runAsAnonymousRead(() => source.changes?.stored());
    runAsAnonymousRead(() => source.changes?.hidden());
    await waitUntil("they are read again", () => source.countOf("states") > 1);
    expect(new Set(source.reads.map(({ name }) => name))).toEqual(
      new Set(["start", "events", "hidden", "states"]),
    );
    expect(source.reads.filter(({ isOfRequest }) => isOfRequest)).toEqual([]);
    await all.topics.stop();
  });

  it("reads which events are hidden while nobody follows it, and drops its states", async () => {
    const source = new FakeSource();
    const all = newTopics();
    const follower = await follow(all, topicOf(1, source));
    await waitUntil("the states are read", () => source.countOf("states") > 0);
    follower.audience.members.delete(follower);
    all.followers.clear();
    const before = source.countOf("hidden");
    source.changes?.hidden();
    source.changes?.stored();
    await waitUntil("the states are dropped", () => source.countOf("forget") > 0);
    expect(source.countOf("hidden")).toBe(before + 1);
    expect(source.countOf("states")).toBe(1);
    await all.topics.stop();
  });

  it("reads which events are hidden if its states cannot be read", async () => {
    const source = new FakeSource();
    source.isBroken = true;
    const all = newTopics();
    await follow(all, topicOf(1, source));
    await waitUntil("the read of the states failed", () => source.countOf("states") > 0);
    const before = source.countOf("hidden");
    source.changes?.hidden();
    await waitUntil("the hidden events are read", () => source.countOf("hidden") > before);
    expect(source.countOf("hidden")).toBe(before + 1);
    await all.topics.stop();
  });

  it("reads which events are hidden before it sends missed events", async () => {
    const source = new FakeSource();
    source.events = [eventOf(1), eventOf(2)];
    const all = newTopics();
    await follow(all, topicOf(1, source));
    const before = source.countOf("hidden");
    await Promise.all([1, 2, 3, 4].map(() => follow(all, topicOf(1, source), "1")));
    const reads = source.countOf("hidden") - before;
    expect(reads).toBeGreaterThanOrEqual(1);
    expect(reads).toBeLessThanOrEqual(2);
    await all.topics.stop();
  });

  it("waits for the reads of other topics, of which two run at once", async () => {
    let running = 0;
    let most = 0;
    const all = newTopics();
    const sources = Array.from(
      { length: 6 },
      () =>
        new FakeSource(async () => {
          most = Math.max(most, (running += 1));
          await nextTurn();
          running -= 1;
        }),
    );
    await Promise.all(sources.map((source, at) => follow(all, topicOf(at, source))));
    await waitUntil("all states are read", () =>
      sources.every((each) => each.countOf("states") > 0),
    );
    expect(most).toBe(2);
    await all.topics.stop();
  });
});

/**
 * Starts a feed of the source's events.
 * @returns the feed, the ids of delivered events, and how often the feed began anew
 */
async function startFeed(source: FakeSource) {
  const told = { delivered: [] as number[], anew: 0 };
  const feed = new StoredEventFeed<EventLogEntry>(source, context, {
    pollMs: hour,
    deliver: async (events) => void told.delivered.push(...events.map(({ id }) => id)),
    beginAnew: () => void (told.anew += 1),
    countRead: () => undefined,
    observeLag: () => undefined,
  });
  await feed.start();
  return { feed, told };
}

describe("a feed whose last event is missing", () => {
  it("continues with later events if the event was old enough to be deleted", async () => {
    const source = new FakeSource();
    source.events = [eventOf(7, 2 * hour)];
    const { feed, told } = await startFeed(source);
    source.events = [];
    await feed.drain();
    source.events = [eventOf(9), eventOf(10)];
    await feed.drain();
    expect(told).toEqual({ delivered: [7, 9, 10], anew: 0 });
    await feed.stop();
  });

  it("begins anew if the event was too young to be deleted, or if another event has its id", async () => {
    for (const [age, later] of [
      [0, []],
      [2 * hour, [eventOf(7)]],
    ] as const) {
      const source = new FakeSource();
      source.events = [eventOf(7, age)];
      const { feed, told } = await startFeed(source);
      source.events = [...later];
      await feed.drain();
      expect(told.anew).toBe(1);
      await feed.stop();
    }
  });
});

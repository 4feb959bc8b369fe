import { setTimeout as sleep } from "node:timers/promises";

import type { Request } from "express";
import type { Registry } from "prom-client";

import type { SiteContext } from "../../shared/ops/site-context.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import type { StreamMessageName } from "../../shared/platform/notify/channels.ts";
import type { StoredEvent } from "../../shared/shard/streams/stored-events.ts";
import { readRequestOrigin } from "../origin/origin.ts";
import type { Audience } from "./audience.ts";
import { Connections } from "./connections.ts";
import { EventLog, type EventLogServices } from "./event-log.ts";
import type { EventLogEntry } from "./log-source.ts";
import { createStreamMetrics, type StreamMetrics } from "./metrics.ts";
import { SessionWatch } from "./session-watch.ts";
import { createShardAudiences, shardSource } from "./shard-source.ts";
import { encodeBlock } from "./sse.ts";
import { sendStreamHead, type StreamRequest } from "./stream-request.ts";
import { type ShardStreamName, topicChannels } from "./streams.ts";
import { randomDelayMs, type ByeReason, encodeBye, Subscriber } from "./subscriber.ts";
import { type StreamTiming, defaultStreamTiming } from "./timing.ts";
import type { FollowedTopic } from "./topic.ts";
import { Topics } from "./topics.ts";
import { encodeReset, startSubscriber } from "./welcome.ts";

/** When the process stops, clients have this long to read the last bytes of their streams. */
const drainTimeoutMs = 2_000;

/** The event streams of one process: those of the shard, and one for each followed topic. */
export class EventStreams {
  readonly #context: SiteContext;
  readonly #timing: StreamTiming;
  readonly #metrics: StreamMetrics;
  readonly #connections: Connections;
  readonly #sessions: SessionWatch;
  readonly #shard: EventLog<StoredEvent>;
  readonly #topics: Topics;
  #timers: NodeJS.Timeout[] = [];
  #unlisten: (() => void) | undefined;
  #draining = false;

  constructor(context: SiteContext, registry: Registry, timing: Partial<StreamTiming> = {}) {
    const { config, startWait } = context;
    this.#context = context;
    this.#timing = { ...defaultStreamTiming, ...timing };
    this.#metrics = createStreamMetrics(registry, () => this.#audiences());
    this.#connections = new Connections({
      total: config.SSE_MAX,
      address: config.SSE_MAX_PER_IP,
      site: config.SSE_MAX_PER_IP * config.RL_SITE_TIMES,
      network: config.SSE_MAX_PER_NETWORK,
    });
    this.#sessions = new SessionWatch(context, this.#connections);
    const services: EventLogServices = {
      context,
      metrics: this.#metrics,
      connections: this.#connections,
      pollMs: this.#timing.pollMs,
    };
    this.#shard = new EventLog(shardSource(context), createShardAudiences(), {
      ...services,
      retry: (read) => startWait.for(read),
    });
    this.#topics = new Topics(services);
  }

  async start(): Promise<void> {
    await this.#shard.start();
    this.#sessions.start();
    const { listener } = this.#context;
    // Listen before the first topic starts, because a later LISTEN counts as a gap.
    for (const channel of topicChannels) listener.on(channel, () => undefined);
    this.#unlisten = listener.on("stream_notices", ({ name, data }) => this.sendNotice(name, data));
    this.#timers = [
      setInterval(() => this.#beat(), this.#timing.heartbeatMs).unref(),
      setInterval(() => this.#sweep(), this.#timing.sweepMs).unref(),
    ];
  }

  /** Ends all open and new streams with a `bye`, so that clients reconnect later. */
  async stop(): Promise<void> {
    this.#draining = true;
    this.#unlisten?.();
    for (const timer of this.#timers) clearInterval(timer);
    this.#sessions.stop();
    await this.#shard.stop();
    for (const subscriber of this.#connections) subscriber.bye("draining");
    await Promise.race([
      this.#connections.untilEmpty(),
      sleep(drainTimeoutMs, undefined, { ref: false }),
    ]);
    for (const subscriber of this.#connections) subscriber.cut();
    await this.#topics.stop();
  }

  /** Answers with a stream of the shard. The gate has admitted the caller; the access level selects the audience. */
  async open(stream: ShardStreamName, asked: StreamRequest): Promise<void> {
    const rung = asked.caller?.rung ?? "anonymous";
    const audience = this.#shard.audiences.find(
      (each) => each.stream === stream && each.rung === rung,
    );
    if (!audience) throw new AppError("feature_locked", "Forbidden");
    await this.#follow(asked, {
      audience: () => audience,
      welcome: (subscriber) => startSubscriber(subscriber, asked.lastEventId, this.#shard.history),
    });
  }

  /** Answers with the stream of a topic. The first client of a topic starts it. */
  async openTopic<Event extends EventLogEntry>(
    followed: FollowedTopic<Event>,
    asked: StreamRequest,
  ): Promise<void> {
    await this.#follow(asked, {
      audience: () => this.#topics.audienceOf(followed),
      welcome: (subscriber) => this.#topics.welcome(followed, subscriber, asked.lastEventId),
    });
  }

  /** Answers with a stream that ends with a `bye`, because browsers reconnect only after a 200. */
  refuse(reason: ByeReason, exchange: Pick<StreamRequest, "request" | "response">): void {
    if (!sendStreamHead(exchange)) return;
    this.#metrics.countEnd(reason);
    exchange.response.end(encodeBye(reason));
  }

  /** The id of the newest stored event that this process knows. No subscriber has received a later event. */
  get place(): number {
    return this.#shard.heardId;
  }

  /** Returns true if a stream that carries this notice has subscribers. Notices are messages without an id. */
  hasFollowers(name: StreamMessageName): boolean {
    return this.#following(name).length > 0;
  }

  /** Sends a message without an id to the subscribers of this process. */
  sendNotice(name: StreamMessageName, data: object): void {
    const block = encodeBlock({ event: name, data });
    for (const audience of this.#following(name)) void audience.send(block);
  }

  /**
   * Makes subscribers read again the state that these notices describe, because notices may have been lost.
   */
  resetNotices(name: StreamMessageName): void {
    const block = encodeReset("notices");
    for (const audience of this.#following(name)) void audience.send(block);
  }

  #following(name: StreamMessageName): Audience[] {
    return this.#shard.withSubscribers().filter((audience) => audience.carries(name));
  }

  /** Counts the stream before anything is awaited, so that concurrent requests stay within the limits. */
  async #follow(asked: StreamRequest, opening: StreamOpening): Promise<void> {
    const refusal = this.#refusalOf(asked.request);
    if (refusal) {
      this.refuse(refusal, asked);
      return;
    }
    if (!sendStreamHead(asked)) return;
    const subscriber = this.#addSubscriber(opening.audience(), asked);
    try {
      this.#metrics.countReplayed(await opening.welcome(subscriber));
    } catch (error) {
      this.#context.log.warn(
        { err: error },
        "the missed events of a client could not be read: its event stream ends",
      );
      subscriber.bye("unavailable");
    }
  }

  #refusalOf(request: Request): ByeReason | undefined {
    if (this.#draining) return "draining";
    if (this.#context.database.trouble !== undefined) return "unavailable";
    return this.#connections.hasRoomFor(readRequestOrigin(request).networks) ? undefined : "full";
  }

  #addSubscriber(audience: Audience, { request, response, caller }: StreamRequest): Subscriber {
    const { maxAgeMs } = this.#timing;
    const oldMs = randomDelayMs(maxAgeMs * 0.8, maxAgeMs);
    const subscriber = new Subscriber({
      response,
      caller,
      origin: readRequestOrigin(request),
      audience,
      endsAt: performance.now() + Math.min(oldMs, caller?.leftMs ?? Infinity),
      onEnd: this.#metrics.countEnd,
    });
    // Release Express's chain of middleware, which takes 1.4 KB per open stream.
    request.next = undefined;
    this.#connections.add(subscriber);
    response.once("close", () => this.#forget(subscriber));
    if (response.destroyed) this.#forget(subscriber);
    return subscriber;
  }

  #forget(subscriber: Subscriber): void {
    subscriber.audience.members.delete(subscriber);
    this.#connections.remove(subscriber);
  }

  #beat(): void {
    this.#shard.beat();
    this.#topics.beat();
  }

  #sweep(): void {
    // Without LISTEN, this process misses events and revocations. Let the subscribers reconnect elsewhere.
    const { isDeaf } = this.#context.listener;
    for (const subscriber of this.#connections) {
      if (isDeaf) subscriber.bye("unavailable");
      else if (subscriber.measureStall() > this.#timing.stallMs) subscriber.cut();
      else if (performance.now() >= subscriber.endsAt) subscriber.bye("max_age");
    }
    this.#topics.stopIdle(this.#timing.topicIdleMs);
  }

  *#audiences(): Iterable<Audience> {
    yield* this.#shard.audiences;
    yield* this.#topics.audiences();
  }
}

interface StreamOpening {
  /** Returns the audience of the caller. */
  readonly audience: () => Audience;
  /** Sends the greeting and the missed events. @returns the number of missed events */
  readonly welcome: (subscriber: Subscriber) => Promise<number>;
}

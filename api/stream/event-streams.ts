import { setTimeout as sleep } from "node:timers/promises";

import type { Request } from "express";
import type { Registry } from "prom-client";

import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import type { StreamMessageName } from "../../shared/platform/notify/channels.ts";
import type { StreamEvent } from "../../shared/shard/streams/stored-events.ts";
import { readRequestOrigin } from "../origin/origin.ts";
import { type Audience, createAudiences } from "./audience.ts";
import { Connections } from "./connections.ts";
import { StoredEventFeed } from "./feed.ts";
import { createStreamMetrics, type StreamMetrics } from "./metrics.ts";
import { RecentEvents } from "./recent-events.ts";
import type { ReplaySources } from "./resume.ts";
import { SessionWatch } from "./session-watch.ts";
import { encodeBlock } from "./sse.ts";
import { sendStreamHead, type StreamRequest } from "./stream-request.ts";
import type { StreamName } from "./streams.ts";
import { randomDelayMs, type ByeReason, encodeBye, Subscriber } from "./subscriber.ts";
import { type StreamTiming, defaultStreamTiming } from "./timing.ts";
import { encodeReset, startSubscriber } from "./welcome.ts";

/** How long clients can take to read ended streams while the process stops. */
const drainTimeoutMs = 2_000;

/** The event streams of one process. Each event is read once, and encoded once per access level. */
export class EventStreams {
  readonly #context: SiteContext;
  readonly #timing: StreamTiming;
  readonly #audiences = createAudiences();
  readonly #metrics: StreamMetrics;
  readonly #connections: Connections;
  readonly #sessions: SessionWatch;
  readonly #recent = new RecentEvents();
  readonly #feed: StoredEventFeed;
  readonly #history: ReplaySources;
  #timers: NodeJS.Timeout[] = [];
  #unlisten: (() => void) | undefined;
  #draining = false;

  constructor(context: SiteContext, registry: Registry, timing: Partial<StreamTiming> = {}) {
    const { config, sequelize, models, visibility } = context;
    this.#context = context;
    this.#timing = { ...defaultStreamTiming, ...timing };
    this.#metrics = createStreamMetrics(registry, this.#audiences);
    this.#connections = new Connections({
      total: config.SSE_MAX,
      address: config.SSE_MAX_PER_IP,
      site: config.SSE_MAX_PER_IP * config.RL_SITE_TIMES,
      network: config.SSE_MAX_PER_NETWORK,
    });
    this.#sessions = new SessionWatch(context, this.#connections);
    this.#feed = new StoredEventFeed(context, {
      pollMs: this.#timing.pollMs,
      deliver: (events) => this.#deliver(events),
      beginAnew: (events) => this.#beginAnew(events),
      countRead: this.#metrics.countRead,
      observeLag: this.#metrics.observeLag,
    });
    this.#history = {
      recent: this.#recent,
      sequelize,
      models,
      drain: () => this.#feed.drain(),
      visibility: () => visibility.current,
    };
  }

  async start(): Promise<void> {
    await this.#feed.start();
    this.#sessions.start();
    this.#unlisten = this.#context.listener.on("stream_notices", ({ name, data }) =>
      this.sendNotice(name, data),
    );
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
    await this.#feed.stop();
    for (const subscriber of this.#connections) subscriber.bye("draining");
    await Promise.race([
      this.#connections.untilEmpty(),
      sleep(drainTimeoutMs, undefined, { ref: false }),
    ]);
    for (const subscriber of this.#connections) subscriber.cut();
  }

  /** Answers with an event stream. The gate has admitted the caller; the access level selects the audience. */
  async open(stream: StreamName, asked: StreamRequest): Promise<void> {
    const { request, lastEventId } = asked;
    const audience = this.#audienceOf(stream, asked.caller);
    const refusal = this.#refusalOf(request);
    if (refusal) {
      this.refuse(refusal, asked);
      return;
    }
    if (!sendStreamHead(asked)) return;
    const subscriber = this.#addSubscriber(audience, asked);
    try {
      this.#metrics.countReplayed(await startSubscriber(subscriber, lastEventId, this.#history));
    } catch (error) {
      this.#context.log.warn(
        { err: error },
        "the missed events of a client could not be read: its event stream ends",
      );
      subscriber.bye("unavailable");
    }
  }

  /** Answers with a stream that ends with a `bye`, because browsers reconnect only after a 200. */
  refuse(reason: ByeReason, exchange: Pick<StreamRequest, "request" | "response">): void {
    if (!sendStreamHead(exchange)) return;
    this.#metrics.countEnd(reason);
    exchange.response.end(encodeBye(reason));
  }

  /** The id of the newest stored event that this process knows. No subscriber has received a later event. */
  get place(): number {
    return this.#feed.heardId;
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
   * Makes subscribers read the state again that these notices report, because some notices may have been lost.
   */
  resetNotices(name: StreamMessageName): void {
    const block = encodeReset("notices");
    for (const audience of this.#following(name)) void audience.send(block);
  }

  #following(name: StreamMessageName): Audience[] {
    return this.#withSubscribers().filter((audience) => audience.carries(name));
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

  #audienceOf(stream: StreamName, caller: Caller | null): Audience {
    const rung = caller?.rung ?? "anonymous";
    const found = this.#audiences.find((each) => each.stream === stream && each.rung === rung);
    if (!found) throw new AppError("feature_locked", "Forbidden");
    return found;
  }

  #forget(subscriber: Subscriber): void {
    subscriber.audience.members.delete(subscriber);
    this.#connections.remove(subscriber);
  }

  /** Adds the events to memory before sending them, so that a subscriber that joins meanwhile finds them there. */
  async #deliver(events: readonly StreamEvent[]): Promise<void> {
    this.#recent.add(events);
    await Promise.all(
      this.#withSubscribers().map(async (audience) => {
        const sent = await audience.sendEvents(events, this.#context.visibility.current);
        this.#metrics.countSent(audience.stream, sent);
      }),
    );
  }

  /** Makes all clients read the state again, because the ids that they know may now belong to other events. */
  #beginAnew(events: readonly StreamEvent[]): void {
    this.#context.log.warn(
      "the database lacks events that were already streamed: clients must fetch the state again",
    );
    this.#recent.replace(events);
    const block = Buffer.concat([
      encodeReset("unknown"),
      encodeBlock({ id: this.#recent.position }),
    ]);
    for (const subscriber of this.#connections) {
      subscriber.send(block);
      // End the stream of a subscriber that is still catching up: its replay began at events that the database
      // has lost.
      if (!subscriber.audience.members.has(subscriber)) subscriber.bye("unavailable");
    }
  }

  #beat(): void {
    for (const audience of this.#withSubscribers()) audience.beat(this.#recent.position);
  }

  #sweep(): void {
    // Without LISTEN, this process misses events and revocations. Let the subscribers reconnect elsewhere.
    const { isDeaf } = this.#context.listener;
    for (const subscriber of this.#connections) {
      if (isDeaf) subscriber.bye("unavailable");
      else if (subscriber.measureStall() > this.#timing.stallMs) subscriber.cut();
      else if (performance.now() >= subscriber.endsAt) subscriber.bye("max_age");
    }
  }

  /** Skips audiences without subscribers, so that no events are projected for them. */
  #withSubscribers(): Audience[] {
    return this.#audiences.filter(({ members }) => members.size > 0);
  }
}

import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Audience } from "./audience.ts";
import { StoredEventFeed } from "./feed.ts";
import type { EventLogEntry, EventLogSource } from "./log-source.ts";
import type { StreamMetrics } from "./metrics.ts";
import { RecentEvents } from "./recent-events.ts";
import type { ReplaySources } from "./resume.ts";
import { encodeBlock } from "./sse.ts";
import type { Subscriber } from "./subscriber.ts";
import { encodeReset } from "./welcome.ts";

/** Services of the process that each event log uses. */
export interface EventLogServices {
  readonly context: Pick<SiteContext, "listener" | "log">;
  readonly metrics: StreamMetrics;
  /** All open streams of the process. */
  readonly connections: Iterable<Subscriber>;
  readonly pollMs: number;
  /** Repeats a read while the process starts and the database is not yet available. */
  readonly retry?: <T>(read: () => Promise<T>) => Promise<T>;
}

/** Delivers the events of one log. Each event is read once, and encoded once per access level. */
export class EventLog<Event extends EventLogEntry> {
  readonly audiences: readonly Audience[];
  readonly history: ReplaySources<Event>;
  readonly #source: EventLogSource<Event>;
  readonly #services: EventLogServices;
  readonly #recent: RecentEvents<Event>;
  readonly #feed: StoredEventFeed<Event>;

  constructor(
    source: EventLogSource<Event>,
    audiences: readonly Audience[],
    services: EventLogServices,
  ) {
    const { context, metrics, pollMs, retry } = services;
    this.audiences = audiences;
    this.#source = source;
    this.#services = services;
    this.#recent = new RecentEvents(source.history);
    this.#feed = new StoredEventFeed(source, context, {
      pollMs,
      ...(retry && { retry }),
      deliver: (events) => this.#deliver(events),
      beginAnew: (events) => this.#beginAnew(events),
      countRead: metrics.countRead,
      observeLag: metrics.observeLag,
    });
    this.history = { recent: this.#recent, source, drain: () => this.#feed.drain() };
  }

  /** The id of the newest event that this process knows. No subscriber has received a later event. */
  get heardId(): number {
    return this.#feed.heardId;
  }

  start(): Promise<void> {
    return this.#feed.start();
  }

  stop(): Promise<void> {
    return this.#feed.stop();
  }

  /** Returns the audiences with subscribers, so that no events are encoded for the others. */
  withSubscribers(): Audience[] {
    return this.audiences.filter(({ members }) => members.size > 0);
  }

  /** Returns all subscribers, including those that are still catching up. */
  subscribers(): Subscriber[] {
    return [...this.#services.connections].filter(({ audience }) =>
      this.audiences.includes(audience),
    );
  }

  beat(): void {
    for (const audience of this.withSubscribers()) audience.beat(this.#recent.position);
  }

  /** Adds the events to memory before sending them, so that a subscriber that joins meanwhile finds them there. */
  async #deliver(events: readonly Event[]): Promise<void> {
    this.#recent.add(events);
    await Promise.all(
      this.withSubscribers().map(async (audience) => {
        const frames = events.flatMap((event) => {
          const bytes = this.#source.frameOf(event, audience);
          return bytes ? [{ id: event.id, bytes }] : [];
        });
        const sent = await audience.sendFrames(frames);
        this.#services.metrics.countSent(audience.stream, sent);
      }),
    );
  }

  /** Makes all clients read the state again: after a failover, their last ids may belong to other events. */
  #beginAnew(events: readonly Event[]): void {
    this.#services.context.log.warn(
      "the database lacks events that were already streamed: clients must fetch the state again",
    );
    this.#recent.replace(events);
    const block = Buffer.concat([
      encodeReset("unknown"),
      encodeBlock({ id: this.#recent.position }),
    ]);
    for (const subscriber of this.subscribers()) {
      subscriber.send(block);
      // End the stream of a subscriber that is still catching up: it would continue after an event that the
      // database has lost.
      if (!subscriber.audience.members.has(subscriber)) subscriber.bye("unavailable");
    }
  }
}

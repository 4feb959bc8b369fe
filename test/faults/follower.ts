import { setTimeout as sleep } from "node:timers/promises";

import type { RandomSource } from "../simulator/random.ts";
import { type Block, openStream, type StreamClient } from "../support/http/event-stream.ts";
import type { History } from "./history.ts";

/** One connection of a follower: its cursor and the blocks it received, in order. */
export interface StreamConnection {
  readonly api: string;
  /** The cursor that the follower sent, or undefined on its first connection. */
  readonly asked: number | undefined;
  readonly blocks: readonly Block[];
}

export interface FollowerOptions {
  readonly name: string;
  readonly stream: "public" | "admin";
  /** The API processes, which the follower uses in turn. */
  readonly apis: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** The limits of the pause before the follower reconnects, in milliseconds. */
  readonly away: { readonly least: number; readonly most: number };
  readonly random: RandomSource;
  readonly history: History;
}

const paths = {
  public: "/api/v1/public/shard/stream",
  admin: "/api/v1/admin/shardlink/stream",
} as const;

/**
 * Follows a stream like a browser. After its connection ends, it connects to the next process with
 * the last event id.
 */
export class Follower {
  readonly name: string;
  readonly stream: FollowerOptions["stream"];
  readonly legs: StreamConnection[] = [];
  readonly #options: FollowerOptions;
  readonly #stopping = new AbortController();
  #current: StreamClient | undefined;
  #lastEventId: number | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: FollowerOptions) {
    this.name = options.name;
    this.stream = options.stream;
    this.#options = options;
  }

  /** The last event id, with which the follower would reconnect now. */
  get lastEventId(): number | undefined {
    return this.#current?.lastEventId ?? this.#lastEventId;
  }

  start(): void {
    this.#running = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#current?.close();
    await this.#running;
  }

  /** Closes the connection abruptly, like a network failure. */
  cut(): void {
    this.#current?.close();
  }

  async #follow(): Promise<void> {
    const { random, away } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#followOnce(random.pick(this.#options.apis)).catch(() => undefined);
      await sleep(random.int(away.least, away.most), undefined, { signal }).catch(() => undefined);
    }
  }

  async #followOnce(api: string): Promise<void> {
    const { headers, history } = this.#options;
    const asked = this.#lastEventId;
    const opening = { headers, ...(asked !== undefined && { lastEventId: asked }) };
    const stream = await openStream(`${api}${paths[this.stream]}`, opening);
    if (stream.status !== 200) {
      history.note(`${this.name} was refused`, { api, status: stream.status });
      return stream.close();
    }
    this.legs.push({ api, asked, blocks: stream.blocks });
    this.#current = stream;
    if (this.#stopping.signal.aborted) stream.close();
    await stream.ended;
    this.#lastEventId = this.lastEventId;
    this.#current = undefined;
  }
}

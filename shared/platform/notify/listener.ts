import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { Client } from "pg";

import { createClient } from "../db/connection/client.ts";
import { rows } from "../db/rows.ts";
import type { Logger } from "../log.ts";
import { Backoff } from "../time/backoff.ts";
import type { Channel, Channels } from "./channels.ts";

type Subscriber<C extends Channel> = (payload: Channels[C]) => void;

export interface ListenOptions {
  readonly url: string;
  readonly log: Logger;
  /**
   * Sends the echo. Pass a function that sends over the pool, as other notifications are sent; the default uses
   * the listener's own connection.
   */
  readonly notify?: (channel: "echo", payload: Channels["echo"]) => Promise<unknown>;
  readonly echoMs?: number;
  readonly maxBackoffMs?: number;
  readonly patienceMs?: number;
  /** Milliseconds without an echo after which the connection no longer counts as working. */
  readonly deafMs?: number;
}

const firstBackoffMs = 100;

/**
 * The process's LISTEN connection. It reconnects by itself. Notifications sent meanwhile are lost, so `onGap`
 * subscribers must read from their cursor on. Half-open connections and poolers drop notifications without an
 * error, so the process regularly sends itself an echo over its pool. An echo over the listener's own connection
 * would prove nothing: a pooler might send it in the listener's session, which always receives its own
 * notifications.
 */
export class Listener {
  readonly #options: ListenOptions;
  readonly #subscribers = new Map<Channel, Set<(payload: never) => void>>();
  readonly #gaps = new Set<() => void>();
  readonly #losses = new Set<() => void>();
  readonly #id = randomUUID();
  readonly #stopping = new AbortController();
  #client: Client | undefined;
  #lastEchoAt = 0;
  #running: Promise<void> | undefined;
  #saying: Promise<unknown> = Promise.resolve();

  constructor(options: ListenOptions) {
    this.#options = options;
    this.on("echo", ({ to }) => {
      if (to === this.#id) this.#lastEchoAt = performance.now();
    });
  }

  /** Subscribes to a channel. @returns a function that unsubscribes */
  on<C extends Channel>(channel: C, subscriber: Subscriber<C>): () => void {
    const all = this.#subscribers.get(channel);
    if (all) all.add(subscriber);
    else this.#subscribers.set(channel, new Set([subscriber]));
    if (!all) void this.#listenLate(channel);
    return () => this.#subscribers.get(channel)?.delete(subscriber);
  }

  /** Subscribes to each connection and reconnection, before which notifications may have been missed. */
  onGap(gap: () => void): () => void {
    this.#gaps.add(gap);
    return () => this.#gaps.delete(gap);
  }

  onLost(lost: () => void): () => void {
    this.#losses.add(lost);
    return () => this.#losses.delete(lost);
  }

  /** True if recent notifications may have been missed. */
  get isDeaf(): boolean {
    const { deafMs = 30_000 } = this.#options;
    return this.echoAgeMs > deafMs;
  }

  /** Milliseconds since the last echo. Infinity before the first. */
  get echoAgeMs(): number {
    return this.#lastEchoAt === 0 ? Infinity : performance.now() - this.#lastEchoAt;
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Connects and listens to all channels. @throws if the first connection fails */
  async start(): Promise<void> {
    const client = await this.#connect();
    this.#running = this.#keep(client);
  }

  /** Resolves once the connection listens to all subscribed channels, or is lost. */
  async settled(): Promise<void> {
    await this.#saying;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#client?.end();
    await this.#running;
  }

  async #connect(): Promise<Client> {
    const client = this.#open();
    this.#client = client;
    try {
      await client.connect();
      for (const channel of this.#subscribers.keys()) await this.#say(client, `listen ${channel}`);
      await this.#ask(client);
    } catch (error) {
      await client.end();
      throw error;
    }
    return client;
  }

  #open(): Client {
    const { url, patienceMs = 10_000 } = this.#options;
    const client = createClient({
      url,
      applicationName: "guildhall listen",
      patience: { statementMs: patienceMs },
    });
    client.on("notification", ({ channel, payload }) => this.#tell(channel as Channel, payload));
    return client;
  }

  /** Begins to listen to a channel on an open connection. Earlier notifications count as missed. */
  async #listenLate(channel: Channel): Promise<void> {
    const client = this.#client;
    if (!client) return;
    try {
      await this.#say(client, `listen ${channel}`);
    } catch {
      // The connection is lost. The next connection listens to every channel.
      return;
    }
    this.#tellGap();
  }

  #tellGap(): void {
    for (const gap of this.#gaps) gap();
  }

  #say(client: Client, text: string, values: unknown[] = []): Promise<unknown> {
    const said = this.#saying.then(() => rows(client, text, values));
    this.#saying = said.catch(() => undefined);
    return said;
  }

  /** Every database user can send any payload, so check it. */
  #tell(channel: Channel, payload: string | undefined): void {
    const told = readPayload(payload);
    if (!told) return this.#options.log.warn({ channel }, "a notification could not be read");
    for (const subscriber of this.#subscribers.get(channel) ?? []) subscriber(told as never);
  }

  async #ask(client: Client): Promise<void> {
    const question: Channels["echo"] = { to: this.#id };
    const { notify } = this.#options;
    if (!notify) {
      await this.#say(client, "select pg_notify('echo', $1)", [JSON.stringify(question)]);
      return;
    }
    await this.#say(client, "select 1");
    // A failed echo does not prove that the connection is dead. The age of the last echo decides.
    await notify("echo", question).catch(() => undefined);
  }

  async #keep(first: Client): Promise<void> {
    for (let client: Client | undefined = first; client; client = await this.#reconnect()) {
      this.#tellGap();
      await this.#askUntilLost(client);
      await client.end();
    }
  }

  async #askUntilLost(client: Client): Promise<void> {
    const { echoMs = 5_000 } = this.#options;
    const ended = new AbortController();
    client.once("end", () => ended.abort());
    // Wake up early if the connection ends. Silence is detected by missing echoes.
    const signal = AbortSignal.any([this.#stopping.signal, ended.signal]);
    try {
      for (;;) {
        await sleep(echoMs, undefined, { signal });
        await this.#ask(client);
        if (this.echoAgeMs > echoMs * 4) {
          throw new Error("the connection no longer receives its own notifications");
        }
      }
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      this.#options.log.warn({ err: error }, "LISTEN connection lost");
      for (const lost of this.#losses) lost();
    }
  }

  async #reconnect(): Promise<Client | undefined> {
    const { maxBackoffMs = 10_000 } = this.#options;
    const { signal } = this.#stopping;
    const backoff = new Backoff(firstBackoffMs, maxBackoffMs);
    while (!signal.aborted) {
      try {
        return await this.#connect();
      } catch {
        await sleep(backoff.next(), undefined, { signal }).catch(() => undefined);
      }
    }
    return undefined;
  }
}

/** Returns undefined for an invalid payload. An empty payload has no fields. */
function readPayload(text: string | undefined): object | undefined {
  try {
    const told: unknown = JSON.parse(text || "{}");
    return typeof told === "object" && told !== null ? told : undefined;
  } catch {
    return undefined;
  }
}

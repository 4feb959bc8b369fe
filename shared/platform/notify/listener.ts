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
  /** Notifies by the way that what is to be heard is told by; its own connection when absent. */
  readonly notify?: (channel: "echo", payload: Channels["echo"]) => Promise<unknown>;
  /** Milliseconds between two echoes. */
  readonly echoMs?: number;
  readonly maxBackoffMs?: number;
  /** Milliseconds one statement may take. */
  readonly patienceMs?: number;
  /** Milliseconds without an echo after which it counts as deaf. */
  readonly deafMs?: number;
}

const firstBackoffMs = 100;

/**
 * One LISTEN connection a process. It reconnects by itself; notifications of the meantime are
 * lost, so `onGap` subscribers read by their cursor again. It has itself notified and waits for the
 * echo: a half-open connection and a transaction pooler both stay silent without an error. A
 * process asks for it through its pool: a pooler that gives the listener the same connection again
 * would let it hear itself, and nobody else.
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

  /** Calls back for each notification. @returns a function that ends it */
  on<C extends Channel>(channel: C, subscriber: Subscriber<C>): () => void {
    const all = this.#subscribers.get(channel);
    if (all) all.add(subscriber);
    else this.#subscribers.set(channel, new Set([subscriber]));
    if (!all) void this.#listenLate(channel);
    return () => this.#subscribers.get(channel)?.delete(subscriber);
  }

  /** Calls back after each (re)connection: notifications may have been missed before it. */
  onGap(gap: () => void): () => void {
    this.#gaps.add(gap);
    return () => this.#gaps.delete(gap);
  }

  /** Calls back when the connection is lost. */
  onLost(lost: () => void): () => void {
    this.#losses.add(lost);
    return () => this.#losses.delete(lost);
  }

  /** Whether nothing that was told of late may have been heard. */
  get isDeaf(): boolean {
    const { deafMs = 30_000 } = this.#options;
    return this.echoAgeMs > deafMs;
  }

  /** Milliseconds since the last echo; infinite before the first. */
  get echoAgeMs(): number {
    return this.#lastEchoAt === 0 ? Infinity : performance.now() - this.#lastEchoAt;
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Connects and listens. @throws when the first connection fails */
  async start(): Promise<void> {
    const client = await this.#connect();
    this.#running = this.#keep(client);
  }

  /** Ends when each channel that was named so far is listened to, or the connection is lost. */
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

  /** A channel named after connecting: notifications before its LISTEN count as missed. */
  async #listenLate(channel: Channel): Promise<void> {
    const client = this.#client;
    if (!client) return;
    try {
      await this.#say(client, `listen ${channel}`);
    } catch {
      // The connection is lost: connecting anew listens to every channel.
      return;
    }
    this.#tellGap();
  }

  #tellGap(): void {
    for (const gap of this.#gaps) gap();
  }

  /** One statement after the other: they come from different callers. */
  #say(client: Client, text: string, values: unknown[] = []): Promise<unknown> {
    const said = this.#saying.then(() => rows(client, text, values));
    this.#saying = said.catch(() => undefined);
    return said;
  }

  /** Everyone who may connect to the database may also notify, of anything and in any form. */
  #tell(channel: Channel, payload: string | undefined): void {
    const told = readPayload(payload);
    if (!told) return this.#options.log.warn({ channel }, "a notification was not understood");
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
    // Who cannot ask is not deaf yet: the age of the last echo tells.
    await notify("echo", question).catch(() => undefined);
  }

  /** Asks for the echo until the connection fails, then connects anew, until stopped. */
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
    // A connection that ends is missed at once, one that only falls silent by its echo.
    const signal = AbortSignal.any([this.#stopping.signal, ended.signal]);
    try {
      for (;;) {
        await sleep(echoMs, undefined, { signal });
        await this.#ask(client);
        if (this.echoAgeMs > echoMs * 4) throw new Error("the connection no longer hears");
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

/** Undefined for what none of our channels carries; nothing at all stands for no detail. */
function readPayload(text: string | undefined): object | undefined {
  try {
    const told: unknown = JSON.parse(text || "{}");
    return typeof told === "object" && told !== null ? told : undefined;
  } catch {
    return undefined;
  }
}

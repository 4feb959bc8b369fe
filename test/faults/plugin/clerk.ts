import { setTimeout as sleep } from "node:timers/promises";

import type { RandomSource } from "../../simulator/random.ts";
import type { Api } from "../service.ts";

/** A request for a broadcast, and its answer. */
export interface BroadcastRequest {
  /** The client's idempotency key. */
  readonly key: string;
  /** Null if the web process ended during the request. */
  readonly status: number | null;
  readonly error: string | null;
}

interface ClerkOptions {
  readonly apis: readonly Api[];
  readonly headers: { readonly cookie: string };
  readonly random: RandomSource;
}

/** Milliseconds between two requests. The pauses are short, so that some request is always in flight. */
const pause = { least: 20, most: 200 };

/**
 * An administrator who sends broadcasts all the time, over any web process. Some requests are sent
 * twice with the same key.
 */
export class BroadcastClient {
  readonly #options: ClerkOptions;
  readonly #stopping = new AbortController();
  readonly #orders: BroadcastRequest[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #running: Promise<void> = Promise.resolve();

  constructor(options: ClerkOptions) {
    this.#options = options;
  }

  get orders(): readonly BroadcastRequest[] {
    return this.#orders;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Stops the requests and waits until all requests in flight are answered. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await Promise.all(this.#underWay);
  }

  async #run(): Promise<void> {
    const { random } = this.#options;
    const { signal } = this.#stopping;
    for (let n = 1; !signal.aborted; n++) {
      const key = `order-${n}`;
      this.#send(key);
      // Send the same request again while the first one is in flight.
      if (random.chance(0.2)) this.#send(key);
      const ms = random.int(pause.least, pause.most);
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    }
  }

  #send(key: string): void {
    const sending = this.#order(key).finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  async #order(key: string): Promise<void> {
    const { apis, headers, random } = this.#options;
    const { url } = random.pick(apis);
    try {
      const response = await fetch(`${url}/api/v1/admin/shard/broadcast`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify({ text: `The gates open: ${key}` }),
      });
      const { error = null } = (await response.json()) as { error?: string | null };
      this.#orders.push({ key, status: response.status, error });
    } catch {
      this.#orders.push({ key, status: null, error: null });
    }
  }
}

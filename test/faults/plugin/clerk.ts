import { setTimeout as sleep } from "node:timers/promises";

import type { Random } from "../../simulator/random.ts";
import type { Api } from "../service.ts";

/** A broadcast that was asked for, and what its caller was told. */
export interface Order {
  /** The client's own idempotency key. */
  readonly key: string;
  /** Null while nothing was answered: the web process ended under the request. */
  readonly status: number | null;
  readonly error: string | null;
}

interface ClerkOptions {
  readonly apis: readonly Api[];
  readonly headers: { readonly cookie: string };
  readonly random: Random;
}

/** Milliseconds between two orders: some are under way at any moment. */
const pause = { least: 20, most: 200 };

/** An administrator who broadcasts without end, over whichever web process; some keys are used twice. */
export class Clerk {
  readonly #options: ClerkOptions;
  readonly #stopping = new AbortController();
  readonly #orders: Order[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #running: Promise<void> = Promise.resolve();

  constructor(options: ClerkOptions) {
    this.#options = options;
  }

  get orders(): readonly Order[] {
    return this.#orders;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Ends, once every order under way was answered. */
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
      // A client that repeats while the first request is under way.
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

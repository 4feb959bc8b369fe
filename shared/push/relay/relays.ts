import type { Config } from "../../config/config.ts";
import { Breaker, type BreakerState } from "./breaker.ts";
import { PushCounts } from "./push-counts.ts";
import { Relay } from "./relay.ts";

/** The push relays that this process has sent to. */
export class Relays {
  readonly counts = new PushCounts();
  readonly #config: Config;
  readonly #relays = new Map<string, Relay>();

  constructor(config: Config) {
    this.#config = config;
  }

  of(origin: string): Relay {
    const known = this.#relays.get(origin);
    if (known) return known;
    const relay = new Relay(origin, this.#config, this.counts);
    this.#relays.set(origin, relay);
    return relay;
  }

  /** How many relays there are of each state of the breaker. */
  countByState(): Readonly<Record<BreakerState, number>> {
    return Breaker.countByState([...this.#relays.values()].map(({ breaker }) => breaker));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#relays.values()].map((relay) => relay.close()));
  }
}

import type { Config } from "../../platform/config/config.ts";
import { Breaker, type BreakerState } from "./breaker.ts";
import { PushCounts } from "./push-counts.ts";
import { Relay } from "./relay.ts";

/** Far longer than a run that sends to a relay, and than a relay rests. */
const unusedMs = 3_600_000;

interface Known {
  readonly relay: Relay;
  readonly askedAt: number;
}

/** The push relays that this process has sent to. Who has devices at many of them fills no memory. */
export class Relays {
  readonly counts = new PushCounts();
  readonly #config: Config;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();

  constructor(config: Config, now: () => number = () => performance.now()) {
    this.#config = config;
    this.#now = now;
  }

  of(origin: string): Relay {
    const known = this.#known.get(origin);
    const askedAt = this.#now();
    if (!known) this.#forgetUnused(askedAt);
    const relay = known?.relay ?? new Relay(origin, this.#config, this.counts);
    this.#known.set(origin, { relay, askedAt });
    return relay;
  }

  /** How many relays there are of each state of the breaker. */
  countByState(): Readonly<Record<BreakerState, number>> {
    return Breaker.countByState(this.#all().map(({ breaker }) => breaker));
  }

  async close(): Promise<void> {
    await Promise.all(this.#all().map((relay) => relay.close()));
  }

  #all(): Relay[] {
    return [...this.#known.values()].map(({ relay }) => relay);
  }

  #forgetUnused(now: number): void {
    for (const [origin, { relay, askedAt }] of this.#known) {
      if (now - askedAt < unusedMs) continue;
      this.#known.delete(origin);
      void relay.close();
    }
  }
}

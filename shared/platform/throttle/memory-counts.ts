import type { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

import type { Cap, Taken, Uses } from "./held-counts.ts";

/** Counts of this process alone, for what costs less than a row of the table. */
export class MemoryCounts {
  /** One for each number that some window of some limit has. */
  readonly #limiters = new Map<string, RateLimiterMemory>();

  /**
   * Counts one use under each cap, unless one of them has none left.
   * @param caps the narrowest first
   */
  async take(caps: readonly Cap[]): Promise<Taken> {
    // Looked at before anything is counted: addresses of a full network leave nothing in memory.
    for (const cap of caps) {
      const counted = await (await this.#limiterOf(cap)).get(cap.key);
      if (counted && counted.consumedPoints >= cap.max) {
        return { full: { key: cap.key, ...usesOf(counted) } };
      }
    }
    const taken: Uses[] = [];
    for (const cap of caps) {
      const uses = usesOf(await (await this.#limiterOf(cap)).penalty(cap.key));
      if (uses.uses > cap.max) return { full: { key: cap.key, ...uses } };
      taken.push(uses);
    }
    return { taken };
  }

  async #limiterOf({ max, windowMs }: Cap): Promise<RateLimiterMemory> {
    const name = `${max} ${windowMs}`;
    // It comes with a file for each store there is, and only the API counts in memory.
    const { RateLimiterMemory } = await import("rate-limiter-flexible");
    const known = this.#limiters.get(name);
    if (known) return known;
    const made = new RateLimiterMemory({ keyPrefix: name, points: max, duration: windowMs / 1000 });
    this.#limiters.set(name, made);
    return made;
  }
}

const usesOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Uses => ({
  uses: consumedPoints,
  endsInMs: msBeforeNext,
});

/** Returns the first time, doubled `before` times, but at most the longest time. */
export const computeDoubledMs = (firstMs: number, longestMs: number, before: number): number =>
  Math.min(firstMs * 2 ** before, longestMs);

/** Pass it instead of `Math.random` if only one process waits, so that each wait has its full length. */
export const withoutJitter = (): number => 1;

/** Waiting times between attempts, with full jitter, so that clients do not all reconnect together. */
export class Backoff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  readonly #random: () => number;
  #tries = 0;

  constructor(firstMs: number, longestMs: number, random: () => number = Math.random) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
    this.#random = random;
  }

  /** Returns the milliseconds to wait. Their upper bound doubles with each call. */
  next(): number {
    const boundMs = computeDoubledMs(this.#firstMs, this.#longestMs, this.#tries);
    this.#tries += 1;
    return this.#random() * boundMs;
  }

  reset(): void {
    this.#tries = 0;
  }
}

/** A time that doubles with each one before it, up to the longest. */
export const doubledMs = (firstMs: number, longestMs: number, before: number): number =>
  Math.min(firstMs * 2 ** before, longestMs);

/** For a wait of one process that nobody else waits beside. */
export const withoutJitter = (): number => 1;

/** Waiting times between tries: full jitter, so that clients cut off together return apart. */
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

  /** Milliseconds to wait now; the bound doubles with each call. */
  next(): number {
    const boundMs = doubledMs(this.#firstMs, this.#longestMs, this.#tries);
    this.#tries += 1;
    return this.#random() * boundMs;
  }

  reset(): void {
    this.#tries = 0;
  }
}

/** Waiting times between tries: full jitter, so that clients cut off together return apart. */
export class Backoff {
  readonly #firstMs: number;
  readonly #lastMs: number;
  readonly #random: () => number;
  #tries = 0;

  constructor(firstMs: number, lastMs: number, random: () => number = Math.random) {
    this.#firstMs = firstMs;
    this.#lastMs = lastMs;
    this.#random = random;
  }

  /** Milliseconds to wait now; the bound doubles with each call. */
  next(): number {
    const boundMs = Math.min(this.#firstMs * 2 ** this.#tries, this.#lastMs);
    this.#tries += 1;
    return this.#random() * boundMs;
  }

  reset(): void {
    this.#tries = 0;
  }
}

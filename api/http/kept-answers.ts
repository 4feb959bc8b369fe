import type { Request } from "express";

interface Kept {
  readonly until: number;
  readonly text: Promise<string>;
}

/** Different URLs of one route that are kept at once; further ones are answered and not kept. */
const maxKept = 200;

/**
 * Answers to anonymous callers, kept in memory for a moment: however many ask for the same thing
 * at once, it is read once. Whoever signs in is answered afresh, since what they see differs.
 */
export class KeptAnswers {
  readonly #kept = new Map<string, Kept>();
  readonly #keepMs: number;

  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  /** @returns the JSON text of the answer, kept or made now */
  async text(request: Request, make: () => Promise<unknown>): Promise<string> {
    const now = performance.now();
    const kept = this.#kept.get(request.url);
    if (kept && kept.until > now) return kept.text;
    if (this.#kept.size >= maxKept) this.#forget(now);
    const text = make().then((body) => JSON.stringify(body));
    if (this.#kept.size < maxKept) this.#kept.set(request.url, { until: now + this.#keepMs, text });
    text.catch(() => this.#kept.delete(request.url));
    return text;
  }

  #forget(now: number): void {
    for (const [url, { until }] of this.#kept) if (until <= now) this.#kept.delete(url);
  }
}

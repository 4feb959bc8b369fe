import type { Request } from "express";
import { LRUCache } from "lru-cache";

import type { TextAnswer } from "./answer.ts";

/** Different URLs of one route that are kept at once; a further one displaces the longest unasked. */
const mostKept = 200;

/**
 * Answers to anonymous callers, kept in memory for a moment: however many ask for the same thing
 * at once, it is read once. Whoever signs in is answered afresh, since what they see differs.
 */
export class KeptAnswers {
  readonly #kept: LRUCache<string, Promise<TextAnswer>>;

  constructor(keepMs: number) {
    this.#kept = new LRUCache({ max: mostKept, ttl: keepMs, ttlResolution: 0 });
  }

  /** @returns the answer, kept or made now */
  answer({ url }: Request, make: () => Promise<TextAnswer>): Promise<TextAnswer> {
    const kept = this.#kept.get(url);
    if (kept) return kept;
    const made = make();
    this.#kept.set(url, made);
    made.catch(() => this.#kept.delete(url));
    return made;
  }
}

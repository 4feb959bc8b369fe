import { LRUCache } from "lru-cache";

import type { Listener } from "../../shared/platform/notify/listener.ts";
import { Semaphore } from "./semaphore.ts";
import type { TextAnswer } from "./text-answer.ts";

/** The maximum number of cached answers of all routes. The least recently used one is evicted. */
const maxEntries = 1_000;
/** The maximum size of all cached answers in bytes, including their keys, which clients choose. */
const maxBytes = 32 * 1024 * 1024;
/**
 * With `keepMs` 0, new requests share an unfinished answer for this time after its start. Later requests start a
 * new one.
 */
const mostMs = 1_000;
/** The maximum total length of the remembered URLs and their cache keys, in characters. */
const maxKeyCharacters = 1024 * 1024;

/** Caches anonymous answers briefly, so that concurrent requests share one read. Other answers are not cached. */
export class AnswerCache {
  readonly #kept = new LRUCache<string, CachedAnswer>({
    max: maxEntries,
    maxSize: maxBytes,
    ttl: 1_000,
    ttlResolution: 0,
    ttlAutopurge: true,
  });

  readonly #turn = new Semaphore(1);

  /** The cache keys by URL. Computing a key validates the whole request, so it is done once per URL. */
  readonly #keys = new LRUCache<string, string>({ max: maxEntries, maxSize: maxKeyCharacters });

  /** @param listener reports changes of the visibility settings, which clear the cache */
  constructor(listener?: Pick<Listener, "on" | "onGap">) {
    const forget = () => this.clear();
    listener?.on("visibility", forget);
    listener?.onGap(forget);
  }

  /** @param address the path and query as sent @param make computes the key; null if the answer is not cached */
  keyOf(address: string, make: () => string | null): string | null {
    const known = this.#keys.get(address);
    if (known !== undefined) return known;
    const key = make();
    if (key !== null) this.#keys.set(address, key, { size: address.length + key.length });
    return key;
  }

  /** The size of the cached answers and their keys in bytes. */
  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /**
   * Returns an answer from the cache, or makes it.
   * @param key identifies the answer, whatever the order of the parameters
   * @param place the answer must include all events up to this id, because the caller may have read them on the
   * stream
   * @param keepMs how long the answer stays cached; with 0 it is shared only while it is made
   */
  answer(
    key: string,
    keepMs: number,
    make: () => Promise<TextAnswer>,
    place = 0,
  ): Promise<TextAnswer> {
    const kept = this.#kept.get(key);
    if (kept && kept.place >= place) return kept.made;
    const since = { ttl: keepMs || mostMs, start: performance.now() };
    const anew: CachedAnswer = { made: make(), place, answer: null };
    this.#kept.set(key, anew, { ...since, size: key.length });
    void this.#weigh(key, anew, since, keepMs > 0);
    return anew.made;
  }

  /** Returns a cached answer that is made already; null if there is none. See `answer` for the parameters. */
  findFinished(key: string, place: number): TextAnswer | null {
    const kept = this.#kept.get(key);
    return kept?.answer && kept.place >= place ? kept.answer : null;
  }

  /**
   * Once an answer is made, stores it again with its size. If making it fails, waiting requests get the error and
   * the entry is deleted.
   */
  async #weigh(key: string, kept: CachedAnswer, since: CacheTime, isKept: boolean): Promise<void> {
    const answer = await kept.made.catch(() => null);
    if (this.#kept.peek(key) !== kept) return;
    this.#kept.delete(key);
    if (!answer || !isKept) return;
    kept.answer = answer;
    this.#kept.set(key, kept, { ...since, size: key.length + answer.content.length });
  }

  /** Makes answers one at a time, in the order of the calls. @throws AppError busy after waiting for two seconds */
  makeSerially(make: () => Promise<TextAnswer>): Promise<TextAnswer> {
    return this.#turn.hold(make);
  }

  clear(): void {
    this.#kept.clear();
  }
}

interface CachedAnswer {
  readonly made: Promise<TextAnswer>;
  /** The answer once it is made; null before, and if it is shared only while it is made. */
  answer: TextAnswer | null;
  /** The last event id of the stream when the answer was started. */
  readonly place: number;
}

/** The start and duration of caching. */
interface CacheTime {
  readonly ttl: number;
  readonly start: number;
}

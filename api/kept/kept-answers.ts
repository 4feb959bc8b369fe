import { LRUCache } from "lru-cache";

import type { Listener } from "../../shared/platform/notify/listener.ts";
import { Places } from "./places.ts";
import type { TextAnswer } from "./text-answer.ts";

/** Answers of all routes that are kept at once; a further one displaces the longest unasked. */
const mostKept = 1_000;
/** Bytes of all of them: the names of what is asked for are chosen by whoever asks. */
const mostBytes = 32 * 1024 * 1024;
/** How long an answer that is not kept may take to be made: those who come later have it made anew. */
const mostMs = 1_000;
/** Characters of the addresses by which answers were asked for, and of the keys that they stand for. */
const mostAddresses = 1024 * 1024;

/**
 * Answers to anonymous callers, kept in memory for a moment: however many ask for the same thing
 * at once, it is read once. Whoever signs in is answered afresh, since what they see differs.
 */
export class KeptAnswers {
  readonly #kept = new LRUCache<string, Kept>({
    max: mostKept,
    maxSize: mostBytes,
    ttl: 1_000,
    ttlResolution: 0,
    ttlAutopurge: true,
  });

  readonly #turn = new Places(1);

  /** Working out a key means to check all that is asked: most ask in the same words as those before. */
  readonly #keys = new LRUCache<string, string>({ max: mostKept, maxSize: mostAddresses });

  /** @param listener says when administrators change an audience: then no answer is kept longer */
  constructor(listener?: Pick<Listener, "on" | "onGap">) {
    const forget = () => this.clear();
    listener?.on("visibility", forget);
    listener?.onGap(forget);
  }

  /**
   * @param address path and query as they were sent
   * @param make works the key out; null where nothing is kept
   */
  keyOf(address: string, make: () => string | null): string | null {
    const known = this.#keys.get(address);
    if (known !== undefined) return known;
    const key = make();
    if (key !== null) this.#keys.set(address, key, { size: address.length + key.length });
    return key;
  }

  /** Bytes that are held now, with the keys they are held by. */
  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /**
   * @param key names one answer of one route, whichever way it was asked for
   * @param place how far the stream has come that the answer goes with: one that was made below it
   *   lacks what the caller may know by the stream
   * @param keepMs 0: it is shared by those who ask while it is made, and not kept
   * @returns the answer, kept or made now
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
    const anew = { made: make(), place };
    this.#kept.set(key, anew, { ...since, size: key.length });
    void this.#weigh(key, anew, since, keepMs > 0);
    return anew.made;
  }

  /** How large it is, is known when it is made. A failure is told to who waits for it, and not kept. */
  async #weigh(key: string, kept: Kept, since: Since, isKept: boolean): Promise<void> {
    const answer = await kept.made.catch(() => null);
    if (this.#kept.peek(key) !== kept) return;
    this.#kept.delete(key);
    if (!answer || !isKept) return;
    this.#kept.set(key, kept, { ...since, size: key.length + answer.content.length });
  }

  /**
   * Makes an answer when those before it are made.
   * @throws AppError busy if its turn does not come within two seconds
   */
  inTurn(make: () => Promise<TextAnswer>): Promise<TextAnswer> {
    return this.#turn.hold(make);
  }

  /** Forgets all. */
  clear(): void {
    this.#kept.clear();
  }
}

interface Kept {
  readonly made: Promise<TextAnswer>;
  /** Where the stream stood before it was made. */
  readonly place: number;
}

/** From when it is kept, and for how long. */
interface Since {
  readonly ttl: number;
  readonly start: number;
}

import { LRUCache } from "lru-cache";
import type { Sequelize, Transaction } from "sequelize";

import type { Config } from "../config/config.ts";
import { computePseudonym } from "../crypto/pseudonym.ts";
import { AppError } from "../errors/errors.ts";
import {
  isCountedOnSuccess,
  findRateLimit,
  type RateLimitName,
  type LimitSubjects,
} from "./limit-catalog.ts";
import {
  type LimitCountRequest,
  type LimitWindow,
  type LimitCount,
  deleteCounts,
  type LimitAttemptOutcome,
  decrementUses,
  settleAttempts,
  countRequest,
  type LimitCountMode,
  type WindowCount,
} from "./limit-counts.ts";
import type { CountedSubject } from "./subjects.ts";

/** A limit and a subject. If the subject is a text, its limit is not multiplied by a factor. */
export interface LimitSubject {
  readonly name: RateLimitName;
  readonly subject: string | CountedSubject;
}

export interface LimitRequest extends LimitSubject {
  readonly takes: LimitCountMode;
  /** True to count the request even if the limit is exceeded. */
  readonly isUnlimited?: true;
}

export interface FullLimit extends WindowCount {
  readonly subject: string | CountedSubject;
  /** True if counted uses fill the limit; false if attempts in progress fill it. */
  readonly isUsedUp: boolean;
}

/**
 * The count under each limit, in the given order. If nothing was counted: the full limits, and the milliseconds
 * until the block of the address ends (0 without a block).
 */
export type LimitResult =
  | { readonly counts: readonly LimitCount[] }
  | { readonly full: readonly FullLimit[]; readonly blockedMs: number };

/** The reservation of an attempt under a limit. */
export interface LimitReservation extends LimitSubject, Pick<LimitCount, "key" | "endsAt"> {}

/** The reservation under each cap, or the full caps. */
export type ReservationResult<One extends LimitSubject> =
  | { readonly held: readonly (One & LimitReservation)[] }
  | { readonly full: readonly FullLimit[] };

/** Counts that all processes share. Keys are pseudonyms, so they reveal no addresses or names. */
export class RateLimits {
  readonly #config: Config;
  readonly #sequelize: Sequelize;
  readonly #memory = new MemoryCounts();
  /** Keys of full windows, so that further refusals in a window do not query the database. */
  readonly #full = new LRUCache<string, true>({ max: 10_000 });

  constructor(config: Config, sequelize: Sequelize) {
    this.#config = config;
    this.#sequelize = sequelize;
  }

  max(name: RateLimitName, subject: string | CountedSubject = ""): number {
    return this.#config[findRateLimit(name).max] * toSubject(subject).times;
  }

  /**
   * Counts a request under all limits, or under none if one is full or the address is blocked from
   * signing in. Needs one statement unless concurrent requests took the last use.
   * @param address whose block refuses the request; null to ignore blocks
   */
  async countOrRefuse(
    wanted: readonly LimitRequest[],
    address: string | null,
  ): Promise<LimitResult> {
    const asked = wanted.map((one) => this.#asked(one));
    const taken = await countRequest(asked, address, this.#sequelize);
    if ("counts" in taken) {
      return { counts: asked.map(({ key }) => taken.counts.get(key) ?? { ...emptyCount, key }) };
    }
    const full = wanted.flatMap(({ subject }, at) => {
      const row = taken.full.find(({ key }) => key === asked[at]?.key);
      return row ? [{ ...row, subject, isUsedUp: row.uses >= (asked[at]?.max ?? Infinity) }] : [];
    });
    return { full, blockedMs: taken.blockedMs };
  }

  /**
   * Counts one use of each subject, or of none if one has reached its limit.
   * @param subjects the narrowest first
   * @returns remaining uses and milliseconds until the window ends, of the subject with the fewest left
   * @throws AppError limited at the limit; the database's error if it fails
   */
  async countUse<Name extends RateLimitName>(
    name: Name,
    subjects: LimitSubjects<Name>,
  ): Promise<{ left: number; endsInMs: number }> {
    const caps = this.#caps(name, subjects);
    const known = caps.find(({ key }) => this.#full.has(key));
    if (known) throw rateLimitedError(this.#full.getRemainingTTL(known.key));
    const result = findRateLimit(name).isKeptInMemory
      ? this.#memory.take(caps)
      : await countRequest(toUseRequests(caps), null, this.#sequelize);
    if ("counts" in result) return findTightest(caps, result.counts);
    const { key, endsInMs } = findLatestWindow(result.full);
    // If only successful requests count, do not store that the window is full: a request that fails later is subtracted.
    if (!isCountedOnSuccess(name)) this.#full.set(key, true, { ttl: Math.max(1, endsInMs) });
    throw rateLimitedError(endsInMs);
  }

  /** Counts one use in a transaction; a rollback undoes the count. @throws AppError limited at the limit */
  async countUseWithin(
    name: RateLimitName,
    subject: string,
    transaction: Transaction,
  ): Promise<void> {
    const result = await countRequest(toUseRequests(this.#caps(name, subject)), null, transaction);
    if ("full" in result) throw rateLimitedError(findLatestWindow(result.full).endsInMs);
  }

  /** Checks without counting. @throws AppError limited if a subject has no use left */
  async requireRemaining(name: RateLimitName, subjects: readonly CountedSubject[]): Promise<void> {
    const looks = subjects.map((subject) => ({ name, subject, takes: "look" }) as const);
    const answer = await this.countOrRefuse(looks, null);
    if ("full" in answer) throw rateLimitedError(findLatestWindow(answer.full).endsInMs);
  }

  refund(name: RateLimitName, subjects: string | readonly CountedSubject[]): Promise<void> {
    const keys = this.#caps(name, subjects).map(({ key }) => key);
    return decrementUses(keys, this.#sequelize);
  }

  /** Reserves a use under all caps, or under none if failures and attempts in progress fill one. */
  async holdRoom<One extends LimitSubject>(caps: readonly One[]): Promise<ReservationResult<One>> {
    const answer = await this.countOrRefuse(
      caps.map((cap) => ({ ...cap, takes: "try" })),
      null,
    );
    if ("full" in answer) return answer;
    return { held: caps.map((cap, at) => ({ ...cap, ...(answer.counts[at] as LimitCount) })) };
  }

  /**
   * Stores the outcomes of attempts.
   * @returns failures under each cap in the given order; 0 for an attempt that did not fail
   */
  async settleAttempts(
    tries: readonly (LimitReservation & { readonly outcome: LimitAttemptOutcome })[],
  ): Promise<readonly number[]> {
    const failures = await settleAttempts(tries, this.#sequelize);
    const counted: number[] = [];
    for (const { name, subject, key, outcome } of tries) {
      const isFailed = outcome === "failed";
      // If the window has ended, the failure begins the next window.
      counted.push(isFailed ? (failures.get(key) ?? (await this.count(name, subject))) : 0);
    }
    return counted;
  }

  /** Gives back the reservations of attempts that did not fail. */
  async releaseRoom(tries: readonly LimitReservation[]): Promise<void> {
    await this.settleAttempts(tries.map((held) => ({ ...held, outcome: "released" })));
  }

  /** Counts one use without a limit. @returns the uses so far, including this one */
  async count(name: RateLimitName, subject: string | CountedSubject): Promise<number> {
    return (await this.#countOf({ name, subject, takes: "use" })).uses;
  }

  /** Reads the uses so far and the milliseconds until the window ends. */
  readUses(name: RateLimitName, subject: string | CountedSubject): Promise<WindowCount> {
    return this.#countOf({ name, subject, takes: "look" });
  }

  async #countOf(wanted: LimitRequest): Promise<WindowCount> {
    const answer = await this.countOrRefuse([{ ...wanted, isUnlimited: true }], null);
    const [count] = "counts" in answer ? answer.counts : answer.full;
    return count as WindowCount;
  }

  async deleteCounts(names: readonly RateLimitName[], subject: string): Promise<void> {
    const keys = names.flatMap((name) => this.#caps(name, subject)).map(({ key }) => key);
    await deleteCounts(keys, this.#sequelize);
    for (const key of keys) this.#full.delete(key);
  }

  #caps(name: RateLimitName, subjects: string | readonly CountedSubject[]): FiniteCap[] {
    const all = typeof subjects === "string" ? [subjects] : subjects;
    return all.map((subject) => this.#cap(name, subject));
  }

  #asked({ name, subject, takes, isUnlimited }: LimitRequest): LimitCountRequest {
    const cap = this.#cap(name, subject);
    return { ...cap, takes, ...(isUnlimited && { max: null }) };
  }

  #cap(name: RateLimitName, subject: string | CountedSubject): FiniteCap {
    const windowMs = this.#config[findRateLimit(name).window];
    const key = `${name}:${computePseudonym(toSubject(subject).id, this.#config)}`;
    return { key, max: this.max(name, subject), windowMs };
  }
}

interface FiniteCap extends LimitWindow {
  readonly max: number;
}

/** The count of a key that has no row. */
const emptyCount = { uses: 0, endsInMs: 0, endsAt: 0 };

const toUseRequests = (caps: readonly LimitWindow[]): LimitCountRequest[] =>
  caps.map((cap) => ({ ...cap, takes: "use" }));

const toSubject = (subject: string | CountedSubject): CountedSubject =>
  typeof subject === "string" ? { id: subject, times: 1 } : subject;

/** Returns the window that ends last. */
export const findLatestWindow = <One extends WindowCount>(full: readonly One[]): One =>
  full.reduce((one, other) => (other.endsInMs > one.endsInMs ? other : one));

function findTightest(
  caps: readonly FiniteCap[],
  counts: ReadonlyMap<string, WindowCount>,
): { left: number; endsInMs: number } {
  const each = caps.map(({ key, max }) => {
    const { uses, endsInMs } = counts.get(key) ?? emptyCount;
    return { left: max - uses, endsInMs };
  });
  return each.reduce((one, other) => (other.left < one.left ? other : one));
}

export const rateLimitedError = (waitMs: number): AppError =>
  new AppError("rate_limited", "Too many requests", {
    retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
  });

interface Window {
  readonly key: string;
  readonly endsAt: number;
  uses: number;
}

/** Counts in the memory of this process, for work that costs less than a row of the table. */
class MemoryCounts {
  /**
   * The least recently used windows are dropped first. An address at its limit keeps its window, because its
   * requests use it.
   */
  readonly #windows = new LRUCache<string, Window>({ max: 100_000 });

  /** Counts one use under each cap, or under none if one is full. */
  take(caps: readonly FiniteCap[]): MemoryResult {
    const now = performance.now();
    const windows = caps.map((cap) => this.#windowOf(cap, now));
    const full = windows.filter(({ uses }, at) => uses >= (caps[at]?.max ?? 0));
    const usesOf = ({ key, uses, endsAt }: Window) => ({ key, uses, endsInMs: endsAt - now });
    if (full.length > 0) return { full: full.map(usesOf) };
    for (const window of windows) {
      window.uses += 1;
      this.#windows.set(window.key, window);
    }
    return { counts: new Map(windows.map((window) => [window.key, usesOf(window)])) };
  }

  #windowOf({ key, windowMs }: LimitWindow, now: number): Window {
    const known = this.#windows.get(key);
    return known && known.endsAt > now ? known : { key, endsAt: now + windowMs, uses: 0 };
  }
}

type MemoryResult =
  | { readonly counts: ReadonlyMap<string, WindowCount> }
  | { readonly full: readonly (WindowCount & { readonly key: string })[] };

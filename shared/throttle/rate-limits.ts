import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible";
import type { Sequelize, Transaction } from "sequelize";

import type { Config } from "../config/config.ts";
import { pseudonym } from "../crypto/pseudonym.ts";
import { AppError } from "../errors.ts";
import {
  type Cap,
  fail,
  forgive,
  type Held,
  hold,
  release,
  returnUse,
  takeUse,
  windowEnd,
} from "./held-counts.ts";
import { countsSuccess, limitOf, type RateLimitName } from "./limit-catalogue.ts";

/**
 * The counts of all processes, most of them in one table. Its keys are pseudonyms, so that the table
 * tells neither addresses nor names.
 */
export class RateLimits {
  readonly #config: Config;
  readonly #sequelize: Sequelize;
  readonly #limiters = new Map<RateLimitName, RateLimiterAbstract>();

  constructor(config: Config, sequelize: Sequelize) {
    this.#config = config;
    this.#sequelize = sequelize;
  }

  max(name: RateLimitName): number {
    return this.#config[limitOf(name).max];
  }

  /**
   * Counts one use.
   * @returns how many are left, and how long until all are
   * @throws AppError limited when it is one too many; what the store throws when it fails
   */
  async spend(name: RateLimitName, subject: string): Promise<{ left: number; endsInMs: number }> {
    if (countsSuccess(name)) return this.#spendIfLeft(name, subject);
    try {
      const counted = await this.#limiter(name).consume(this.#key(subject));
      return { left: counted.remainingPoints, endsInMs: counted.msBeforeNext };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooMany(refusal.msBeforeNext);
    }
  }

  /**
   * Counts one use of what a transaction does: a use of one that is rolled back is none.
   * @throws AppError limited when it is one too many
   */
  async spendWithin(name: RateLimitName, subject: string, transaction: Transaction): Promise<void> {
    const cap = this.#cap(name, subject);
    if (await takeUse(cap, transaction)) return;
    throw tooMany(await windowEnd(cap.key, transaction));
  }

  async #spendIfLeft(name: RateLimitName, subject: string) {
    const taken = await takeUse(this.#cap(name, subject), this.#sequelize);
    if (taken) return { left: this.max(name) - taken.uses, endsInMs: taken.endsInMs };
    throw tooMany((await this.used(name, subject)).endsInMs);
  }

  /** Counts nothing. @throws AppError limited when no use is left */
  async requireLeft(name: RateLimitName, subject: string): Promise<void> {
    const { uses, endsInMs } = await this.used(name, subject);
    if (uses >= this.max(name)) throw tooMany(endsInMs);
  }

  /** Takes a use back. */
  refund(name: RateLimitName, subject: string): Promise<void> {
    return returnUse(this.#cap(name, subject).key, this.#sequelize);
  }

  /** Takes room for a try under a cap on failures. @returns null when there is none */
  hold(name: RateLimitName, subject: string): Promise<Held | null> {
    return hold(this.#cap(name, subject), this.#sequelize);
  }

  /** Counts a held try as a failure. @returns the failures so far, this one among them */
  async fail(name: RateLimitName, subject: string, held: Held): Promise<number> {
    return (await fail(held, this.#sequelize)) ?? this.count(name, subject);
  }

  /** Gives the room of a try back that was no failure. */
  release(held: Held): Promise<void> {
    return release(held, this.#sequelize);
  }

  /** The same of a try that also forgets the failures before it. */
  forgive(held: Held): Promise<void> {
    return forgive(held, this.#sequelize);
  }

  /** Counts one use and refuses nothing. @returns the uses so far, this one among them */
  async count(name: RateLimitName, subject: string): Promise<number> {
    return (await this.#limiter(name).penalty(this.#key(subject))).consumedPoints;
  }

  /** The uses so far, and how long they are remembered. */
  async used(name: RateLimitName, subject: string): Promise<{ uses: number; endsInMs: number }> {
    const counted = await this.#limiter(name).get(this.#key(subject));
    return { uses: counted?.consumedPoints ?? 0, endsInMs: counted?.msBeforeNext ?? 0 };
  }

  async forget(name: RateLimitName, subject: string): Promise<void> {
    await this.#limiter(name).delete(this.#key(subject));
  }

  /** The row as the library names it. */
  #cap(name: RateLimitName, subject: string): Cap {
    const windowMs = this.#config[limitOf(name).window];
    return { key: `${name}:${this.#key(subject)}`, max: this.max(name), windowMs };
  }

  #key(subject: string): string {
    return pseudonym(subject, this.#config);
  }

  #limiter(name: RateLimitName): RateLimiterAbstract {
    const known = this.#limiters.get(name);
    if (known) return known;
    const made = this.#createLimiter(name);
    this.#limiters.set(name, made);
    return made;
  }

  #createLimiter(name: RateLimitName): RateLimiterAbstract {
    const { window, isKeptInMemory } = limitOf(name);
    const points = this.max(name);
    const counted = { keyPrefix: name, points, duration: this.#config[window] / 1000 };
    if (isKeptInMemory) return new RateLimiterMemory(counted);
    return new RateLimiterPostgres({
      ...counted,
      storeClient: this.#sequelize,
      storeType: "sequelize",
      tableName: "rate_limits",
      tableCreated: true,
      clearExpiredByTimeout: false,
      // Further refusals of the same window are given without asking the database.
      inMemoryBlockOnConsumed: points + 1,
    });
  }
}

export const tooMany = (waitMs: number): AppError =>
  new AppError("rate_limited", "Too many requests", {
    retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
  });

import { LRUCache } from "lru-cache";
import type { RateLimiterMemory } from "rate-limiter-flexible";
import type { Sequelize, Transaction } from "sequelize";

import type { Config } from "../config/config.ts";
import { pseudonym } from "../crypto/pseudonym.ts";
import { AppError } from "../errors.ts";
import {
  type Cap,
  countUse,
  fail,
  forget,
  forgive,
  type Held,
  hold,
  readUses,
  release,
  returnUse,
  takeUse,
  type Uses,
} from "./held-counts.ts";
import { countsSuccess, limitOf, type RateLimitName } from "./limit-catalogue.ts";

/**
 * The counts of all processes, most of them in one table. Its keys are pseudonyms, so that the table
 * tells neither addresses nor names.
 */
export class RateLimits {
  readonly #config: Config;
  readonly #sequelize: Sequelize;
  readonly #memories = new Map<RateLimitName, RateLimiterMemory>();
  /** Keys whose window is full: further refusals of the same window ask no database. */
  readonly #full = new LRUCache<string, number>({ max: 10_000 });

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
    if (limitOf(name).isKeptInMemory) return this.#spendInMemory(name, subject);
    const { key } = this.#cap(name, subject);
    if (this.#full.has(key)) throw tooMany(this.#full.getRemainingTTL(key));
    const { uses, endsInMs } = await this.#count(name, subject);
    const left = this.max(name) - uses;
    if (left >= 0) return { left, endsInMs };
    this.#full.set(key, uses, { ttl: Math.max(1, endsInMs) });
    throw tooMany(endsInMs);
  }

  /**
   * Counts one use of what a transaction does: a use of one that is rolled back is none.
   * @throws AppError limited when it is one too many
   */
  async spendWithin(name: RateLimitName, subject: string, transaction: Transaction): Promise<void> {
    const cap = this.#cap(name, subject);
    if (await takeUse(cap, transaction)) return;
    throw tooMany((await readUses(cap.key, transaction)).endsInMs);
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
    return (await this.#count(name, subject)).uses;
  }

  /** The uses so far, and how long they are remembered. */
  used(name: RateLimitName, subject: string): Promise<Uses> {
    return readUses(this.#cap(name, subject).key, this.#sequelize);
  }

  async forget(name: RateLimitName, subject: string): Promise<void> {
    const { key } = this.#cap(name, subject);
    await forget(key, this.#sequelize);
    this.#full.delete(key);
  }

  #count(name: RateLimitName, subject: string): Promise<Uses> {
    return countUse(this.#cap(name, subject), this.#sequelize);
  }

  async #spendInMemory(name: RateLimitName, subject: string) {
    try {
      const memory = this.#memories.get(name) ?? (await this.#makeMemory(name));
      const counted = await memory.consume(this.#key(subject));
      return { left: counted.remainingPoints, endsInMs: counted.msBeforeNext };
    } catch (refusal) {
      const { RateLimiterRes } = await loadMemories();
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooMany(refusal.msBeforeNext);
    }
  }

  #cap(name: RateLimitName, subject: string): Cap {
    const windowMs = this.#config[limitOf(name).window];
    return { key: `${name}:${this.#key(subject)}`, max: this.max(name), windowMs };
  }

  #key(subject: string): string {
    return pseudonym(subject, this.#config);
  }

  async #makeMemory(name: RateLimitName): Promise<RateLimiterMemory> {
    const { RateLimiterMemory } = await loadMemories();
    const known = this.#memories.get(name);
    if (known) return known;
    const duration = this.#config[limitOf(name).window] / 1000;
    const made = new RateLimiterMemory({ keyPrefix: name, points: this.max(name), duration });
    this.#memories.set(name, made);
    return made;
  }
}

export const tooMany = (waitMs: number): AppError =>
  new AppError("rate_limited", "Too many requests", {
    retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
  });

// It comes with a file for each store there is, and only the API counts in memory.
const loadMemories = () => import("rate-limiter-flexible");

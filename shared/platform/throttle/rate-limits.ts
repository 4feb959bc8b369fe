import { LRUCache } from "lru-cache";
import type { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Sequelize, Transaction } from "sequelize";

import type { Config } from "../config/config.ts";
import { pseudonym } from "../crypto/pseudonym.ts";
import { AppError } from "../errors/errors.ts";
import {
  type Cap,
  countUse,
  fail,
  forget,
  forgive,
  type Held,
  hold,
  readFull,
  readUses,
  release,
  returnUses,
  takeUse,
  takeUses,
  type Uses,
  type Taken,
} from "./held-counts.ts";
import { countsSuccess, limitOf, type RateLimitName, type SubjectsOf } from "./limit-catalogue.ts";
import type { Subject } from "./subjects.ts";

/**
 * The counts of all processes, most of them in one table. Its keys are pseudonyms, so that the table
 * tells neither addresses nor names. A subject that is a text has the limit's own number.
 */
export class RateLimits {
  readonly #config: Config;
  readonly #sequelize: Sequelize;
  readonly #memory = new MemoryCounts();
  /** Keys whose window is full: further refusals of the same window ask no database. */
  readonly #full = new LRUCache<string, true>({ max: 10_000 });

  constructor(config: Config, sequelize: Sequelize) {
    this.#config = config;
    this.#sequelize = sequelize;
  }

  max(name: RateLimitName, subject: string | Subject = ""): number {
    return this.#config[limitOf(name).max] * withTimes(subject).times;
  }

  /**
   * Counts one use of each subject, or of none when one of them has none left.
   * @param subjects the narrowest first
   * @returns how many are left, and how long until all are: of the subject with the fewest
   * @throws AppError limited when it is one too many; what the store throws when it fails
   */
  async spend<Name extends RateLimitName>(
    name: Name,
    subjects: SubjectsOf<Name>,
  ): Promise<{ left: number; endsInMs: number }> {
    const caps = this.#caps(name, subjects);
    const known = caps.find(({ key }) => this.#full.has(key));
    if (known) throw tooMany(this.#full.getRemainingTTL(known.key));
    const result = limitOf(name).isKeptInMemory
      ? await this.#memory.take(caps)
      : await takeUses(caps, this.#sequelize);
    if ("taken" in result) return fewestLeft(caps, result.taken);
    const { key, endsInMs } = result.full;
    // A use that is given back makes room before the window ends.
    if (!countsSuccess(name)) this.#full.set(key, true, { ttl: Math.max(1, endsInMs) });
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

  /** Counts nothing. @throws AppError limited when a subject has no use left under one of the limits */
  async requireLeft(
    names: RateLimitName | readonly RateLimitName[],
    subjects: readonly Subject[],
  ): Promise<void> {
    const caps = [names].flat().flatMap((name) => this.#caps(name, subjects));
    const full = caps.length === 0 ? null : await readFull(caps, this.#sequelize);
    if (full) throw tooMany(full.endsInMs);
  }

  /** Takes a use of each subject back. */
  refund(name: RateLimitName, subjects: string | readonly Subject[]): Promise<void> {
    const keys = this.#caps(name, subjects).map(({ key }) => key);
    return returnUses(keys, this.#sequelize);
  }

  /** Takes room for a try under a cap on failures. @returns null when there is none */
  hold(name: RateLimitName, subject: string | Subject): Promise<Held | null> {
    return hold(this.#cap(name, subject), this.#sequelize);
  }

  /** Counts a held try as a failure. @returns the failures so far, this one among them */
  async fail(name: RateLimitName, subject: string | Subject, held: Held): Promise<number> {
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
  async count(name: RateLimitName, subject: string | Subject): Promise<number> {
    return (await countUse(this.#cap(name, subject), this.#sequelize)).uses;
  }

  /** The uses so far, and how long they are remembered. */
  used(name: RateLimitName, subject: string | Subject): Promise<Uses> {
    return readUses(this.#cap(name, subject).key, this.#sequelize);
  }

  async forget(name: RateLimitName, subject: string): Promise<void> {
    const { key } = this.#cap(name, subject);
    await forget(key, this.#sequelize);
    this.#full.delete(key);
  }

  #caps(name: RateLimitName, subjects: string | readonly Subject[]): Cap[] {
    const all = typeof subjects === "string" ? [subjects] : subjects;
    return all.map((subject) => this.#cap(name, subject));
  }

  #cap(name: RateLimitName, subject: string | Subject): Cap {
    const windowMs = this.#config[limitOf(name).window];
    const key = `${name}:${pseudonym(withTimes(subject).id, this.#config)}`;
    return { key, max: this.max(name, subject), windowMs };
  }
}

const withTimes = (subject: string | Subject): Subject =>
  typeof subject === "string" ? { id: subject, times: 1 } : subject;

/** @param taken what is counted under each cap, in their order */
function fewestLeft(
  caps: readonly Cap[],
  taken: readonly Uses[],
): { left: number; endsInMs: number } {
  const each = taken.map(({ uses, endsInMs }, at) => ({
    left: (caps[at]?.max ?? 0) - uses,
    endsInMs,
  }));
  return each.reduce((one, other) => (other.left < one.left ? other : one));
}

export const tooMany = (waitMs: number): AppError =>
  new AppError("rate_limited", "Too many requests", {
    retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
  });

/** Counts of this process alone, for what costs less than a row of the table. */
class MemoryCounts {
  /** One for each number that some window of some limit has. */
  readonly #limiters = new Map<string, RateLimiterMemory>();

  /**
   * Counts one use under each cap, unless one of them has none left.
   * @param caps the narrowest first
   */
  async take(caps: readonly Cap[]): Promise<Taken> {
    // Looked at before anything is counted: addresses of a full network leave nothing in memory.
    for (const cap of caps) {
      const counted = await (await this.#limiterOf(cap)).get(cap.key);
      if (counted && counted.consumedPoints >= cap.max) {
        return { full: { key: cap.key, ...usesOf(counted) } };
      }
    }
    const taken: Uses[] = [];
    for (const cap of caps) {
      const uses = usesOf(await (await this.#limiterOf(cap)).penalty(cap.key));
      if (uses.uses > cap.max) return { full: { key: cap.key, ...uses } };
      taken.push(uses);
    }
    return { taken };
  }

  async #limiterOf({ max, windowMs }: Cap): Promise<RateLimiterMemory> {
    const name = `${max} ${windowMs}`;
    // It comes with a file for each store there is, and only the API counts in memory.
    const { RateLimiterMemory } = await import("rate-limiter-flexible");
    const known = this.#limiters.get(name);
    if (known) return known;
    const made = new RateLimiterMemory({ keyPrefix: name, points: max, duration: windowMs / 1000 });
    this.#limiters.set(name, made);
    return made;
  }
}

const usesOf = ({ consumedPoints, msBeforeNext }: RateLimiterRes): Uses => ({
  uses: consumedPoints,
  endsInMs: msBeforeNext,
});

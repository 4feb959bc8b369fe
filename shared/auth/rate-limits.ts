import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible";
import type { Sequelize } from "sequelize";

import type { Config } from "../config/config.ts";
import { pseudonym } from "../crypto/pseudonym.ts";
import { type AppError, limited } from "../errors.ts";

interface RateLimit {
  readonly max: Extract<keyof Config, `RL_${string}_MAX`>;
  readonly window: Extract<keyof Config, `RL_${string}_WINDOW`>;
  /**
   * In memory, where what is counted costs less than a row of the table: each process counts for
   * itself, and none remembers after a restart.
   */
  readonly isKeptInMemory?: true;
  /** What counts is what was done: a refused use is given back. */
  readonly countsDone?: true;
}

/** CATALOGUE of counts that end by themselves, by the variables that say how many in which time. */
const rateLimits = {
  loginTotal: { max: "RL_LOGIN_TOTAL_MAX", window: "RL_LOGIN_WINDOW" },
  loginFailed: { max: "RL_LOGIN_FAILED_MAX", window: "RL_LOGIN_WINDOW" },
  loginPair: { max: "RL_LOGIN_PAIR_MAX", window: "RL_LOGIN_WINDOW" },
  loginUser: { max: "RL_LOGIN_USER_MAX", window: "RL_LOGIN_USER_WINDOW" },
  register: { max: "RL_REGISTER_MAX", window: "RL_REGISTER_WINDOW" },
  forgot: { max: "RL_FORGOT_MAX", window: "RL_FORGOT_WINDOW" },
  resetMail: { max: "RL_RESET_MAIL_MAX", window: "RL_RESET_MAIL_WINDOW" },
  reset: { max: "RL_RESET_MAX", window: "RL_RESET_WINDOW" },
  invite: { max: "RL_INVITE_MAX", window: "RL_INVITE_WINDOW" },
  refresh: { max: "RL_REFRESH_MAX", window: "RL_REFRESH_WINDOW" },
  refreshFamily: { max: "RL_REFRESH_FAMILY_MAX", window: "RL_REFRESH_FAMILY_WINDOW" },
  mobileStart: { max: "RL_MOBILE_START_MAX", window: "RL_MOBILE_START_WINDOW" },
  mobileExchange: { max: "RL_MOBILE_EXCHANGE_MAX", window: "RL_MOBILE_EXCHANGE_WINDOW" },
  userChange: { max: "RL_USER_CHANGE_MAX", window: "RL_USER_CHANGE_WINDOW" },
  linkCode: { max: "RL_LINK_CODE_MAX", window: "RL_LINK_CODE_WINDOW" },
  linkCodeAddress: { max: "RL_LINK_CODE_IP_MAX", window: "RL_LINK_CODE_IP_WINDOW" },
  gameAccount: { max: "RL_GAME_ACCOUNT_MAX", window: "RL_GAME_ACCOUNT_WINDOW", countsDone: true },
  // Refusals tell which names are taken.
  gameAccountTry: { max: "RL_GAME_ACCOUNT_TRY_MAX", window: "RL_GAME_ACCOUNT_TRY_WINDOW" },
  // It guards the cost of reading alone: nothing is guessed or done by searching.
  market: { max: "RL_MARKET_MAX", window: "RL_MARKET_WINDOW", isKeptInMemory: true },
} as const satisfies Readonly<Record<string, RateLimit>>;
export type RateLimitName = keyof typeof rateLimits;

const limitOf = (name: RateLimitName): RateLimit => rateLimits[name];

/** Whether a use of this limit must be refunded when what it was spent for is refused. */
export const countsDone = (name: RateLimitName): boolean => limitOf(name).countsDone === true;

/**
 * The counts of all processes, most of them in one table. Whoever is counted stands there under a
 * pseudonym, so that the table tells neither addresses nor names.
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
    return this.#config[rateLimits[name].max];
  }

  /**
   * Counts one use.
   * @returns how many are left, and how long until all are
   * @throws AppError limited when it is one too many; what the store throws when it fails
   */
  async spend(name: RateLimitName, subject: string): Promise<{ left: number; endsInMs: number }> {
    try {
      const counted = await this.#limiter(name).consume(this.#key(subject));
      return { left: counted.remainingPoints, endsInMs: counted.msBeforeNext };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      if (countsDone(name)) await this.refund(name, subject);
      throw tooMany(refusal.msBeforeNext);
    }
  }

  /** Counts nothing. @throws AppError limited when no use is left */
  async requireLeft(name: RateLimitName, subject: string): Promise<void> {
    const { uses, endsInMs } = await this.used(name, subject);
    if (uses >= this.max(name)) throw tooMany(endsInMs);
  }

  /** Takes a use back. */
  async refund(name: RateLimitName, subject: string): Promise<void> {
    await this.#limiter(name).reward(this.#key(subject));
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
      // Further refusals of the same window are given without asking the database, unless uses are
      // given back in it.
      ...(!countsDone(name) && { inMemoryBlockOnConsumed: points + 1 }),
    });
  }
}

export const tooMany = (waitMs: number): AppError =>
  limited("Too many requests", Math.max(1, Math.ceil(waitMs / 1000)));

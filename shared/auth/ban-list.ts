import { QueryTypes, type Sequelize } from "sequelize";

import type { Config } from "../config/config.ts";

/**
 * The addresses that are banned now, read once in a while for all requests of a process. Kept in
 * memory because every request asks; whatever bans or lifts a ban lets it be read anew at once.
 */
export class BanList {
  readonly #freshMs: number;
  readonly #sequelize: Sequelize;
  #bans: Promise<ReadonlyMap<string, number>> | undefined;
  #readAt = 0;

  constructor({ BOT_BAN_RECHECK }: Config, sequelize: Sequelize) {
    this.#freshMs = BOT_BAN_RECHECK;
    this.#sequelize = sequelize;
  }

  /** @param key as `addressKey` makes it */
  async isBanned(key: string): Promise<boolean> {
    const until = (await this.#current()).get(key);
    return until !== undefined && until > Date.now();
  }

  /** Lets the next request read what the table says. */
  forget(): void {
    this.#bans = undefined;
  }

  #current(): Promise<ReadonlyMap<string, number>> {
    const now = performance.now();
    if (this.#bans && now - this.#readAt < this.#freshMs) return this.#bans;
    this.#readAt = now;
    const reading = this.#read();
    this.#bans = reading;
    reading.catch(() => {
      if (this.#bans === reading) this.#bans = undefined;
    });
    return reading;
  }

  async #read(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#sequelize.query<{ key: string; restMs: number }>(
      `select address_key as key,
              extract(epoch from banned_until - clock_timestamp())::float8 * 1000 as "restMs"
       from ip_reputation where banned_until > clock_timestamp()`,
      { type: QueryTypes.SELECT },
    );
    // The database's clock decides, so what is left of a ban is added to ours.
    const now = Date.now();
    return new Map(rows.map(({ key, restMs }) => [key, now + restMs]));
  }
}

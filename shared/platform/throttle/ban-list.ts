import type { Models } from "../../../models/index.ts";
import type { Config } from "../config/config.ts";
import type { AddressNetworks } from "../net/networks.ts";

/** The end of each ban in epoch milliseconds, by address or wider network. */
type Bans = ReadonlyMap<string, number>;

/** Caches bans, because every request checks them. Call `reload` after a change. */
export class AddressBanList {
  readonly #freshMs: number;
  readonly #models: Models;
  #bans: Bans | Promise<Bans> | undefined;
  /** The bans of the last successful read, used while the table cannot be read. */
  #known: Bans | undefined;
  #readAt = 0;

  constructor({ BOT_BAN_RECHECK }: Config, models: Models) {
    this.#freshMs = BOT_BAN_RECHECK;
    this.#models = models;
  }

  /** @returns true if the address or one of its networks is banned; a promise if bans are being read */
  isBanned(networks: AddressNetworks): boolean | Promise<boolean> {
    const bans = this.#current();
    return bans instanceof Promise
      ? bans.then((read) => isAnyBanned(read, networks))
      : isAnyBanned(bans, networks);
  }

  /** Makes the next request read the table. */
  reload(): void {
    this.#bans = undefined;
  }

  #current(): Bans | Promise<Bans> {
    const now = performance.now();
    if (this.#bans && now - this.#readAt < this.#freshMs) return this.#bans;
    this.#readAt = now;
    const reading = this.#read();
    this.#bans = reading;
    const settle = (bans?: Bans) => {
      if (this.#bans === reading) this.#bans = bans;
    };
    reading.then(settle, () => settle());
    return reading;
  }

  async #read(): Promise<Bans> {
    try {
      const bans = await this.#models.AddressReputation.readBans();
      // The end is computed by the database's clock, so add the remaining time to this process's clock.
      const now = Date.now();
      this.#known = new Map(bans.map(([key, remainingMs]) => [key, now + remainingMs]));
      return this.#known;
    } catch (error) {
      if (!this.#known) throw error;
      return this.#known;
    }
  }
}

function isAnyBanned(bans: Bans, networks: AddressNetworks): boolean {
  if (bans.size === 0) return false;
  const now = Date.now();
  return networks.some(({ key }) => (bans.get(key) ?? 0) > now);
}

import { isIP, type LookupFunction } from "node:net";

import type { Pool } from "undici";

export interface PinnedPoolOptions {
  readonly connections: number;
  readonly timeoutMs: number;
  /** Resolves the host and checks its addresses. @throws if an address is forbidden */
  findAddresses(this: void, host: string): Promise<readonly string[]>;
}

/** Connections to one origin, only to addresses that were checked. */
export class PinnedPool {
  readonly #origin: string;
  readonly #options: PinnedPoolOptions;
  #connections: { readonly addresses: string; readonly pool: Pool } | undefined;

  constructor(origin: string, options: PinnedPoolOptions) {
    this.#origin = origin;
    this.#options = options;
  }

  /**
   * Sends requests over connections to the host's present addresses. When these change, the old connections close
   * after their open requests, so `send` must begin its requests before it awaits anything.
   * @throws the errors of `findAddresses` and `send`
   */
  async use<T>(send: (pool: Pool) => Promise<T>): Promise<T> {
    const { Pool } = await loadUndici();
    const found = await this.#options.findAddresses(new URL(this.#origin).hostname);
    // Do not await from here on: a concurrent call could replace the pool.
    return send(this.#poolTo(found, Pool));
  }

  #poolTo(found: readonly string[], PoolOf: typeof Pool): Pool {
    const { connections, timeoutMs } = this.#options;
    const addresses = found.toSorted().join(" ");
    const former = this.#connections;
    if (former?.addresses === addresses) return former.pool;
    const pool = new PoolOf(this.#origin, {
      connections,
      connect: { lookup: lookupOf(found), timeout: timeoutMs },
    });
    this.#connections = { addresses, pool };
    void former?.pool.close();
    return pool;
  }

  async close(): Promise<void> {
    await this.#connections?.pool.destroy();
    this.#connections = undefined;
  }
}

const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_name, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = found;
    if (all || !first) callback(null, found);
    else callback(null, first.address, first.family);
  };

// Loaded with the first request, because most processes never send one.
const loadUndici = () => import("undici");

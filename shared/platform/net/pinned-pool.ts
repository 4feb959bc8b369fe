import { isIP, type LookupFunction } from "node:net";

import type { Pool } from "undici";

export interface PinnedPoolOptions {
  /** Requests on their way at the most. */
  readonly connections: number;
  readonly timeoutMs: number;
  /** Looks the host up and checks where it leads. @throws when it may not be connected to */
  findAddresses(this: void, host: string): Promise<readonly string[]>;
}

/** Connections to one origin, which lead to addresses that were checked and to no others. */
export class PinnedPool {
  readonly #origin: string;
  readonly #options: PinnedPoolOptions;
  #connections: { readonly addresses: string; readonly pool: Pool } | undefined;

  constructor(origin: string, options: PinnedPoolOptions) {
    this.#origin = origin;
    this.#options = options;
  }

  /**
   * Sends by connections to the addresses of this moment: others are given up once what they have begun
   * is over, so `send` begins its requests before it waits for anything.
   * @throws what `findAddresses` and `send` throw
   */
  async use<T>(send: (pool: Pool) => Promise<T>): Promise<T> {
    const { Pool } = await loadUndici();
    const found = await this.#options.findAddresses(new URL(this.#origin).hostname);
    // From here on nothing is waited for: another who comes meanwhile would replace the connections.
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

/** Answers with the given addresses, whatever name is asked for. */
const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_name, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = found;
    if (all || !first) callback(null, found);
    else callback(null, first.address, first.family);
  };

// Most processes never send anything, so what sends is loaded with the first request.
const loadUndici = () => import("undici");

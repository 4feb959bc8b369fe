import type { Sequelize } from "sequelize";

import type { Caller } from "../../shared/platform/access/caller.ts";
import {
  isAnonymousRead,
  runAsAnonymousRead,
} from "../../shared/platform/db/connection/connection.ts";
import { Semaphore } from "../cache/semaphore.ts";
import type { Route } from "./route.ts";

declare module "sequelize/types/dialects/abstract/connection-manager" {
  interface ConnectionManager {
    /** Destroys a connection of the pool. Sequelize's own types omit this method. */
    destroyConnection(connection: object): Promise<void>;
  }
}

/** Runs the work of a request. The work of an anonymous read may use only half of the pool's connections. */
export const answerWithinReadShare = <T>(
  { method }: Pick<Route, "method">,
  caller: Caller | null,
  work: () => Promise<T>,
): Promise<T> => (caller || method !== "get" ? work() : runAsAnonymousRead(work));

/**
 * Limits anonymous reads to half of the pool, so that connections remain for signed-in users, writes and the
 * process itself. It counts connections instead of requests, because a request can use several.
 */
class AnonymousShare {
  readonly #places: Semaphore;

  constructor(sequelize: Sequelize, poolSize: number) {
    this.#places = new Semaphore(Math.max(1, Math.floor(poolSize / 2)));
    this.#follow(sequelize);
  }

  #follow({ connectionManager: pool }: Sequelize): void {
    const get = pool.getConnection.bind(pool);
    const release = pool.releaseConnection.bind(pool);
    const destroy = pool.destroyConnection.bind(pool);
    const held = new WeakSet<object>();
    pool.getConnection = async (...given: Parameters<typeof get>) => {
      if (!isAnonymousRead()) return get(...given);
      await this.#places.enter();
      try {
        const connection = await get(...given);
        held.add(connection);
        return connection;
      } catch (error) {
        this.#places.leave();
        throw error;
      }
    };
    pool.releaseConnection = (connection) => {
      if (held.delete(connection)) this.#places.leave();
      return release(connection);
    };
    // Also leave the semaphore when a connection is destroyed after a failed transaction.
    pool.destroyConnection = (connection) => {
      if (held.delete(connection)) this.#places.leave();
      return destroy(connection);
    };
  }
}

/** Limits anonymous reads to half of a pool from now on. */
export const limitAnonymousReads = (sequelize: Sequelize, poolSize: number): void =>
  void new AnonymousShare(sequelize, poolSize);

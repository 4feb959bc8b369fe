import type { Sequelize } from "sequelize";

import type { Caller } from "../../shared/platform/access/caller.ts";
import {
  isWithinReadShare,
  withinReadShare,
} from "../../shared/platform/db/connection/connection.ts";
import { Places } from "../kept/places.ts";
import type { Route } from "./route.ts";

declare module "sequelize/types/dialects/abstract/connection-manager" {
  interface ConnectionManager {
    /** Ends a connection of the pool, which Sequelize's own types leave out. */
    destroyConnection(connection: object): Promise<void>;
  }
}

/** Runs a part of what answers a request: within the share where it is an anonymous read. */
export const answerWithin = <T>(
  { method }: Pick<Route, "method">,
  caller: Caller | null,
  work: () => Promise<T>,
): Promise<T> => (caller || method !== "get" ? work() : withinReadShare(work));

/**
 * Lets anonymous reads hold a part of the pool alone, so that those who are signed in, writes and the
 * process itself find a connection whatever strangers ask for. Counted are connections, not requests:
 * one request may read on several.
 */
class AnonymousShare {
  readonly #places: Places;

  constructor(sequelize: Sequelize, poolSize: number) {
    this.#places = new Places(Math.max(1, Math.floor(poolSize / 2)));
    this.#follow(sequelize);
  }

  #follow({ connectionManager: pool }: Sequelize): void {
    const get = pool.getConnection.bind(pool);
    const release = pool.releaseConnection.bind(pool);
    const destroy = pool.destroyConnection.bind(pool);
    const held = new WeakSet<object>();
    pool.getConnection = async (...given: Parameters<typeof get>) => {
      if (!isWithinReadShare()) return get(...given);
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
    // A connection that a failed end of a transaction spoiled.
    pool.destroyConnection = (connection) => {
      if (held.delete(connection)) this.#places.leave();
      return destroy(connection);
    };
  }
}

/** Has anonymous reads hold half of a pool alone, from now on. */
export const limitAnonymousReads = (sequelize: Sequelize, poolSize: number): void =>
  void new AnonymousShare(sequelize, poolSize);

import { setTimeout as sleep } from "node:timers/promises";

import type { Sequelize } from "sequelize";

import type { Config } from "../../config/config.ts";
import { messageOf } from "../../errors/errors.ts";
import type { Logger } from "../../log.ts";
import { firstRow } from "../rows.ts";
import type { SqlClient } from "../sql.ts";
import { createClientClass, connectionOptions } from "./client.ts";
import { renewPool } from "./connection.ts";
import {
  DatabaseUnavailableError,
  isDatabaseUnavailable,
  isOutOfConnections,
  isReadOnlyError,
  SessionReadOnlyError,
} from "./database-unavailable.ts";
import { hasPooler } from "./session-settings.ts";

interface ListenConnection {
  readonly isDeaf: boolean;
  onLost(lost: () => void): () => void;
}

interface WatchOptions {
  readonly config: Config;
  readonly sequelize: Sequelize;
  readonly listener: ListenConnection;
  readonly log: Logger;
}

/** Timeout of a check: twice that of the readiness check, because the machine may be busy. */
const checkTimeoutMs = 2_000;
/** A response slower than this causes a check of the database. */
const slowMs = 500;
const checkIntervalMs = 500;

/**
 * Tracks if the database is usable, so that requests need not check it. A fault of any connection starts
 * a check over a separate connection. While the database is unusable, the check is repeated.
 */
export class DatabaseWatch {
  readonly #watched: WatchOptions;
  readonly #stopping = new AbortController();
  readonly #unlisten: () => void;
  #away: string | undefined;
  #looking: Promise<void> | undefined;

  constructor(watched: WatchOptions) {
    this.#watched = watched;
    this.#unlisten = watched.listener.onLost(() => this.suspect());
  }

  /** The reason why the database is unusable; undefined if none is known. */
  get trouble(): string | undefined {
    if (this.#away !== undefined) return this.#away;
    return this.#watched.listener.isDeaf
      ? "the LISTEN connection does not receive its own notifications"
      : undefined;
  }

  /** @throws {DatabaseUnavailableError} if the database is known to be unusable */
  requireAvailable(): void {
    const { trouble } = this;
    if (trouble !== undefined) throw new DatabaseUnavailableError(trouble);
  }

  /** Queries the database over the pool, as requests do. @throws if the database is unusable */
  async check(pool: Sequelize): Promise<void> {
    if (this.#away !== undefined) throw new DatabaseUnavailableError(this.#away);
    const slow = setTimeout(() => this.suspect(), slowMs).unref();
    try {
      await requireWritable(pool);
    } catch (error) {
      this.suspect(error);
      throw error;
    } finally {
      clearTimeout(slow);
    }
  }

  /** Starts a check of the database after a fault. */
  suspect(fault?: unknown): void {
    if (this.#stopping.signal.aborted) return;
    // A session that has become read-only stays read-only, even if the server accepts writes again.
    if (isReadOnlyError(fault)) renewPool(this.#watched.sequelize);
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
  }

  async stop(): Promise<void> {
    this.#unlisten();
    this.#stopping.abort();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const away = await findUnavailableReason(this.#watched.config);
      this.#note(away);
      if (away === undefined) return;
      await sleep(checkIntervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #note(away: string | undefined): void {
    const { sequelize, log } = this.#watched;
    const wasAway = this.#away !== undefined;
    this.#away = away;
    if (away !== undefined && !wasAway) {
      log.error({ reason: away }, "the database cannot be used");
      // Replace connections that do not respond: the return of the database would not repair them.
      renewPool(sequelize);
    }
    if (away === undefined && wasAway) {
      log.info("the database can be used again");
      // Replace connections that were opened during the failure: they may lead to the old server.
      renewPool(sequelize);
    }
  }
}

/**
 * The setting is `on` not only in a read-only session, but also on a standby and on a server taken out of
 * service.
 */
const readOnlySql = `select current_setting('transaction_read_only') as "readOnly"`;

/** @throws if the server is read-only */
async function requireWritable(sql: Sequelize | SqlClient): Promise<void> {
  const row = await firstRow<{ readOnly: string }>(sql, readOnlySql);
  if (row?.readOnly === "on") throw new SessionReadOnlyError("the database server is read-only");
}

/** Returns why the database is unusable; undefined if it responds or has only run out of connections. */
async function findUnavailableReason(config: Config): Promise<string | undefined> {
  const Looker = createClientClass({ statementMs: checkTimeoutMs, isPooled: hasPooler(config) });
  const client = new Looker({
    ...connectionOptions,
    connectionString: config.DATABASE_URL,
    application_name: "guildhall watch",
    connectionTimeoutMillis: checkTimeoutMs,
  });
  try {
    await client.connect();
    await requireWritable(client);
    return undefined;
  } catch (error) {
    // Open connections still work while the server accepts no new connections.
    return isDatabaseUnavailable(error) && !isOutOfConnections(error)
      ? messageOf(error)
      : undefined;
  } finally {
    await client.end();
  }
}

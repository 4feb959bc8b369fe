import { setTimeout as sleep } from "node:timers/promises";

import type { Sequelize } from "sequelize";

import type { Config } from "../../config/config.ts";
import { messageOf } from "../../errors/errors.ts";
import type { Logger } from "../../log.ts";
import { firstRow } from "../rows.ts";
import type { Sql } from "../sql.ts";
import { clientWith, connectWithin } from "./client.ts";
import { renewPool } from "./connection.ts";
import { DatabaseAway, isDatabaseAway, isFull, isOfReadOnly, ReadOnly } from "./database-away.ts";
import { isPooled } from "./session-settings.ts";

/** The connection that hears what others tell. */
interface Hearing {
  readonly isDeaf: boolean;
  onLost(lost: () => void): () => void;
}

interface Watched {
  readonly config: Config;
  readonly sequelize: Sequelize;
  readonly listener: Hearing;
  readonly log: Logger;
}

/** How long a look may take: as long as readiness waits, and as much again on a busy machine. */
const lookMs = 2_000;
/** An answer that takes longer is a suspicion. */
const slowMs = 500;
/** Between two looks at a database that is away. */
const restMs = 500;

/**
 * What a process knows of its database without asking: whether it can be used. A fault of any
 * connection is only a suspicion; a look over a connection of its own settles it, and while the
 * database is away looks follow one another until it is back.
 */
export class DatabaseWatch {
  readonly #watched: Watched;
  readonly #stopping = new AbortController();
  readonly #unlisten: () => void;
  #away: string | undefined;
  #looking: Promise<void> | undefined;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#unlisten = watched.listener.onLost(() => this.suspect());
  }

  /** Why the database cannot be used; undefined when it can, as far as is known. */
  get trouble(): string | undefined {
    if (this.#away !== undefined) return this.#away;
    return this.#watched.listener.isDeaf ? "the LISTEN connection does not hear itself" : undefined;
  }

  /** @throws {DatabaseAway} while it is known that the database cannot be used */
  requireUsable(): void {
    const { trouble } = this;
    if (trouble !== undefined) throw new DatabaseAway(trouble);
  }

  /** Asks over the pool, as requests do. @throws what says that the database cannot be used */
  async check(pool: Sequelize): Promise<void> {
    if (this.#away !== undefined) throw new DatabaseAway(this.#away);
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

  /** Somebody met a fault: the database is looked at. */
  suspect(fault?: unknown): void {
    if (this.#stopping.signal.aborted) return;
    // A session that began to read only does so for life, whatever the server does since.
    if (isOfReadOnly(fault)) renewPool(this.#watched.sequelize);
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
      const away = await findTrouble(this.#watched.config);
      this.#note(away);
      if (away === undefined) return;
      await sleep(restMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #note(away: string | undefined): void {
    const { sequelize, log } = this.#watched;
    const wasAway = this.#away !== undefined;
    this.#away = away;
    if (away !== undefined && !wasAway) {
      log.error({ reason: away }, "the database cannot be used");
      // Whoever took one that fell silent with it would wait in vain once it is back.
      renewPool(sequelize);
    }
    if (away === undefined && wasAway) {
      log.info("the database can be used again");
      // Some may have been made meanwhile, to a server that was to be left.
      renewPool(sequelize);
    }
  }
}

/** A standby says it too, as does a server that was fenced off. */
const readOnlySql = `select current_setting('transaction_read_only') as "readOnly"`;

/** @throws when the server that is asked only reads */
async function requireWritable(sql: Sequelize | Sql): Promise<void> {
  const row = await firstRow<{ readOnly: string }>(sql, readOnlySql);
  if (row?.readOnly === "on") throw new ReadOnly("the server only reads");
}

/** Why the database is away; undefined when it answers, and when it says no more than that it is busy. */
async function findTrouble(config: Config): Promise<string | undefined> {
  const Looker = clientWith({ statementMs: lookMs, isPooled: isPooled(config) });
  const client = new Looker({
    ...connectWithin,
    connectionString: config.DATABASE_URL,
    application_name: "guildhall watch",
    connectionTimeoutMillis: lookMs,
  });
  try {
    await client.connect();
    await requireWritable(client);
    return undefined;
  } catch (error) {
    // Connections that are open already go on working where no further one is given.
    return isDatabaseAway(error) && !isFull(error) ? messageOf(error) : undefined;
  } finally {
    await client.end();
  }
}

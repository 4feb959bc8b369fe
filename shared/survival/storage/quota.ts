import type { Transaction } from "sequelize";

import type { StorageBoundName, StorageBounds } from "../../platform/config/survival-bounds.ts";
import { executeStatement, firstRow, rows } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { recordOmission } from "./omissions.ts";
import {
  addStoredCountSql,
  deleteCountsSql,
  deleteDaysSql,
  lockCountSql,
  selectStoredCountSql,
} from "./storage.sql.ts";

/** A query that finds which given rows are stored: an update of a stored row needs no quota. */
export interface StoredKeysQuery<Row> {
  readonly keyOf: (row: Row) => string;
  /** Selects the keys of stored rows as `key`. */
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The stored amounts of one server, by the name of the limit. */
export type StoredCounts = Readonly<Partial<Record<StorageBoundName, number>>>;

interface QuotaDependencies {
  readonly serverId: number;
  readonly connection: SqlClient;
  readonly bounds: StorageBounds;
  /** The amounts when the transaction locked the source. */
  readonly kept: StoredCounts;
}

/**
 * Limits a server's rows. The transaction has locked the server's source, so no other transaction adds rows of
 * this server.
 */
export class StorageQuota {
  readonly #parts: QuotaDependencies;
  /** Upper bounds of the stored amounts. No query is needed while a bound is below the limit. */
  readonly #keptAtMost: Map<string, number>;

  constructor(parts: QuotaDependencies) {
    this.#parts = parts;
    this.#keptAtMost = new Map(Object.entries(parts.kept));
  }

  /** Returns the rows that fit: stored rows and the first new ones. Counts the other new rows as omitted. */
  async selectFitting<Row>(
    name: StorageBoundName,
    given: readonly Row[],
    { keyOf, sql, values }: StoredKeysQuery<Row>,
  ): Promise<readonly Row[]> {
    if (this.#takeAtMost(name, given.length)) return given;
    const { connection } = this.#parts;
    const stored = await rows<{ key: string }>(connection, sql, values);
    const keys = new Set(stored.map(({ key }) => key));
    const isNew = given.filter((row) => !keys.has(keyOf(row)));
    const kept = await this.#readKept(name);
    const surplus = new Set(isNew.slice(Math.max(0, this.#parts.bounds[name] - kept)));
    this.#keptAtMost.set(name, kept + isNew.length - surplus.size);
    await this.#leaveOut(name, surplus.size);
    return given.filter((row) => !surplus.has(row));
  }

  /** Returns true if `more` rows may not fit, so that the caller can first delete rows. */
  isFull(name: StorageBoundName, more: number): boolean {
    return (this.#keptAtMost.get(name) ?? 0) + more > this.#parts.bounds[name];
  }

  /** Counts new rows of a kind that no trigger counts, up to the limit. @returns the number that fits */
  async take(name: StorageBoundName, wanted: number): Promise<number> {
    if (wanted === 0) return 0;
    const { serverId, connection, bounds } = this.#parts;
    const kept = await this.#readKept(name);
    const taken = Math.max(0, Math.min(wanted, bounds[name] - kept));
    if (taken > 0) await executeStatement(connection, addStoredCountSql, [serverId, name, taken]);
    await this.#leaveOut(name, wanted - taken);
    return taken;
  }

  #takeAtMost(name: StorageBoundName, more: number): boolean {
    if (this.isFull(name, more)) return false;
    this.#keptAtMost.set(name, (this.#keptAtMost.get(name) ?? 0) + more);
    return true;
  }

  async #readKept(name: StorageBoundName): Promise<number> {
    const { serverId, connection } = this.#parts;
    const found = await firstRow<{ kept: number }>(connection, selectStoredCountSql, [
      serverId,
      name,
    ]);
    return found?.kept ?? 0;
  }

  #leaveOut(name: StorageBoundName, count: number): Promise<void> {
    const { serverId, connection, bounds } = this.#parts;
    return recordOmission({ serverId, name, count }, bounds, connection);
  }
}

/** Serializes transactions that add rows of a kind that no trigger counts. */
export async function lockStoredCount(
  serverId: number,
  name: StorageBoundName,
  transaction: Transaction,
): Promise<void> {
  await executeStatement(transaction, lockCountSql, [serverId, name]);
}

/** Deletes the counts of a deleted server. */
export async function deleteStorageCounts(
  serverId: number,
  transaction: Transaction,
): Promise<void> {
  await executeStatement(transaction, deleteCountsSql, [serverId]);
  await executeStatement(transaction, deleteDaysSql, [serverId]);
}

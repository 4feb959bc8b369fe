import type { Transaction } from "sequelize";

import type { BoundName, Bounds } from "../../platform/config/survival-bounds.ts";
import { countChanged, firstRow, rows } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { leaveOut } from "./left-out.ts";

/** How rows that are stored already are found: they are changed, and need no room. */
export interface StoredKeys<Row> {
  readonly keyOf: (row: Row) => string;
  /** Answers the keys of stored rows as `key`. */
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** What is kept of one server by the names of bounds. */
export type Kept = Readonly<Partial<Record<BoundName, number>>>;

interface RoomParts {
  readonly serverId: number;
  readonly connection: Sql;
  readonly bounds: Bounds;
  /** As it was when the transaction locked the source. */
  readonly kept: Kept;
}

/**
 * The room that is left for rows of one server, within a transaction that has locked its source: nobody
 * else adds such rows until it ends.
 */
export class StorageRoom {
  readonly #parts: RoomParts;
  /** Never less than what is kept: as long as that fits, nothing is looked up. */
  readonly #keptAtMost: Map<string, number>;

  constructor(parts: RoomParts) {
    this.#parts = parts;
    this.#keptAtMost = new Map(Object.entries(parts.kept));
  }

  /** The rows for which there is room: stored ones, and the first of the new ones. Counts the others. */
  async fit<Row>(
    name: BoundName,
    given: readonly Row[],
    { keyOf, sql, values }: StoredKeys<Row>,
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

  /** Whether a part is full, so that the caller frees what nobody needs. */
  isFull(name: BoundName, more: number): boolean {
    return (this.#keptAtMost.get(name) ?? 0) + more > this.#parts.bounds[name];
  }

  /**
   * Takes room in a part that no trigger counts, and counts what does not fit as left out.
   * @returns how many of the rows may be stored
   */
  async take(name: BoundName, wanted: number): Promise<number> {
    if (wanted === 0) return 0;
    const { serverId, connection, bounds } = this.#parts;
    const kept = await this.#readKept(name);
    const taken = Math.max(0, Math.min(wanted, bounds[name] - kept));
    if (taken > 0) await countChanged(connection, addKept, [serverId, name, taken]);
    await this.#leaveOut(name, wanted - taken);
    return taken;
  }

  #takeAtMost(name: BoundName, more: number): boolean {
    if (this.isFull(name, more)) return false;
    this.#keptAtMost.set(name, (this.#keptAtMost.get(name) ?? 0) + more);
    return true;
  }

  async #readKept(name: BoundName): Promise<number> {
    const { serverId, connection } = this.#parts;
    const found = await firstRow<{ kept: number }>(connection, readKept, [serverId, name]);
    return found?.kept ?? 0;
  }

  #leaveOut(name: BoundName, count: number): Promise<void> {
    const { serverId, connection, bounds } = this.#parts;
    return leaveOut({ serverId, name, count }, bounds, connection);
  }
}

const readKept =
  "select kept::float8 as kept from survival_storage where server_id = $1 and part = $2";

const addKept = `
  insert into survival_storage as known (server_id, part, kept) values ($1, $2, $3)
  on conflict (server_id, part) do update set kept = known.kept + excluded.kept`;

/** Has transactions that add to a part of a server, which no trigger counts, follow each other. */
export async function lockKept(
  serverId: number,
  name: BoundName,
  transaction: Transaction,
): Promise<void> {
  await countChanged(transaction, lock, [serverId, name]);
}

const lock = `
  insert into survival_storage as known (server_id, part) values ($1, $2)
  on conflict (server_id, part) do update set kept = known.kept`;

/** Forgets what was counted of a server that is deleted. */
export async function forgetStorage(serverId: number, transaction: Transaction): Promise<void> {
  await countChanged(transaction, forget, [serverId]);
  await countChanged(transaction, forgetDays, [serverId]);
}

const forget = "delete from survival_storage where server_id = $1";
const forgetDays = "delete from survival_storage_days where server_id = $1";

import type { Client } from "pg";

import type { BenchProgram } from "../parts/remote.ts";
import type { ChurnCounts } from "./churn.ts";

export const churnParts = ["jobs", "sessions", "streams", "inbox"] as const;
export type ChurnPart = (typeof churnParts)[number];

/** The counters of a table since the last reset, and its present size with indexes. */
export interface TableReading {
  readonly name: string;
  readonly dead: number;
  readonly bytes: number;
  readonly inserts: number;
  readonly updates: number;
  /** Updates that needed no new index entry. */
  readonly hotUpdates: number;
  readonly deletes: number;
}

export interface Reading {
  /** Milliseconds of this process's clock. */
  readonly at: number;
  /** The completed rounds of each part so far. A round of the inbox is a stored event. */
  readonly counts: Readonly<Record<ChurnPart, number>>;
  readonly tables: readonly TableReading[];
}

export async function takeReading(churn: BenchProgram, client: Client): Promise<Reading> {
  const [counts, inbox] = [await churn.call<ChurnCounts>("counts"), await countStored(client)];
  const at = performance.now();
  const { rows: tables } = await client.query<TableReading>(tablesSql);
  return { at, counts: { ...counts, inbox }, tables };
}

/** Returns how many rounds a part completed per minute between two readings. */
export const ratePerMinute = (part: ChurnPart, from: Reading, to: Reading): number =>
  ((to.counts[part] - from.counts[part]) / (to.at - from.at)) * 60_000;

async function countStored(client: Client): Promise<number> {
  const { rows } = await client.query<{ stored: number }>(
    `select (received - duplicates - rejected)::float8 as stored
     from ingest_sources where source = 'shard'`,
  );
  return rows[0]?.stored ?? Number.NaN;
}

const tablesSql = `
  select relid::regclass::text as name, n_dead_tup::float8 as dead,
    pg_total_relation_size(relid)::float8 as bytes, n_tup_ins::float8 as inserts,
    n_tup_upd::float8 as updates, n_tup_hot_upd::float8 as "hotUpdates",
    n_tup_del::float8 as deletes
  from pg_stat_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0`;

import type { Sequelize, Transaction } from "sequelize";

import { isLockTimeout } from "../../platform/db/connection/database-unavailable.ts";
import { tryShareSchemaLock } from "../../platform/db/connection/schema-lock.ts";
import { type Database, rows } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";

/** Number of ids in a partition of the event log. The migration for partitions uses the same number. */
export const idsPerPartition = 1_000_000;

/** Number of empty partitions to keep ahead: as many as the fastest ingest fills in an hour. */
export const partitionsAhead = 4;

/** Temporary tables of a partition rewrite. Backups skip them. */
export const temporaryTables = {
  copy: "shard_events_rewritten",
  changes: "shard_events_changed",
} as const;

/** A partition of the event log: ids from `fromId` to before `untilId`. */
export interface EventPartition {
  readonly name: string;
  /** Null for the oldest partition, which has no lower bound. */
  readonly fromId: number | null;
  readonly untilId: number;
  /**
   * Number of events when the partition became full or was rewritten; null if the keys of the events are not in
   * the dedupe tables yet.
   */
  readonly written: number | null;
}

/** Reads all partitions except the default one, oldest first. */
export async function readPartitions(database: Database): Promise<EventPartition[]> {
  return rows<EventPartition>(
    database,
    `select name, nullif(bounds[1], 'MINVALUE')::float8 as "fromId", bounds[2]::float8 as "untilId",
       substring(noted from '[0-9]+')::float8 as written
     from (select relname as name, obj_description(child.oid, 'pg_class') as noted,
         regexp_match(pg_get_expr(relpartbound, child.oid),
           'FROM [(]''?(MINVALUE|[0-9]+)''?[)] TO [(]''?([0-9]+)''?[)]') as bounds
       from pg_inherits join pg_class child on child.oid = inhrelid
       where inhparent = 'shard_events'::regclass) part
     where bounds is not null order by bounds[2]::bigint`,
  );
}

export async function readLastId(database: Database): Promise<number> {
  const [row] = await rows<{ last: number }>(
    database,
    "select last_value::float8 as last from shard_events_id_seq",
  );
  return row?.last ?? 0;
}

/** Returns true if the default partition holds events, because no prepared partition was left. */
export async function hasOverflow(database: Database): Promise<boolean> {
  const [row] = await rows<{ is: boolean }>(
    database,
    "select exists (select from shard_events_rest) as is",
  );
  return row?.is ?? false;
}

export interface PartitionState {
  /** The number of empty partitions. */
  readonly ahead: number;
  /** The number of full partitions whose keys the next run of the job copies to the dedupe tables. */
  readonly unnoted: number;
}

export async function readPartitionState(database: Database): Promise<PartitionState> {
  const [last, parts] = [await readLastId(database), await readPartitions(database)];
  const full = parts.filter(({ untilId }) => untilId <= last);
  return {
    ahead: parts.filter(({ fromId }) => (fromId ?? 0) > last).length,
    unnoted: full.filter(({ written }) => written === null).length,
  };
}

/**
 * Changes partitions in one transaction. Readers and writers queue behind a waiting change, so the change
 * waits at most two seconds for a lock. A backup locks every partition while it runs.
 * @returns undefined if a lock was not available or a release changes the schema. Nothing has changed
 * then, and the job's next run tries again.
 */
export async function changePartitions<T>(
  sequelize: Sequelize,
  change: (transaction: Transaction) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await inTransaction(sequelize, async (transaction) => {
      if (!(await tryShareSchemaLock(transaction))) return undefined;
      await rows(transaction, "set local lock_timeout = '2s'; set local statement_timeout = 0");
      return change(transaction);
    });
  } catch (error) {
    if (isLockTimeout(error)) return undefined;
    throw error;
  }
}

/**
 * Changes one partition while the whole log is locked.
 * @returns undefined in the same cases as `changePartitions`
 */
export async function changePartition<T>(
  { name }: Pick<EventPartition, "name">,
  sequelize: Sequelize,
  change: (transaction: Transaction) => Promise<T>,
): Promise<T | undefined> {
  // Autovacuum releases its lock on the partition after another session has waited for a second. Wait for this
  // release now, before the lock on the log blocks all readers and writers.
  const isFree = await changePartitions(sequelize, (transaction) =>
    rows(transaction, `lock table ${name} in share update exclusive mode`),
  );
  if (!isFree) return undefined;
  return changePartitions(sequelize, async (transaction) => {
    await lockLog(transaction);
    // From here on all readers and writers wait. If the partition is locked, give up until the next run.
    await rows(
      transaction,
      `set local lock_timeout = '100ms'; lock table ${name} in access exclusive mode`,
    );
    return change(transaction);
  });
}

/** Readers and writers lock the log before its partitions; another order would cause deadlocks. */
const lockLog = (transaction: Transaction) =>
  rows(transaction, "lock table only shard_events in access exclusive mode");

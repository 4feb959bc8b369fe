import type { Sequelize, Transaction } from "sequelize";

import { isLocked } from "../../platform/db/connection/database-away.ts";
import { shareSchema } from "../../platform/db/connection/schema-lock.ts";
import { type Database, rows } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";

/** Ids of a part of the event log; the migration that made the log's parts says the same. */
export const idsOfPart = 1_000_000;

/** Parts that are there before they are needed: as many as an hour of the fastest ingest fills. */
export const partsAhead = 4;

/** Tables that are there only while a part is written anew; nothing of them is worth keeping. */
export const passingTables = {
  copy: "shard_events_rewritten",
  changes: "shard_events_changed",
} as const;

/** A part of the event log: from its first id to the one before which it ends. */
export interface LogPart {
  readonly name: string;
  /** Null for the oldest, which holds all before. */
  readonly fromId: number | null;
  readonly untilId: number;
  /** How many events it held when it was written whole; null while it is not noted as full. */
  readonly written: number | null;
}

/** All parts but the one for what belongs into none, oldest first. */
export async function readParts(database: Database): Promise<LogPart[]> {
  return rows<LogPart>(
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

/** SQL that notes of a part how many events it holds, now that it is written whole. */
export const noteWrittenSql = (name: string, events: number): string =>
  `comment on table ${name} is '${events} events'`;

/** SQL that makes a table the part of its ids. */
export const attachPartSql = ({ name, fromId, untilId }: Omit<LogPart, "written">): string =>
  `alter table shard_events attach partition ${name}
     for values from (${fromId ?? "minvalue"}) to (${untilId})`;

/** The id that was given out last. */
export async function readLastId(database: Database): Promise<number> {
  const [row] = await rows<{ last: number }>(
    database,
    "select last_value::float8 as last from shard_events_id_seq",
  );
  return row?.last ?? 0;
}

/** Whether events stand where they belong into no part: the parts ahead were used up. */
export async function isOverfull(database: Database): Promise<boolean> {
  const [row] = await rows<{ is: boolean }>(
    database,
    "select exists (select from shard_events_rest) as is",
  );
  return row?.is ?? false;
}

export interface LogState {
  /** Parts that wait for their first event. */
  readonly ahead: number;
  /** Parts that are full and not noted, which the next run of the job notes. */
  readonly unnoted: number;
}

export async function readLogState(database: Database): Promise<LogState> {
  const [last, parts] = [await readLastId(database), await readParts(database)];
  const full = parts.filter(({ untilId }) => untilId <= last);
  return {
    ahead: parts.filter(({ fromId }) => (fromId ?? 0) > last).length,
    unnoted: full.filter(({ written }) => written === null).length,
  };
}

/**
 * Changes the log's parts in one transaction. Whoever reads or writes the log waits behind a change
 * that waits, so it waits two seconds at most; a backup holds every part for as long as it takes.
 * @returns undefined when somebody held them, or a release changes the schema: nothing is done, and the
 *   job's next run tries again
 */
export async function changeParts<T>(
  sequelize: Sequelize,
  change: (transaction: Transaction) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await inTransaction(sequelize, async (transaction) => {
      if (!(await shareSchema(transaction))) return undefined;
      await rows(transaction, "set local lock_timeout = '2s'; set local statement_timeout = 0");
      return change(transaction);
    });
  } catch (error) {
    if (isLocked(error)) return undefined;
    throw error;
  }
}

/**
 * Changes one part while nobody else has the log.
 * @returns undefined when somebody held them, as above
 */
export async function changePart<T>(
  { name }: Pick<LogPart, "name">,
  sequelize: Sequelize,
  change: (transaction: Transaction) => Promise<T>,
): Promise<T | undefined> {
  // An autovacuum gives way to whoever has waited a second for the part: that wait comes before the
  // one for the log, during which everybody waits.
  const isFree = await changeParts(sequelize, (transaction) =>
    rows(transaction, `lock table ${name} in share update exclusive mode`),
  );
  if (!isFree) return undefined;
  return changeParts(sequelize, async (transaction) => {
    await holdLog(transaction);
    // Everybody waits from here on: a part that is held all the same is left for the next run.
    await rows(
      transaction,
      `set local lock_timeout = '100ms'; lock table ${name} in access exclusive mode`,
    );
    return change(transaction);
  });
}

/** Whoever reads or writes locks the log before its parts: in another order the two would deadlock. */
const holdLog = (transaction: Transaction) =>
  rows(transaction, "lock table only shard_events in access exclusive mode");

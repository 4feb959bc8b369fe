import type { Sequelize, Transaction } from "sequelize";

import { type Database, firstRow, rows } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { attachPartitionSql } from "./partitions.sql.ts";
import {
  changePartition,
  idsPerPartition,
  hasOverflow,
  type EventPartition,
  partitionsAhead,
  readLastId,
  readPartitions,
} from "./partitions.ts";

/** The default partition, for ids beyond the other partitions. PostgreSQL scans it to attach a new partition. */
const defaultPartition = { name: "shard_events_rest" };

/** Creates the partitions that the next hours need. @returns how many it created */
export async function createPartitions(sequelize: Sequelize): Promise<number> {
  let made = 0;
  while (await needsPartitions(sequelize)) {
    if (!(await changePartition(defaultPartition, sequelize, createPartition))) break;
    made++;
  }
  return made;
}

/** Creates the partitions for ids that have a partition in another event log but none here. */
export async function createMatchingPartitions(
  others: readonly Pick<EventPartition, "fromId" | "untilId">[],
  sql: SqlClient,
): Promise<void> {
  const end = await readEnd(sql);
  for (const { fromId, untilId } of others) {
    for (let id = Math.max(fromId ?? end, end); id < untilId; id += idsPerPartition) {
      await rows(sql, createPartitionSql, [id]);
    }
  }
}

const createPartitionSql = "select make_shard_events_part($1)";

async function needsPartitions(database: Database): Promise<boolean> {
  const last = await readLastId(database);
  const needed = (Math.floor(last / idsPerPartition) + 1 + partitionsAhead) * idsPerPartition;
  return (await readEnd(database)) < needed || hasOverflow(database);
}

/** Creates the next partition. Call it while the log is locked, so that no event for its ids arrives meanwhile. */
async function createPartition(transaction: Transaction): Promise<true> {
  const end = await readEnd(transaction);
  if (await hasOverflow(transaction)) await convertDefaultPartition(end, transaction);
  else await rows(transaction, createPartitionSql, [end]);
  return true;
}

const readEnd = async (database: Database): Promise<number> =>
  (await readPartitions(database)).at(-1)?.untilId ?? 0;

/** Turns the default partition into a regular one without moving rows, and creates a new default one. */
async function convertDefaultPartition(end: number, transaction: Transaction): Promise<void> {
  const found = await firstRow<{ newest: number }>(
    transaction,
    "select max(id)::float8 as newest from shard_events_rest",
  );
  const untilId = (Math.floor((found?.newest ?? end) / idsPerPartition) + 1) * idsPerPartition;
  const name = `shard_events_${end}`;
  await rows(
    transaction,
    `alter table shard_events detach partition shard_events_rest;
     alter index shard_events_rest_place rename to ${name}_place;
     alter index shard_events_rest_key rename to ${name}_key;
     alter table shard_events_rest rename to ${name};
     ${attachPartitionSql({ name, fromId: end, untilId })};
     select make_shard_events_rest()`,
  );
}

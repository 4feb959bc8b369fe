import type { Sequelize, Transaction } from "sequelize";

import { firstRow, rows } from "../../platform/db/rows.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import {
  insertEmptySeqsSql,
  insertEventKeysSql,
  insertEventSeqsSql,
  markPartitionFullSql,
  selectWrittenCountSql,
} from "./partitions.sql.ts";
import { changePartitions, type EventPartition, readLastId, readPartitions } from "./partitions.ts";

/**
 * Copies the keys of full partitions to the dedupe tables, so that ingest need not search those partitions. The
 * unique indexes of these partitions are dropped.
 * @returns the number of copied partitions
 */
export async function copyFullPartitionKeys(sequelize: Sequelize): Promise<number> {
  const last = await readLastId(sequelize);
  const parts = await readPartitions(sequelize);
  const full = parts.filter(({ written, untilId }) => written === null && untilId <= last);
  if (full.length === 0) return 0;
  // Storing events locks this row. After this lock, no running transaction has an id of a full partition.
  await inTransaction(sequelize, async (transaction) => {
    const lock = transaction.LOCK.UPDATE;
    await modelsOf(transaction).IngestSource.findByPk("shard", { transaction, lock });
  });
  for (const [noted, part] of full.entries()) {
    const isNoted = await changePartitions(sequelize, (transaction) =>
      notePartition(part, transaction),
    );
    if (!isNoted) return noted;
  }
  return full.length;
}

async function notePartition(
  { name, fromId, untilId }: EventPartition,
  transaction: Transaction,
): Promise<true> {
  // A conflict means that the key is in the table already, so it still marks a duplicate.
  await rows(transaction, insertEventKeysSql(name), [untilId]);
  // The numbers of an epoch arrive in order, so the event of a missing number was deleted or never arrives. Store
  // all numbers as one range, because gaps would make ingest's lookup longer.
  await rows(transaction, insertEventSeqsSql(name), [untilId]);
  await rows(transaction, insertEmptySeqsSql, [untilId]);
  const found = await firstRow<{ count: number }>(
    transaction,
    // Some events may be deleted already, so compute the number from the ids, which start at 1.
    selectWrittenCountSql(name),
    [fromId ?? 1],
  );
  await rows(transaction, markPartitionFullSql(name, found?.count ?? 0));
  return true;
}

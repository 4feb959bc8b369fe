import { setTimeout as sleep } from "node:timers/promises";

import { Op, type Sequelize, type Transaction } from "sequelize";

import { defineModels } from "../../../models/index.ts";
import { firstRow, rows } from "../../platform/db/rows.ts";
import {
  dropChangeTableSql,
  dropCopySql,
  exchangePartitionCopySql,
  recordChangesSql,
  selectChangeSql,
  selectOlderSnapshotSql,
  selectWrittenCopySql,
  writePartitionCopySql,
} from "./partitions.sql.ts";
import {
  changePartition,
  changePartitions,
  type EventPartition,
  readPartitions,
} from "./partitions.ts";

/** A full partition is rewritten if less than this share of its events is left. */
const rewriteBelowShare = 0.75;

export interface ShrinkResult {
  /** The number of empty partitions that were dropped. */
  readonly dropped: number;
  readonly rewritten: number;
}

/** Frees the disk space of deleted events in full partitions. */
export async function shrinkPartitions(sequelize: Sequelize): Promise<ShrinkResult> {
  let dropped = 0;
  let rewritten = 0;
  for (const part of await readPartitions(sequelize)) {
    if (part.written === null) continue;
    const left = await countEvents(part, sequelize);
    if (left === 0) {
      if (await changePartition(part, sequelize, (transaction) => drop(part, transaction))) {
        dropped++;
      }
    } else if (left < part.written * rewriteBelowShare) {
      if (await rewritePartition(part, sequelize)) rewritten++;
    }
  }
  return { dropped, rewritten };
}

const countEvents = ({ fromId, untilId }: EventPartition, sequelize: Sequelize): Promise<number> =>
  defineModels(sequelize).ShardEvent.count({
    where: { id: { [Op.gte]: fromId ?? 0, [Op.lt]: untilId } },
  });

/**
 * Drops a partition and deletes the dedupe keys of its events. If the sidecar sends such an event again, the
 * event is stored again.
 */
async function drop(
  { name, fromId, untilId }: EventPartition,
  transaction: Transaction,
): Promise<true> {
  await rows(transaction, `drop table ${name}`);
  const noted = "until_id > $1 and until_id <= $2";
  for (const table of ["shard_event_keys", "shard_event_seqs"]) {
    await rows(transaction, `delete from ${table} where ${noted}`, [fromId ?? 0, untilId]);
  }
  return true;
}

const askEveryMs = 200;
const waitForMs = 30_000;

/**
 * Rewrites a full partition in several transactions. If a release changes the log between two of them, the
 * copy is discarded. Readers use the old partition and wait only for the exchange.
 * @returns true if the copy replaced the partition; false if an older snapshot is still open or one of the
 * partition's events changed meanwhile
 */
async function rewritePartition(part: EventPartition, sequelize: Sequelize): Promise<boolean> {
  try {
    const isWatched = await changePartitions(sequelize, (transaction) =>
      recordPartitionChanges(part, transaction),
    );
    if (!isWatched) return false;
    const written = await changePartitions(sequelize, (transaction) => write(part, transaction));
    if (!written || !(await isVisibleToAll(written, sequelize))) return false;
    const isDone = await changePartition(part, sequelize, (transaction) =>
      exchange(part, written, transaction),
    );
    return isDone ?? false;
  } finally {
    await changePartitions(sequelize, (transaction) => rows(transaction, dropCopySql));
    await stopRecording(sequelize);
  }
}

interface WrittenCopy {
  /** Id of the transaction that wrote the copy. */
  readonly by: string;
  readonly left: number;
}

async function write(part: EventPartition, transaction: Transaction): Promise<WrittenCopy> {
  const { fromId, untilId } = part;
  const within = `id < ${untilId} and id ${fromId === null ? "is not null" : `>= ${fromId}`}`;
  await rows(transaction, writePartitionCopySql(part, within));
  const found = await firstRow<WrittenCopy>(transaction, selectWrittenCopySql);
  return found ?? { by: "", left: 0 };
}

/**
 * Waits until no snapshot is older than the copy. A reader with an older snapshot, such as a backup, would
 * see the copy as empty after the exchange.
 * @returns false after 30 seconds
 */
async function isVisibleToAll({ by }: WrittenCopy, sequelize: Sequelize): Promise<boolean> {
  const giveUpAt = performance.now() + waitForMs;
  for (;;) {
    const older = await firstRow(sequelize, selectOlderSnapshotSql, [by]);
    if (!older) return true;
    if (performance.now() >= giveUpAt) return false;
    await sleep(askEveryMs);
  }
}

/** Swaps tables without reading rows, so its duration does not depend on their size. */
async function exchange(
  part: EventPartition,
  { left }: WrittenCopy,
  transaction: Transaction,
): Promise<boolean> {
  if (await isChanged(transaction)) return false;
  await rows(transaction, exchangePartitionCopySql(part, left));
  return true;
}

/**
 * Starts recording the changes of the partition's events. Creating the trigger waits for running changes, so a
 * read of the partition afterwards sees every change that is not recorded.
 */
export async function recordPartitionChanges(
  { name }: EventPartition,
  transaction: Transaction,
): Promise<true> {
  await rows(transaction, recordChangesSql(name));
  return true;
}

/** Returns true if a change of the partition was recorded. It reads one row at most. */
async function isChanged(transaction: Transaction): Promise<boolean> {
  return (await firstRow(transaction, selectChangeSql)) !== undefined;
}

/** Stops recording changes. If the partition is locked, recording continues until the next rewrite starts. */
async function stopRecording(sequelize: Sequelize): Promise<void> {
  await changePartitions(sequelize, (transaction) => rows(transaction, dropChangeTableSql));
}

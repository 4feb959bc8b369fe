import { firstRow } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { SourceOwnership } from "../../platform/ingest/ownership.ts";
import { type EventPartition, readPartitions } from "./partitions.ts";

/**
 * A range of event ids in which duplicates must be searched, because its keys may not be in the dedupe tables
 * yet.
 */
export interface DedupeRange {
  readonly fromId: number;
  readonly untilId: number;
}

/** By owner: the number of ids that the owner may assign before `countIdsLeft` must be called again. */
const idsLeft = new WeakMap<SourceOwnership, number>();

/**
 * Returns the range of stored events in which duplicates of `count` new events must be searched. Unique keys
 * find duplicates in the partition that gets the events, and the dedupe tables find those in full partitions.
 * Only the owner assigns ids, so a check is needed only near the end of a partition.
 * @returns null if no search is needed
 */
export async function findDedupeRange(
  owner: SourceOwnership,
  count: number,
  connection: SqlClient,
): Promise<DedupeRange | null> {
  const left = idsLeft.get(owner) ?? 0;
  if (count <= left) {
    idsLeft.set(owner, left - count);
    return null;
  }
  const { nextId, notedUntil } = await readEnd(connection);
  const parts = await readPartitions(connection);
  const free = countIdsLeft(nextId, notedUntil, parts);
  idsLeft.set(owner, Math.max(0, free - count));
  if (count <= free) return null;
  const last = partitionOf(nextId + count - 1, parts);
  return { fromId: notedUntil, untilId: last ? (last.fromId ?? 0) : Number.MAX_SAFE_INTEGER };
}

/**
 * @returns how many ids can be assigned without a search; 0 if an earlier partition is not in the dedupe tables
 * yet
 */
function countIdsLeft(
  nextId: number,
  notedUntil: number,
  parts: readonly EventPartition[],
): number {
  const part = partitionOf(nextId, parts);
  if (!part) return 0;
  const isBetween = ({ untilId }: EventPartition): boolean =>
    untilId > notedUntil && untilId <= (part.fromId ?? 0);
  return parts.some(isBetween) ? 0 : part.untilId - nextId;
}

const partitionOf = (id: number, parts: readonly EventPartition[]): EventPartition | undefined =>
  parts.find(({ fromId, untilId }) => (fromId ?? 0) <= id && id < untilId);

interface SequenceEnd {
  /** The next id that the sequence assigns. */
  readonly nextId: number;
  /** All events before this id are in the dedupe tables. */
  readonly notedUntil: number;
}

async function readEnd(connection: SqlClient): Promise<SequenceEnd> {
  const found = await firstRow<SequenceEnd>(
    connection,
    `select (last_value + is_called::integer)::float8 as "nextId",
       (select coalesce(max(until_id), 0) from shard_event_seqs)::float8 as "notedUntil"
     from shard_events_id_seq`,
  );
  return found ?? { nextId: 0, notedUntil: 0 };
}

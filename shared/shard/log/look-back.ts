import { firstRow } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { Ownership } from "../../platform/ingest/ownership.ts";
import { type LogPart, readParts } from "./parts.ts";

/** Ids between which parts of the log may hold an event that is not noted yet. */
export interface LookBack {
  readonly fromId: number;
  readonly untilId: number;
}

/** How many ids each owner of the source may give out before it has to look again. */
const idsLeft = new WeakMap<Ownership, number>();

/**
 * Where `count` new events must be looked for, beside what full parts noted and the keys of the part
 * that they go to. An owner is the only one who gives out ids, so it asks near a part's end alone.
 * @returns null when they need not be looked for
 */
export async function lookBack(
  owner: Ownership,
  count: number,
  connection: Sql,
): Promise<LookBack | null> {
  const left = idsLeft.get(owner) ?? 0;
  if (count <= left) {
    idsLeft.set(owner, left - count);
    return null;
  }
  const { nextId, notedUntil } = await readEnd(connection);
  const parts = await readParts(connection);
  const free = idsBefore(nextId, notedUntil, parts);
  idsLeft.set(owner, Math.max(0, free - count));
  if (count <= free) return null;
  const last = partOf(nextId + count - 1, parts);
  return { fromId: notedUntil, untilId: last ? (last.fromId ?? 0) : Number.MAX_SAFE_INTEGER };
}

/** @returns how many ids there are until an event could stand in a part that is not noted */
function idsBefore(nextId: number, notedUntil: number, parts: readonly LogPart[]): number {
  const part = partOf(nextId, parts);
  if (!part) return 0;
  const isBetween = ({ untilId }: LogPart): boolean =>
    untilId > notedUntil && untilId <= (part.fromId ?? 0);
  return parts.some(isBetween) ? 0 : part.untilId - nextId;
}

const partOf = (id: number, parts: readonly LogPart[]): LogPart | undefined =>
  parts.find(({ fromId, untilId }) => (fromId ?? 0) <= id && id < untilId);

interface End {
  /** The id that is given out next. */
  readonly nextId: number;
  /** The id before which everything is noted. */
  readonly notedUntil: number;
}

async function readEnd(connection: Sql): Promise<End> {
  const found = await firstRow<End>(
    connection,
    `select (last_value + is_called::integer)::float8 as "nextId",
       (select coalesce(max(until_id), 0) from shard_event_seqs)::float8 as "notedUntil"
     from shard_events_id_seq`,
  );
  return found ?? { nextId: 0, notedUntil: 0 };
}

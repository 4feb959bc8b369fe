import type { StorageBoundName, StorageBounds } from "../../platform/config/survival-bounds.ts";
import { executeStatement, type Database, firstRow, rows } from "../../platform/db/rows.ts";
import { countOmittedRowsSql, selectFullPartsSql } from "./storage.sql.ts";

/**
 * CTEs that count omitted rows, and write the activity log once a day.
 * @param surplus name of a relation (server_id, part, count, most), at most one row per part
 */
export const recordOmissionsSql = (surplus: string): string => `
  left_out_now as (select clock_timestamp() as at), counted_out as (
    insert into survival_storage as known
      (server_id, part, left_out, left_out_at, told_at)
    select server_id, part, count, at, at from ${surplus}, left_out_now where count > 0
    on conflict (server_id, part) do update
    set left_out = known.left_out + excluded.left_out, left_out_at = excluded.left_out_at,
      told_at = case when known.told_at > excluded.told_at - interval '1 day' then known.told_at
        else excluded.told_at end
    returning server_id, part, left_out, told_at = left_out_at as is_told
  ), told_out as (
    insert into activity_log (action, target_type, target_id, detail)
    select 'survival.storage.full', 'survival_server', counted_out.server_id::text,
      jsonb_build_object('part', part, 'most', most, 'leftOut', left_out)
    from counted_out join ${surplus} using (server_id, part)
    where is_told
  )`;

interface OmittedRows {
  readonly serverId: number;
  readonly name: StorageBoundName;
  /** Number of rows, bytes or messages that a limit omitted. */
  readonly count: number;
}

/** Counts omitted rows, and writes the activity log once a day. */
export async function recordOmission(
  { serverId, name, count }: OmittedRows,
  bounds: StorageBounds,
  within: Database,
): Promise<void> {
  if (count <= 0) return;
  await executeStatement(within, statement, [serverId, name, count, bounds[name]]);
}

const statement = `
  with surplus as (
    select $1::integer as server_id, $2::text as part, $3::bigint as count, $4::bigint as most
  ), ${recordOmissionsSql("surplus")}
  select`;

/** The amount of one kind of data that was not stored because of a limit. */
export interface StorageOmission {
  readonly part: StorageBoundName;
  /** Number of rows, images or messages since the server was created. */
  readonly count: number;
  /** Time of the last omission, a JSON timestamp. */
  readonly lastAt: string;
}

/** SQL of a server's omissions as a JSON array of `StorageOmission`. @param serverId SQL of the server's id */
export const omissionsSql = (serverId: string): string => `(
  select coalesce(jsonb_agg(jsonb_build_object('part', part, 'count', left_out,
    'lastAt', to_char(left_out_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part), '[]')
  from survival_storage where server_id = ${serverId} and left_out > 0)`;

/** Counts the rows that limits omitted, on all servers. */
export async function countOmissions(database: Database): Promise<number> {
  const found = await firstRow<{ count: number }>(database, countOmittedRowsSql);
  return found?.count ?? 0;
}

interface FullPart {
  readonly slug: string;
  readonly part: string;
}

/** Reads the servers and limits that were reached within the last day. */
export const readReachedStorageLimits = (database: Database): Promise<FullPart[]> =>
  rows<FullPart>(database, selectFullPartsSql);

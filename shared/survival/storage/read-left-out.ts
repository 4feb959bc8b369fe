import type { BoundName } from "../../platform/config/survival-bounds.ts";
import { type Database, firstRow, rows } from "../../platform/db/rows.ts";

/** What was not stored of a server, because a bound of what is kept of it was reached. */
export interface LeftOut {
  readonly part: BoundName;
  /** Rows, pictures or messages, since the server was made. */
  readonly count: number;
  /** When something was last left out: an instant of JSON. */
  readonly lastAt: string;
}

/** The `LeftOut` of a server as a JSON array. @param serverId the SQL of its id */
export const leftOutOf = (serverId: string): string => `(
  select coalesce(jsonb_agg(jsonb_build_object('part', part, 'count', left_out,
    'lastAt', to_char(left_out_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by part), '[]')
  from survival_storage where server_id = ${serverId} and left_out > 0)`;

/** How many rows of all servers were left out for want of room. */
export async function countLeftOut(database: Database): Promise<number> {
  const found = await firstRow<{ count: number }>(
    database,
    "select coalesce(sum(left_out), 0)::float8 as count from survival_storage",
  );
  return found?.count ?? 0;
}

interface FullPart {
  readonly slug: string;
  readonly part: string;
}

/** The parts of servers of which something was left out in the last day. */
export const readFullParts = (database: Database): Promise<FullPart[]> =>
  rows<FullPart>(
    database,
    `select server.slug, storage.part from survival_storage storage
     join survival_servers server on server.id = storage.server_id
     where left_out_at > clock_timestamp() - interval '1 day' order by 1, 2`,
  );

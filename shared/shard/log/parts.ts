import { type Database, rows } from "../../platform/db/rows.ts";

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

import type { PreparedStatement } from "../../platform/db/named-statements.ts";
import type { KeyedRows } from "../kinds/live-states.ts";

/** Writes the rows of objects and returns the keys of the changed rows. */
export function writeRowsSql(
  { table, column, keyType }: KeyedRows,
  how: "replace" | "merge",
): PreparedStatement {
  const next = how === "merge" ? "held.state || excluded.state" : "excluded.state";
  return {
    name: `${how} ${table}`,
    text: `insert into ${table} as held (${column}, state, t)
     select given.key, given.state, given.t
     from unnest($1::${keyType}[], $2::jsonb[], $3::bigint[]) as given (key, state, t)
     on conflict (${column}) do update
       set state = ${next}, t = excluded.t, updated_at = clock_timestamp()
       where held.state is distinct from ${next}
     returning ${column} as key`,
  };
}

export const deleteRowsSql = ({ table, column, keyType }: KeyedRows): PreparedStatement => ({
  name: `remove ${table}`,
  text: `delete from ${table} where ${column} = any($1::${keyType}[])
     returning ${column} as key, state`,
});

/** The rows were checked when their page arrived. If several rows have one key, the last one is stored. */
const selectSnapshotRowsSql = ({ keyType, key }: KeyedRows): string => `
    select distinct on (key) key::${keyType}, state, t from (
      select value ->> '${key}' as key, value - $3::text[] as state,
             coalesce((value ->> 't')::bigint, 0) as t, page, place
      from snapshot_pages, jsonb_array_elements(rows) with ordinality as row (value, place)
      where source = $1 and family = $2) rows
    where key not in (select key from snapshot_touched where source = $1 and family = $2)
    order by key, page desc, place desc`;

export const deleteGoneRowsSql = ({ table, column, key }: KeyedRows): string =>
  `delete from ${table} where ${column}::text not in (
       select value ->> '${key}' from snapshot_pages, jsonb_array_elements(rows) as row (value)
       where source = $1 and family = $2
       union all
       select key from snapshot_touched where source = $1 and family = $2)`;

export function writeSnapshotRowsSql(kept: KeyedRows): string {
  const { table, column } = kept;
  return `insert into ${table} as held (${column}, state, t)
     select incoming.key, incoming.state, incoming.t from (${selectSnapshotRowsSql(kept)}) as incoming
     on conflict (${column}) do update
       set state = excluded.state, t = excluded.t, updated_at = clock_timestamp()
       where held.state is distinct from excluded.state`;
}

export const deleteCharactersSql = {
  name: "remove online characters",
  text: "delete from online_characters where serial = any($1)",
};

/** Writes characters that are new or changed. */
const addingSql = `
  insert into online_characters as held (serial, name, account_key, map, x, y, z, region)
  select given.serial, given.name, given.account_key, given.map, given.x, given.y, given.z,
    given.region
  from unnest($1::text[], $2::text[], $3::text[], $4::text[],
    $5::integer[], $6::integer[], $7::integer[], $8::text[])
    as given (serial, name, account_key, map, x, y, z, region)
  on conflict (serial) do update set
    name = excluded.name, account_key = coalesce(excluded.account_key, held.account_key),
    map = excluded.map, x = excluded.x, y = excluded.y, z = excluded.z, region = excluded.region
  where (held.name, held.map, held.x, held.y, held.z, held.region) is distinct from
    (excluded.name, excluded.map, excluded.x, excluded.y, excluded.z, excluded.region)
    or held.account_key is distinct from coalesce(excluded.account_key, held.account_key)`;

export const addCharactersSql = { name: "add online characters", text: addingSql };

/** Returns a row for each character that is new, changed or gone. */
export const replaceCharactersSql = {
  name: "replace online characters",
  text: `
  with gone as (
    delete from online_characters where serial not in (select unnest($1::text[])) returning serial
  ), added as (${addingSql} returning serial)
  select from gone union all select from added`,
};

export const insertSnapshotSql = `insert into snapshots (source, family, snapshot_id, epoch, pages, count)
     values ($1, $2, $3, $4, $5, $6)`;

export const insertPageSql = `insert into snapshot_pages (source, family, page, rows)
     select $1, $2, $4, $5 from snapshots
     where source = $1 and family = $2 and snapshot_id = $3 and $4 <= pages
     on conflict do nothing`;

export const selectIsWholeSql = `select pages = (select count(*) from snapshot_pages p where p.source = s.source and p.family = s.family)
        and count = (select coalesce(sum(jsonb_array_length(rows)), 0)
                     from snapshot_pages p where p.source = s.source and p.family = s.family) as whole
     from snapshots s where source = $1 and family = $2 and snapshot_id = $3`;

export const clearStaleSql =
  "update ingest_sources set stale = array_remove(stale, $2) where source = $1";

export const deleteSnapshotSql = "delete from snapshots where source = $1 and family = $2";

export const insertTouchedSql = {
  name: "touch snapshots",
  text: `
  insert into snapshot_touched (source, family, key)
  select source, family, key from snapshots, unnest($3::text[]) as touched (key)
  where source = $1 and family = $2
  on conflict do nothing`,
};

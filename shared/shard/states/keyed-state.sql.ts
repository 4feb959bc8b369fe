import type { KeyedRowTable } from "../kinds/live-states.ts";

/** Writes rows that are new or changed, and returns their keys. */
export function writeKeyedRowsSql(
  { table, column, keyType }: KeyedRowTable,
  how: "replace" | "merge",
) {
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

/** Deletes rows by key, and returns them. */
export function removeKeyedRowsSql({ table, column, keyType }: KeyedRowTable) {
  return {
    name: `remove ${table}`,
    text: `delete from ${table} where ${column} = any($1::${keyType}[])
     returning ${column} as key, state`,
  };
}

/** Deletes the rows that are neither in a snapshot nor in a live event since the snapshot began. */
export const deleteMissingRowsSql = ({ table, column, key }: KeyedRowTable): string =>
  `delete from ${table} where ${column}::text not in (
       select value ->> '${key}' from snapshot_pages, jsonb_array_elements(rows) as row (value)
       where source = $1 and family = $2
       union all
       select key from snapshot_touched where source = $1 and family = $2)`;

/** Writes the rows of a snapshot, except those that a live event changed since the snapshot began. */
export function writeStagedRowsSql({ table, column, keyType, key }: KeyedRowTable): string {
  // The rows were checked when their page arrived. If several rows have one key, the last one is stored.
  const incoming = `
    select distinct on (key) key::${keyType}, state, t from (
      select value ->> '${key}' as key, value - $3::text[] as state,
             coalesce((value ->> 't')::bigint, 0) as t, page, place
      from snapshot_pages, jsonb_array_elements(rows) with ordinality as row (value, place)
      where source = $1 and family = $2) rows
    where key not in (select key from snapshot_touched where source = $1 and family = $2)
    order by key, page desc, place desc`;
  return `insert into ${table} as held (${column}, state, t)
     select incoming.key, incoming.state, incoming.t from (${incoming}) as incoming
     on conflict (${column}) do update
       set state = excluded.state, t = excluded.t, updated_at = clock_timestamp()
       where held.state is distinct from excluded.state`;
}

import { analyze, countChanged, rows } from "../../platform/db/rows.ts";
import { jsonArraySql } from "../../platform/db/sql-text.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { KeyedRows } from "../kinds/live-states.ts";
import type { PayloadFields } from "../visibility/view.ts";
import type { StateHandler } from "./handler.ts";
import { splitIntoBatches } from "./rounds.ts";
import {
  findStateEffect,
  type StateReach,
  computeReach,
  keepReach,
  type StateEvent,
} from "./state-event.ts";
import { eventFields, pickStateFields } from "./stored-state.ts";

/** A snapshot that changes fewer rows leaves the planner's statistics valid, so the table is not analyzed. */
const analyzeMinRows = 50;

/** Creates the handler of a state with one row per object. @param name of the state and of its snapshot family */
export const createKeyedStateHandler = (name: string, kept: KeyedRows): StateHandler => ({
  apply: (events, connection) => applyEvents(kept, events, connection),
  clear: [`delete from ${kept.table}`],
  snapshot: {
    keyOf: (payload) => String(payload[kept.key]),
    swap: (source, connection) => swapRows(kept, [source, name], connection),
  },
});

/** @returns the reach of events for which the stored row decides: removals, and upserts that changed nothing */
async function applyEvents(
  kept: KeyedRows,
  events: readonly StateEvent[],
  connection: SqlClient,
): Promise<StateReach[]> {
  const reached: StateReach[] = [];
  const rules = {
    keyOf: ({ payload }: StateEvent) => payload[kept.key],
    operationOf: (event: StateEvent) => findStateEffect(event)?.as,
    // One statement cannot write a row twice, and a removal must return the row as the previous event left it.
    mayRepeat: false,
  };
  for (const { operation, events: round } of splitIntoBatches(events, rules)) {
    if (operation === "remove") reached.push(...(await removeRows(kept, round, connection)));
    else if (operation === "merge") await writeRows(kept, round, "merge", connection);
    else reached.push(...(await replaceRows(kept, round, connection)));
  }
  return reached;
}

async function replaceRows(
  kept: KeyedRows,
  events: readonly StateEvent[],
  connection: SqlClient,
): Promise<StateReach[]> {
  const changed = await writeRows(kept, events, "replace", connection);
  return events.filter(({ payload }) => !changed.has(payload[kept.key])).map(keepReach);
}

/** @returns the keys of the changed rows */
async function writeRows(
  { table, column, keyType, key }: KeyedRows,
  events: readonly StateEvent[],
  how: "replace" | "merge",
  connection: SqlClient,
): Promise<ReadonlySet<unknown>> {
  const next = how === "merge" ? "held.state || excluded.state" : "excluded.state";
  const statement = {
    name: `${how} ${table}`,
    text: `insert into ${table} as held (${column}, state, t)
     select given.key, given.state, given.t
     from unnest($1::${keyType}[], $2::jsonb[], $3::bigint[]) as given (key, state, t)
     on conflict (${column}) do update
       set state = ${next}, t = excluded.t, updated_at = clock_timestamp()
       where held.state is distinct from ${next}
     returning ${column} as key`,
  };
  const changed = await rows<{ key: unknown }>(connection, statement, [
    events.map(({ payload }) => payload[key]),
    jsonArraySql(events.map(({ payload }) => JSON.stringify(pickStateFields(payload)))),
    events.map(({ payload, frame }) => payload["t"] ?? frame.t),
  ]);
  return new Set(changed.map((row) => row.key));
}

async function removeRows(
  { table, column, keyType, key }: KeyedRows,
  events: readonly StateEvent[],
  connection: SqlClient,
): Promise<StateReach[]> {
  const statement = {
    name: `remove ${table}`,
    text: `delete from ${table} where ${column} = any($1::${keyType}[])
     returning ${column} as key, state`,
  };
  const keys = events.map(({ payload }) => payload[key]);
  const removed = await rows<{ key: unknown; state: PayloadFields }>(connection, statement, [keys]);
  const states = new Map(removed.map((row) => [row.key, row.state]));
  return events.flatMap((event) => {
    const state = states.get(event.payload[key]);
    const facts = state && findStateEffect(event)?.factsOf?.(state);
    return facts ? [computeReach(event, facts)] : [];
  });
}

/**
 * Replaces the rows by a complete snapshot. Rows that are not in it are deleted, and rows that a live event
 * changed since the snapshot began stay unchanged.
 * @param staged the source and the family of the snapshot
 */
async function swapRows(
  { table, column, keyType, key }: KeyedRows,
  staged: readonly [source: string, family: string],
  connection: SqlClient,
): Promise<void> {
  // The rows were checked when their page arrived. If several rows have one key, the last one is stored.
  const incoming = `
    select distinct on (key) key::${keyType}, state, t from (
      select value ->> '${key}' as key, value - $3::text[] as state,
             coalesce((value ->> 't')::bigint, 0) as t, page, place
      from snapshot_pages, jsonb_array_elements(rows) with ordinality as row (value, place)
      where source = $1 and family = $2) rows
    where key not in (select key from snapshot_touched where source = $1 and family = $2)
    order by key, page desc, place desc`;
  const gone = await countChanged(
    connection,
    `delete from ${table} where ${column}::text not in (
       select value ->> '${key}' from snapshot_pages, jsonb_array_elements(rows) as row (value)
       where source = $1 and family = $2
       union all
       select key from snapshot_touched where source = $1 and family = $2)`,
    staged,
  );
  const written = await countChanged(
    connection,
    `insert into ${table} as held (${column}, state, t)
     select incoming.key, incoming.state, incoming.t from (${incoming}) as incoming
     on conflict (${column}) do update
       set state = excluded.state, t = excluded.t, updated_at = clock_timestamp()
       where held.state is distinct from excluded.state`,
    [...staged, eventFields],
  );
  if (gone + written >= analyzeMinRows) await analyze([table], connection);
}

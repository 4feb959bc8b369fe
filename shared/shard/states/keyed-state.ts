import type { Sql } from "../../db/sql.ts";
import type { FedEvent } from "./fed-event.ts";
import { happenings, type KeyedState, stateOf } from "./keyed-states.ts";
import { roundsOf } from "./rounds.ts";

type Operation = "replace" | "merge" | "remove";

/** Moves a family's rows, in the order of the events. @returns full-state upserts that changed nothing */
export async function applyKeyedState(
  state: KeyedState,
  events: readonly FedEvent[],
  sql: Sql,
): Promise<FedEvent[]> {
  const unchanged: FedEvent[] = [];
  const sorting = {
    keyOf: ({ payload }: FedEvent) => payload[state.key],
    operationOf: (event: FedEvent) => operationOf(state, event),
    // One statement cannot write a row twice.
    repeats: false,
  };
  for (const { operation, events: round } of roundsOf(events, sorting)) {
    if (operation === "remove") await removeRows(state, round, sql);
    else unchanged.push(...(await writeRows(state, operation, round, sql)));
  }
  return unchanged;
}

function operationOf({ mergedBy, removedBy }: KeyedState, { frame }: FedEvent): Operation {
  if (frame.kind === removedBy) return "remove";
  return frame.kind === mergedBy ? "merge" : "replace";
}

async function writeRows(
  state: KeyedState,
  operation: "replace" | "merge",
  events: readonly FedEvent[],
  sql: Sql,
): Promise<FedEvent[]> {
  const { table, column, keyType } = state;
  const next = operation === "merge" ? "held.state || excluded.state" : "excluded.state";
  const { rows } = await sql.query<{ key: unknown }>(
    `insert into ${table} as held (${column}, state, t)
     select * from unnest($1::${keyType}[], $2::jsonb[], $3::bigint[])
     on conflict (${column}) do update
       set state = ${next}, t = excluded.t, updated_at = clock_timestamp()
       where held.state is distinct from ${next}
     returning ${column} as key`,
    [
      events.map(({ payload }) => payload[state.key]),
      events.map(({ payload }) => JSON.stringify(stateOf(payload))),
      events.map(({ payload, frame }) => payload["t"] ?? frame.t),
    ],
  );
  const changed = new Set(rows.map(({ key }) => key));
  return events.filter(
    ({ payload }) => operation === "replace" && !changed.has(payload[state.key]),
  );
}

async function removeRows(state: KeyedState, events: readonly FedEvent[], sql: Sql): Promise<void> {
  const { table, column, keyType, key } = state;
  await sql.query(`delete from ${table} where ${column} = any($1::${keyType}[])`, [
    events.map(({ payload }) => payload[key]),
  ]);
}

/**
 * Replaces a family by a whole snapshot: what it lacks is gone. Keys that a live event touched
 * since the snapshot began are left as the event made them.
 */
export async function swapKeyedState(
  state: KeyedState,
  source: string,
  family: string,
  sql: Sql,
): Promise<void> {
  const { table, column, keyType, key } = state;
  // Rows are checked payloads; the last of two with one key wins, as in a stream.
  const incoming = `
    select distinct on (key) key::${keyType} as key, state, t from (
      select value ->> '${key}' as key, value - $3::text[] as state,
             coalesce((value ->> 't')::bigint, 0) as t, page, place
      from snapshot_pages, jsonb_array_elements(rows) with ordinality as row (value, place)
      where source = $1 and family = $2) rows
    where key not in (select key from snapshot_touched where source = $1 and family = $2)
    order by key, page desc, place desc`;
  await sql.query(
    `delete from ${table} where ${column}::text not in (
       select value ->> '${key}' from snapshot_pages, jsonb_array_elements(rows) as row (value)
       where source = $1 and family = $2
       union all
       select key from snapshot_touched where source = $1 and family = $2)`,
    [source, family],
  );
  await sql.query(
    `insert into ${table} as held (${column}, state, t) ${incoming}
     on conflict (${column}) do update
       set state = excluded.state, t = excluded.t, updated_at = clock_timestamp()
       where held.state is distinct from excluded.state`,
    [source, family, happenings],
  );
}

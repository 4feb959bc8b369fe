import { analyzeTables, executeStatement, rows } from "../../platform/db/rows.ts";
import { jsonArraySql } from "../../platform/db/sql-text.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { KeyedRowTable } from "../kinds/live-states.ts";
import type { PayloadFields } from "../visibility/view.ts";
import type { StateHandler } from "./handler.ts";
import {
  deleteMissingRowsSql,
  removeKeyedRowsSql,
  writeKeyedRowsSql,
  writeStagedRowsSql,
} from "./keyed-state.sql.ts";
import { splitStateEvents } from "./rounds.ts";
import {
  computeReach,
  nonStateFields,
  findStateEffect,
  hideStateEvent,
  pickStateFields,
  type StateEventReach,
  type StateEvent,
} from "./state-event.ts";

/** A snapshot that changes fewer rows leaves the planner's statistics valid, so the table is not analyzed. */
const analyzeMinRows = 50;

/** Creates the handler of a state with one row per object. @param name of the state and of its snapshot family */
export const createKeyedStateHandler = (name: string, kept: KeyedRowTable): StateHandler => ({
  apply: (events, connection) => applyEvents(kept, events, connection),
  clear: [`delete from ${kept.table}`],
  snapshot: {
    keyOf: (payload) => String(payload[kept.key]),
    swap: (source, connection) => swapRows(kept, [source, name], connection),
  },
});

/** Applies events. @returns the streams (`reach`) of removals, and of upserts that changed nothing */
async function applyEvents(
  kept: KeyedRowTable,
  events: readonly StateEvent[],
  connection: SqlClient,
): Promise<StateEventReach[]> {
  const reached: StateEventReach[] = [];
  const rules = {
    keyOf: ({ payload }: StateEvent) => payload[kept.key],
    operationOf: (event: StateEvent) => findStateEffect(event)?.as,
    // One statement cannot write a row twice, and a removal must return the row as the previous event left it.
    mayRepeat: false,
  };
  for (const { operation, events: round } of splitStateEvents(events, rules)) {
    if (operation === "remove") reached.push(...(await removeRows(kept, round, connection)));
    else if (operation === "merge") await writeRows(kept, round, "merge", connection);
    else reached.push(...(await replaceRows(kept, round, connection)));
  }
  return reached;
}

async function replaceRows(
  kept: KeyedRowTable,
  events: readonly StateEvent[],
  connection: SqlClient,
): Promise<StateEventReach[]> {
  const changed = await writeRows(kept, events, "replace", connection);
  return events.filter(({ payload }) => !changed.has(payload[kept.key])).map(hideStateEvent);
}

/** @returns the keys of the changed rows */
async function writeRows(
  kept: KeyedRowTable,
  events: readonly StateEvent[],
  how: "replace" | "merge",
  connection: SqlClient,
): Promise<ReadonlySet<unknown>> {
  const changed = await rows<{ key: unknown }>(connection, writeKeyedRowsSql(kept, how), [
    events.map(({ payload }) => payload[kept.key]),
    jsonArraySql(events.map(({ payload }) => JSON.stringify(pickStateFields(payload)))),
    events.map(({ payload, frame }) => payload["t"] ?? frame.t),
  ]);
  return new Set(changed.map((row) => row.key));
}

async function removeRows(
  kept: KeyedRowTable,
  events: readonly StateEvent[],
  connection: SqlClient,
): Promise<StateEventReach[]> {
  const keys = events.map(({ payload }) => payload[kept.key]);
  const removed = await rows<{ key: unknown; state: PayloadFields }>(
    connection,
    removeKeyedRowsSql(kept),
    [keys],
  );
  const states = new Map(removed.map((row) => [row.key, row.state]));
  return events.flatMap((event) => {
    const state = states.get(event.payload[kept.key]);
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
  kept: KeyedRowTable,
  staged: readonly [source: string, family: string],
  connection: SqlClient,
): Promise<void> {
  const gone = await executeStatement(connection, deleteMissingRowsSql(kept), staged);
  const written = await executeStatement(connection, writeStagedRowsSql(kept), [
    ...staged,
    nonStateFields,
  ]);
  if (gone + written >= analyzeMinRows) await analyzeTables([kept.table], connection);
}

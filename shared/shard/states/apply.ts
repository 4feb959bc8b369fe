import { executeStatement } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { findShardKind } from "../kinds/kinds.ts";
import type { StateName } from "../kinds/live-states.ts";
import { stateHandlers } from "./handlers.ts";
import { markSnapshotObjectsChangedSql } from "./snapshots.sql.ts";
import { applySnapshotEvents, isSnapshotEvent, snapshotHandlerOf } from "./snapshots.ts";
import type { StateEventReach, StateEvent } from "./state-event.ts";

/**
 * Applies new events to the live states.
 * @returns the streams (`reach`) of the events whose audience depends on the state before the event
 */
export async function applyStateEvents(
  source: string,
  events: readonly StateEvent[],
  connection: SqlClient,
): Promise<StateEventReach[]> {
  const reached: StateEventReach[] = [];
  for (const { state, isSnapshot, events: run } of splitByState(events)) {
    if (isSnapshot) {
      await applySnapshotEvents(source, run, connection);
      continue;
    }
    reached.push(...(await stateHandlers[state].apply(run, connection, source)));
    const snapshot = snapshotHandlerOf(state);
    if (!snapshot) continue;
    const keys = run.map(({ payload }) => snapshot.keyOf(payload));
    await executeStatement(connection, markSnapshotObjectsChangedSql, [source, state, keys]);
  }
  return reached;
}

/** Successive events of one live state: either parts of snapshots or other events. */
interface StateRun {
  readonly state: StateName;
  readonly isSnapshot: boolean;
  readonly events: StateEvent[];
}

/**
 * Groups events by the live state that they change, or that decides whether they are public. The snapshot parts
 * and the other events of one state keep their order; events of different states are independent.
 */
function splitByState(events: readonly StateEvent[]): StateRun[] {
  const runs: StateRun[] = [];
  const lastRuns = new Map<StateName, StateRun>();
  for (const event of events) {
    const { feeds, restsOn } = findShardKind(event.frame.kind) ?? {};
    const isSnapshot = isSnapshotEvent(event);
    for (const state of new Set([feeds?.state, restsOn])) {
      if (!state) continue;
      const last = lastRuns.get(state);
      if (last?.isSnapshot === isSnapshot) {
        last.events.push(event);
        continue;
      }
      const run = { state, isSnapshot, events: [event] };
      runs.push(run);
      lastRuns.set(state, run);
    }
  }
  return runs;
}

import type { SqlClient } from "../../platform/db/sql.ts";
import { findKind } from "../kinds/kinds.ts";
import type { StateName } from "../kinds/live-states.ts";
import { stateHandlers } from "./handlers.ts";
import {
  applySnapshotParts,
  isSnapshotPart,
  markTouchedObjects,
  snapshotHandlerOf,
} from "./snapshots.ts";
import type { StateReach, StateEvent } from "./state-event.ts";

/** Applies new events to the live states. @returns the reach of events for which the state before them decides */
export async function applyStates(
  source: string,
  events: readonly StateEvent[],
  connection: SqlClient,
): Promise<StateReach[]> {
  const reached: StateReach[] = [];
  for (const [state, group] of groupByState(events)) {
    // Snapshot events and other events of one state are applied in the order of arrival.
    for (const run of splitAtSnapshots(group)) {
      if (run.every(isSnapshotPart)) {
        await applySnapshotParts(source, run, connection);
        continue;
      }
      reached.push(...(await stateHandlers[state].apply(run, connection, source)));
      const snapshot = snapshotHandlerOf(state);
      const keys = snapshot && run.map(({ payload }) => snapshot.keyOf(payload));
      if (keys) await markTouchedObjects(source, state, keys, connection);
    }
  }
  return reached;
}

/** Groups events by the live state that they change, or that decides whether they are public. */
function groupByState(events: readonly StateEvent[]): ReadonlyMap<StateName, StateEvent[]> {
  const groups = new Map<StateName, StateEvent[]>();
  for (const event of events) {
    const kind = findKind(event.frame.kind);
    for (const state of new Set([kind?.feeds?.state, kind?.restsOn])) {
      if (!state) continue;
      const group = groups.get(state) ?? [];
      groups.set(state, group);
      group.push(event);
    }
  }
  return groups;
}

function splitAtSnapshots(events: readonly StateEvent[]): StateEvent[][] {
  const runs: StateEvent[][] = [];
  for (const event of events) {
    const last = runs.at(-1)?.at(-1);
    if (last && isSnapshotPart(last) === isSnapshotPart(event)) runs.at(-1)?.push(event);
    else runs.push([event]);
  }
  return runs;
}

import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import { executeStatement, firstRow } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { findLiveStates } from "../kinds/live-states.ts";

/** The states that lost events make stale, and that a snapshot repairs. */
export const statesFromSnapshots = findLiveStates(
  (state) => state.doubtfulAfterGap && state.replacedBySnapshot,
);

/**
 * After a loss of events, marks the states that the lost events may have changed as stale. Discards a snapshot
 * in progress, because the snapshot began before the loss.
 */
export async function markStatesStale(source: string, connection: SqlClient): Promise<void> {
  await executeStatement(connection, "update ingest_sources set stale = $2 where source = $1", [
    source,
    statesFromSnapshots,
  ]);
  await executeStatement(connection, "delete from snapshots where source = $1", [source]);
}

export async function readStaleStates(
  source: string,
  connection: SqlClient,
): Promise<readonly string[]> {
  const found = await firstRow<Pick<IngestSource, "stale">>(
    connection,
    "select stale from ingest_sources where source = $1",
    [source],
  );
  return found?.stale ?? [];
}

import { countChanged } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { storeBootSql } from "../../platform/ingest/sources.sql.ts";
import type { ProcessChange } from "../../platform/ingest/store-part.ts";
import { findLiveStates } from "../kinds/live-states.ts";
import { stateHandlers } from "./handlers.ts";
import { snapshotStates } from "./stale.ts";

/**
 * Stores the id of the new game process and empties the states that end with the old one. If the process
 * changed, snapshots of the old process are stale, even those that are sent again after the hello.
 */
export async function switchGameProcess(
  { source, bootId, isOther }: ProcessChange,
  connection: SqlClient,
): Promise<void> {
  if (isOther) await countChanged(connection, switchBootSql, [source, bootId, snapshotStates]);
  else await countChanged(connection, storeBootAndClearSql, [source, bootId]);
}

// Combine all changes in one statement, so that they are atomic even if plain events are stored without a
// transaction.
const cleared = clearStatements().map((statement, at) => `cleared_${at} as (${statement})`);
const storeBootAndClearSql = `with ${cleared.join(", ")} ${storeBootSql}`;
const switchBootSql = `
  with ${cleared.join(", ")}, forgotten as (delete from snapshots where source = $1)
  update ingest_sources set boot_id = $2, stale = $3 where source = $1`;

function clearStatements(): string[] {
  return findLiveStates(({ diesWithBoot }) => diesWithBoot).flatMap((name) => {
    const { clear } = stateHandlers[name];
    if (!clear) {
      throw new Error(
        `the state ${name} ends with the game process, but has no statement that clears it`,
      );
    }
    return clear;
  });
}

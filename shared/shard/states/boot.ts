import { type StreamFrame, bootOf, isGone } from "../../platform/bridge/frames.ts";
import { countChanged } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { statesWhere } from "../kinds/live-states.ts";
import { handlers } from "./handlers.ts";
import { mendable } from "./stale.ts";

/**
 * Stores the game process that the first frame names. If the process changed, snapshots of the old process
 * are doubtful, even those replayed after the hello. If it changed or ended, the states that end with the
 * process are emptied.
 * @param known the game process before these frames
 */
export async function followBoot(
  source: string,
  first: StreamFrame | undefined,
  known: string | null,
  connection: Sql,
): Promise<void> {
  if (!first) return;
  const bootId = bootOf(first) ?? known;
  const isOther = known !== null && bootId !== known;
  if (isOther) await countChanged(connection, noteOther, [source, bootId, mendable]);
  else if (isGone(first)) await countChanged(connection, noteAndClear, [source, bootId]);
  else if (bootId !== known) await countChanged(connection, note, [source, bootId]);
}

const note = "update ingest_sources set boot_id = $2 where source = $1";

// Each is one statement, so that a batch of plain events clears the states of an ended process at once.
const cleared = clearStatements().map((statement, at) => `cleared_${at} as (${statement})`);
const noteAndClear = `with ${cleared.join(", ")} ${note}`;
const noteOther = `
  with ${cleared.join(", ")}, forgotten as (delete from snapshots where source = $1)
  update ingest_sources set boot_id = $2, stale = $3 where source = $1`;

function clearStatements(): string[] {
  return statesWhere(({ diesWithBoot }) => diesWithBoot).flatMap((name) => {
    const { clear } = handlers[name];
    if (!clear) throw new Error(`the state ${name} dies with the boot, and nothing clears it`);
    return clear;
  });
}

import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { StreamFrame } from "../../platform/bridge/frames.ts";
import { countChanged, firstRow } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { statesWhere } from "../kinds/live-states.ts";

/** States that a gap makes stale and a snapshot repairs. */
export const mendable = statesWhere((state) => state.doubtfulAfterGap && state.replacedBySnapshot);

/**
 * Marks states as stale if frames show a possible loss of events: a gap, a recreated buffer or a returning
 * plugin. A snapshot in progress began before the loss, so it is discarded. `followBoot` does the same for
 * a new game process.
 */
export async function markStale(
  source: string,
  frames: readonly StreamFrame[],
  connection: Sql,
): Promise<void> {
  if (!(await areDoubtful(source, frames, connection))) return;
  await countChanged(connection, "update ingest_sources set stale = $2 where source = $1", [
    source,
    mendable,
  ]);
  await countChanged(connection, "delete from snapshots where source = $1", [source]);
}

export async function readStale(source: string, connection: Sql): Promise<readonly string[]> {
  const found = await firstRow<Pick<IngestSource, "stale">>(
    connection,
    "select stale from ingest_sources where source = $1",
    [source],
  );
  return found?.stale ?? [];
}

async function areDoubtful(
  source: string,
  frames: readonly StreamFrame[],
  connection: Sql,
): Promise<boolean> {
  if (frames.some((frame) => frame.type === "gap")) return true;
  if (frames.some((frame) => frame.type === "plugin" && frame.connected)) return true;
  const hello = frames.find((frame) => frame.type === "hello");
  if (!hello) return false;
  const known = await firstRow<Pick<IngestSource, "epoch">>(
    connection,
    "select epoch from ingest_sources where source = $1",
    [source],
  );
  return hello.epoch !== known?.epoch;
}

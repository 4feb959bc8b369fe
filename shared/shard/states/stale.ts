import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { StreamFrame } from "../../platform/bridge/frames.ts";
import { countChanged, firstRow } from "../../platform/db/rows.ts";
import type { Sql } from "../../platform/db/sql.ts";
import { statesWhere } from "../kinds/live-states.ts";

/** What a gap makes doubtful and a snapshot can mend. */
export const mendable = statesWhere((state) => state.doubtfulAfterGap && state.replacedBySnapshot);

/**
 * Marks states as stale where frames say that events were lost, or may have been: a gap, a
 * recreated buffer, a plugin that comes back. A snapshot that is under way began before, so it says
 * nothing of what was lost and is discarded. `followBoot` does the same for another game process.
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

/** The states that wait for a whole snapshot. */
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

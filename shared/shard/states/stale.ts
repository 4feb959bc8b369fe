import type { StreamFrame } from "../../bridge/frames.ts";
import type { Sql } from "../../db/sql.ts";
import { snapshotFamilies } from "./snapshots.ts";

/**
 * Marks every family of states as stale where frames say that events were lost, or may have been:
 * a gap, a recreated buffer, a game process that is another than the one we knew. A snapshot that
 * is under way began before, so it says nothing of what was lost and is discarded.
 */
export async function markStale(
  source: string,
  frames: readonly StreamFrame[],
  sql: Sql,
): Promise<void> {
  if (!(await areDoubtful(source, frames, sql))) return;
  await sql.query("update ingest_sources set stale = $2 where source = $1", [
    source,
    snapshotFamilies,
  ]);
  await sql.query("delete from snapshots where source = $1", [source]);
}

/** The families that wait for a whole snapshot. */
export async function readStale(source: string, sql: Sql): Promise<readonly string[]> {
  const { rows } = await sql.query<{ stale: string[] }>(
    "select stale from ingest_sources where source = $1",
    [source],
  );
  return rows[0]?.stale ?? [];
}

async function areDoubtful(
  source: string,
  frames: readonly StreamFrame[],
  sql: Sql,
): Promise<boolean> {
  if (frames.some((frame) => frame.type === "gap")) return true;
  if (frames.some((frame) => frame.type === "plugin" && frame.connected)) return true;
  const hello = frames.find((frame) => frame.type === "hello");
  if (!hello) return false;
  const { rows } = await sql.query<{ epoch: string | null; bootId: string | null }>(
    'select epoch, boot_id as "bootId" from ingest_sources where source = $1',
    [source],
  );
  const { epoch, bootId } = rows[0] ?? {};
  return hello.epoch !== epoch || (hello.bootId !== null && hello.bootId !== bootId);
}

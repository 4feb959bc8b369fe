import { countChanged, firstRow } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { isSnapshotFamily, type StateName } from "../kinds/live-states.ts";
import type { PayloadFields } from "../visibility/view.ts";
import type { SnapshotHandler } from "./handler.ts";
import { stateHandlers } from "./handlers.ts";
import { findStateEffect, type StateEvent } from "./state-event.ts";

export const isSnapshotPart = (event: Pick<StateEvent, "frame">): boolean =>
  ["begin", "page", "end"].includes(findStateEffect(event)?.as ?? "");

export const snapshotHandlerOf = (state: StateName): SnapshotHandler | undefined =>
  isSnapshotFamily(state) ? stateHandlers[state].snapshot : undefined;

/**
 * Stages the events of snapshots. The end event of a complete snapshot replaces the state in the same
 * transaction. A new begin event discards an incomplete snapshot. Pages without a begin event are ignored.
 */
export async function applySnapshotParts(
  source: string,
  parts: readonly StateEvent[],
  connection: SqlClient,
): Promise<void> {
  for (const event of parts) {
    const { frame, payload } = event;
    const feed = findStateEffect(event);
    if (!feed) continue;
    const staged = { source, family: feed.state };
    if (feed.as === "begin") await begin(staged, { ...payload, epoch: frame.epoch }, connection);
    if (feed.as === "page") await addPage(staged, payload, connection);
    if (feed.as === "end") await end(staged, payload, connection);
  }
}

interface StagedSnapshot {
  readonly source: string;
  readonly family: StateName;
}

async function begin(
  staged: StagedSnapshot,
  payload: PayloadFields,
  connection: SqlClient,
): Promise<void> {
  const { source, family } = staged;
  await discard(staged, connection);
  await countChanged(
    connection,
    `insert into snapshots (source, family, snapshot_id, epoch, pages, count)
     values ($1, $2, $3, $4, $5, $6)`,
    [source, family, payload["snapshotId"], payload["epoch"], payload["pages"], payload["count"]],
  );
}

async function addPage(
  { source, family }: StagedSnapshot,
  payload: PayloadFields,
  connection: SqlClient,
): Promise<void> {
  await countChanged(
    connection,
    `insert into snapshot_pages (source, family, page, rows)
     select $1, $2, $4, $5 from snapshots
     where source = $1 and family = $2 and snapshot_id = $3 and $4 <= pages
     on conflict do nothing`,
    [source, family, payload["snapshotId"], payload["page"], JSON.stringify(payload["rows"])],
  );
}

/** Applies the snapshot if all its pages and rows arrived. An incomplete snapshot changes nothing. */
async function end(
  staged: StagedSnapshot,
  payload: PayloadFields,
  connection: SqlClient,
): Promise<void> {
  const { source, family } = staged;
  const found = await firstRow<{ whole: boolean }>(
    connection,
    `select pages = (select count(*) from snapshot_pages p where p.source = s.source and p.family = s.family)
        and count = (select coalesce(sum(jsonb_array_length(rows)), 0)
                     from snapshot_pages p where p.source = s.source and p.family = s.family) as whole
     from snapshots s where source = $1 and family = $2 and snapshot_id = $3`,
    [source, family, payload["snapshotId"]],
  );
  if (!found) return;
  if (found.whole) await swap(staged, connection);
  await discard(staged, connection);
}

async function swap({ source, family }: StagedSnapshot, connection: SqlClient): Promise<void> {
  await snapshotHandlerOf(family)?.swap(source, connection);
  await countChanged(
    connection,
    "update ingest_sources set stale = array_remove(stale, $2) where source = $1",
    [source, family],
  );
}

async function discard({ source, family }: StagedSnapshot, connection: SqlClient): Promise<void> {
  await countChanged(connection, "delete from snapshots where source = $1 and family = $2", [
    source,
    family,
  ]);
}

/** Marks objects that live events changed, so that a snapshot in progress does not overwrite them. */
export async function markTouchedObjects(
  source: string,
  family: StateName,
  keys: readonly string[],
  connection: SqlClient,
): Promise<void> {
  await countChanged(connection, touch, [source, family, keys]);
}

const touch = {
  name: "touch snapshots",
  text: `
  insert into snapshot_touched (source, family, key)
  select source, family, key from snapshots, unnest($3::text[]) as touched (key)
  where source = $1 and family = $2
  on conflict do nothing`,
};

import { executeStatement, firstRow } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { isSnapshotFamily, type StateName } from "../kinds/live-states.ts";
import type { PayloadFields } from "../visibility/view.ts";
import type { SnapshotHandler } from "./handler.ts";
import { stateHandlers } from "./handlers.ts";
import {
  deleteSnapshotSql,
  insertSnapshotSql,
  insertSnapshotPageSql,
  markSnapshotFreshSql,
  isSnapshotCompleteSql,
} from "./snapshots.sql.ts";
import { findStateEffect, type StateEvent } from "./state-event.ts";

export const isSnapshotEvent = (event: Pick<StateEvent, "frame">): boolean =>
  ["begin", "page", "end"].includes(findStateEffect(event)?.as ?? "");

export const snapshotHandlerOf = (state: StateName): SnapshotHandler | undefined =>
  isSnapshotFamily(state) ? stateHandlers[state].snapshot : undefined;

/**
 * Stages the events of snapshots. The end event of a complete snapshot replaces the state in the same
 * transaction. A new begin event discards an incomplete snapshot. Pages without a begin event are ignored.
 */
export async function applySnapshotEvents(
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
  await executeStatement(connection, insertSnapshotSql, [
    source,
    family,
    payload["snapshotId"],
    payload["epoch"],
    payload["pages"],
    payload["count"],
  ]);
}

async function addPage(
  { source, family }: StagedSnapshot,
  payload: PayloadFields,
  connection: SqlClient,
): Promise<void> {
  await executeStatement(connection, insertSnapshotPageSql, [
    source,
    family,
    payload["snapshotId"],
    payload["page"],
    JSON.stringify(payload["rows"]),
  ]);
}

/** Applies the snapshot if all its pages and rows arrived. An incomplete snapshot changes nothing. */
async function end(
  staged: StagedSnapshot,
  payload: PayloadFields,
  connection: SqlClient,
): Promise<void> {
  const { source, family } = staged;
  const found = await firstRow<{ whole: boolean }>(connection, isSnapshotCompleteSql, [
    source,
    family,
    payload["snapshotId"],
  ]);
  if (!found) return;
  if (found.whole) await swap(staged, connection);
  await discard(staged, connection);
}

async function swap({ source, family }: StagedSnapshot, connection: SqlClient): Promise<void> {
  await snapshotHandlerOf(family)?.swap(source, connection);
  await executeStatement(connection, markSnapshotFreshSql, [source, family]);
}

async function discard({ source, family }: StagedSnapshot, connection: SqlClient): Promise<void> {
  await executeStatement(connection, deleteSnapshotSql, [source, family]);
}

import type { PluginBatch } from "../../../models/plugin/plugin-batch.ts";
import type { StreamFrame } from "../bridge/frames.ts";
import { executeStatement, type Database, firstRow, rows } from "../db/rows.ts";
import {
  countPluginsSql,
  deleteCallsSql,
  selectInboxCallsSql,
  selectNewestInboxIdSql,
  selectPluginStateSql,
  selectUnreadCallsSql,
} from "./inbox.sql.ts";

export type InboxCall = Pick<PluginBatch, "id" | "kind" | "bootId" | "epoch" | "bytes" | "content">;

/** Number of rows per read. Each row has at most 1 MiB. */
const batchesAtOnce = 16;

/** Reads calls after a row, oldest first. @param after id of the row; 0 for all calls */
export const readInboxCalls = (
  source: string,
  after: number,
  database: Database,
): Promise<InboxCall[]> =>
  rows<InboxCall>(database, selectInboxCallsSql, [source, after, batchesAtOnce]);

/** Returns the id of the newest row of a source; 0 if there is none. */
export async function readNewestInboxId(source: string, database: Database): Promise<number> {
  const newest = await firstRow<Pick<InboxCall, "id">>(database, selectNewestInboxIdSql, [source]);
  return newest?.id ?? 0;
}

const isInboxFrame = (frame: StreamFrame) => frame.type === "inbox";

/** Returns the id of the inbox row whose last frame is among these; null if there is none. */
export const findLastInboxId = (frames: readonly StreamFrame[]): number | null =>
  frames.findLast(isInboxFrame)?.id ?? null;

/** Deletes the rows whose frames are all stored, in the transaction that stores the frames. */
export async function deleteStoredCalls(
  source: string,
  frames: readonly StreamFrame[],
  connection: Database,
): Promise<void> {
  const first = frames.find(isInboxFrame)?.id;
  if (first === undefined) return;
  const values = [source, first, findLastInboxId(frames)];
  await executeStatement(connection, deleteCallsSql, values);
}

/** The state of a plugin, computed with the database's clock. */
export interface PluginState {
  readonly hasKey: boolean;
  readonly bootId: string | null;
  readonly isAlive: boolean;
  readonly heardAt: Date | null;
  readonly refusal: string | null;
}

export async function readPluginState(source: string, database: Database): Promise<PluginState> {
  const state = await firstRow<PluginState>(database, selectPluginStateSql, [source]);
  return state ?? { hasKey: false, bootId: null, isAlive: false, heardAt: null, refusal: null };
}

/** Returns true if calls of a plugin wait to be stored, even if the link is now of another kind. */
export async function hasUnreadCalls(source: string, database: Database): Promise<boolean> {
  const unread = await firstRow(database, selectUnreadCallsSql, [source]);
  return unread !== undefined;
}

export interface PluginCounts {
  readonly waitingEvents: number;
  /**
   * Number of commands that the plugin has not taken. `taken`: number of commands that wait for their outcome.
   */
  readonly waiting: number;
  readonly taken: number;
  readonly connected: number;
}

export async function readPluginCounts(database: Database): Promise<PluginCounts> {
  const counts = await firstRow<PluginCounts>(database, countPluginsSql);
  if (!counts) throw new Error("a select of one row returned no row");
  return counts;
}

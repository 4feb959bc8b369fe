import type { PluginBatch } from "../../../models/plugin/plugin-batch.ts";
import type { StreamFrame } from "../bridge/frames.ts";
import { countChanged, type Database, firstRow, rows } from "../db/rows.ts";
import {
  countPlugins,
  deleteUpTo,
  selectBatches,
  selectNewest,
  selectState,
  selectUnread,
} from "./inbox.sql.ts";

/** A call of a plugin that ingest reads. */
export type Batch = Pick<PluginBatch, "id" | "kind" | "bootId" | "epoch" | "bytes" | "content">;

/** Rows of one reading: each holds at most 1 MiB. */
const batchesAtOnce = 16;

/** Calls after a row, the oldest first. @param after 0 for all */
export const readBatches = (source: string, after: number, database: Database): Promise<Batch[]> =>
  rows<Batch>(database, selectBatches, [source, after, batchesAtOnce]);

/** The newest row of a source; 0 while nothing waits. */
export async function readNewest(source: string, database: Database): Promise<number> {
  const newest = await firstRow<Pick<Batch, "id">>(database, selectNewest, [source]);
  return newest?.id ?? 0;
}

/** The row of the inbox that these frames end, if they end one. */
export const readUpTo = (frames: readonly StreamFrame[]): number | null =>
  frames.findLast((frame) => frame.type === "inbox")?.id ?? null;

/** Deletes what was read, in the transaction that stores it. */
export async function deleteRead(
  source: string,
  frames: readonly StreamFrame[],
  connection: Database,
): Promise<void> {
  const id = readUpTo(frames);
  if (id !== null) await countChanged(connection, deleteUpTo, [source, id]);
}

/** How a plugin stands, by the database's clock. */
export interface PluginState {
  readonly hasKey: boolean;
  readonly bootId: string | null;
  readonly isAlive: boolean;
  readonly heardAt: Date | null;
  readonly refusal: string | null;
}

export async function readPluginState(source: string, database: Database): Promise<PluginState> {
  const state = await firstRow<PluginState>(database, selectState, [source]);
  return state ?? { hasKey: false, bootId: null, isAlive: false, heardAt: null, refusal: null };
}

/** Whether calls of a plugin still wait to be stored, whatever the kind of the link is now. */
export async function hasUnread(source: string, database: Database): Promise<boolean> {
  const unread = await firstRow(database, selectUnread, [source]);
  return unread !== undefined;
}

/** What is measured of all plugins together. */
export interface PluginCounts {
  /** Events that wait for ingest. */
  readonly waitingEvents: number;
  /** Commands that wait to be taken, and those that wait for their outcome. */
  readonly waiting: number;
  readonly taken: number;
  /** Game servers whose plugin is connected. */
  readonly connected: number;
}

export async function readPluginCounts(database: Database): Promise<PluginCounts> {
  const counts = await firstRow<PluginCounts>(database, countPlugins);
  if (!counts) throw new Error("a select of one row answered none");
  return counts;
}

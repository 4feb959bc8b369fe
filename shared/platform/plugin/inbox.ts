import type { PluginBatch } from "../../../models/plugin/plugin-batch.ts";
import type { StreamFrame } from "../bridge/frames.ts";
import { countChanged, type Database, firstRow, rows } from "../db/rows.ts";
import { hasLiveKey } from "./calls.ts";

/** A call of a plugin that ingest reads. */
export type Batch = Pick<PluginBatch, "id" | "kind" | "bootId" | "epoch" | "bytes" | "content">;

/** Rows of one reading: each holds at most 1 MiB. */
const batchesAtOnce = 16;

/** Calls after a row, the oldest first. @param after 0 for all */
export const readBatches = (source: string, after: number, database: Database): Promise<Batch[]> =>
  rows<Batch>(database, reading, [source, after, batchesAtOnce]);

const reading = {
  name: "plugin_inbox_read",
  text: `
  select id, kind, boot_id as "bootId", epoch, bytes, content from plugin_inbox
  where source = $1 and id > $2 order by id limit $3`,
};

/** The newest row of a source; 0 while nothing waits. */
export async function readNewest(source: string, database: Database): Promise<number> {
  const text = "select coalesce(max(id), 0) as id from plugin_inbox where source = $1";
  const newest = await firstRow<Pick<Batch, "id">>(database, text, [source]);
  return newest?.id ?? 0;
}

/** The row of the inbox that these frames end, if they end one. */
export const readUpTo = (frames: readonly StreamFrame[]): number | null =>
  frames.findLast((frame) => frame.type === "inbox")?.id ?? null;

/**
 * Deletes what was read, in the transaction that stores it. The newest hello stays: the next owner of the
 * source begins with it.
 */
export async function deleteRead(
  source: string,
  frames: readonly StreamFrame[],
  connection: Database,
): Promise<void> {
  const id = readUpTo(frames);
  if (id !== null) await countChanged(connection, deleting, [source, id]);
}

const deleting = {
  name: "plugin_inbox_delete",
  text: `
  delete from plugin_inbox where source = $1 and id <= $2
    and id is distinct from (
      select max(id) from plugin_inbox where source = $1 and id <= $2 and kind = 'hello')`,
};

/** How a plugin stands, by the database's clock. */
export interface PluginState {
  readonly hasKey: boolean;
  readonly bootId: string | null;
  readonly isAlive: boolean;
  readonly heardAt: Date | null;
  readonly refusal: string | null;
}

export async function readPluginState(source: string, database: Database): Promise<PluginState> {
  const state = await firstRow<PluginState>(database, stating, [source]);
  return state ?? { hasKey: false, bootId: null, isAlive: false, heardAt: null, refusal: null };
}

const stating = {
  name: "plugin_state",
  text: `
  select ${hasLiveKey("given.source")} as "hasKey", session.boot_id as "bootId",
    coalesce(session.alive_until > clock_timestamp(), false) as "isAlive",
    session.heard_at as "heardAt", session.refusal
  from (select $1::text collate "C" as source) given left join plugin_sessions session using (source)`,
};

/** Whether calls of a plugin still wait to be stored, whatever the kind of the link is now. */
export async function hasUnread(source: string, database: Database): Promise<boolean> {
  const unread = await firstRow(
    database,
    "select 1 as unread from plugin_inbox where source = $1 and kind = 'events' limit 1",
    [source],
  );
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
  const counts = await firstRow<PluginCounts>(
    database,
    `select
       (select coalesce(sum(events), 0)::integer from plugin_inbox) as "waitingEvents",
       (select count(*)::integer from plugin_commands where state = 'waiting') as waiting,
       (select count(*)::integer from plugin_commands where state = 'taken') as taken,
       (select count(*)::integer from plugin_sessions where alive_until > clock_timestamp())
         as connected`,
  );
  if (!counts) throw new Error("a select of one row answered none");
  return counts;
}

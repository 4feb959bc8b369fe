import type { Sql } from "../../db/sql.ts";
import { findKind } from "../kinds.ts";
import type { Fields } from "../view.ts";
import type { FedEvent } from "./fed-event.ts";
import { swapKeyedState } from "./keyed-state.ts";
import { keyedStates } from "./keyed-states.ts";
import { swapMarketSnapshot } from "./market.ts";

export type SnapshotFamily = keyof typeof keyedStates | "market";

/** The families that the sidecar sends whole when it is asked. */
export const snapshotFamilies: readonly string[] = ["market", ...Object.keys(keyedStates)];

export const isSnapshotFamily = (state: string): state is SnapshotFamily =>
  snapshotFamilies.includes(state);

export const isSnapshotPart = ({ frame }: Pick<FedEvent, "frame">): boolean =>
  ["begin", "page", "end"].includes(findKind(frame.kind)?.feeds?.as ?? "");

/**
 * Stages snapshots and swaps each in when it is whole, in the transaction of its end.
 * A new begin discards a torn one; parts of a snapshot that never began are passed over.
 */
export async function applySnapshotParts(
  source: string,
  parts: readonly FedEvent[],
  sql: Sql,
): Promise<void> {
  for (const { frame, payload } of parts) {
    const feeds = findKind(frame.kind)?.feeds;
    const family = feeds?.state as SnapshotFamily;
    if (feeds?.as === "begin") await begin(source, family, { ...payload, epoch: frame.epoch }, sql);
    if (feeds?.as === "page") await addPage(source, family, payload, sql);
    if (feeds?.as === "end") await end(source, family, payload, sql);
  }
}

async function begin(source: string, family: string, payload: Fields, sql: Sql): Promise<void> {
  await discard(source, family, sql);
  await sql.query(
    `insert into snapshots (source, family, snapshot_id, epoch, pages, count)
     values ($1, $2, $3, $4, $5, $6)`,
    [source, family, payload["snapshotId"], payload["epoch"], payload["pages"], payload["count"]],
  );
}

async function addPage(source: string, family: string, payload: Fields, sql: Sql): Promise<void> {
  await sql.query(
    `insert into snapshot_pages (source, family, page, rows)
     select $1, $2, $4, $5 from snapshots
     where source = $1 and family = $2 and snapshot_id = $3 and $4 <= pages
     on conflict do nothing`,
    [source, family, payload["snapshotId"], payload["page"], JSON.stringify(payload["rows"])],
  );
}

/** Swaps a snapshot in when all its pages and rows came; a torn one changes nothing. */
async function end(
  source: string,
  family: SnapshotFamily,
  payload: Fields,
  sql: Sql,
): Promise<void> {
  const { rows } = await sql.query<{ whole: boolean }>(
    `select pages = (select count(*) from snapshot_pages p where p.source = s.source and p.family = s.family)
        and count = (select coalesce(sum(jsonb_array_length(rows)), 0)
                     from snapshot_pages p where p.source = s.source and p.family = s.family) as whole
     from snapshots s where source = $1 and family = $2 and snapshot_id = $3`,
    [source, family, payload["snapshotId"]],
  );
  if (!rows[0]) return;
  if (rows[0].whole) await swap(source, family, sql);
  await discard(source, family, sql);
}

async function swap(source: string, family: SnapshotFamily, sql: Sql): Promise<void> {
  if (family === "market") await swapMarketSnapshot(source, sql);
  else await swapKeyedState(keyedStates[family], source, family, sql);
  await sql.query("update ingest_sources set stale = array_remove(stale, $2) where source = $1", [
    source,
    family,
  ]);
}

/** Forgets what was staged of a family. */
async function discard(source: string, family: string, sql: Sql): Promise<void> {
  await sql.query("delete from snapshots where source = $1 and family = $2", [source, family]);
}

/** Notes that live events moved these things: a snapshot under way must not take them back. */
export async function markTouched(
  source: string,
  family: SnapshotFamily,
  events: readonly FedEvent[],
  sql: Sql,
): Promise<void> {
  const keys = events.map(({ payload }) => keyOf(family, payload));
  await sql.query(
    `insert into snapshot_touched (source, family, key)
     select source, family, key from snapshots, unnest($3::text[]) as touched (key)
     where source = $1 and family = $2
     on conflict do nothing`,
    [source, family, keys],
  );
}

function keyOf(family: SnapshotFamily, payload: Fields): string {
  if (family !== "market") return String(payload[keyedStates[family].key]);
  const vendor = payload["vendor"] as Fields | undefined;
  return String(vendor?.["serial"] ?? payload["serial"]);
}

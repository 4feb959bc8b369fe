import type { ActiveShardFaults, PagedSourceName } from "../faults/shard-standing.ts";
import type { PagedSource } from "../sources/source.ts";
import { queryInteger } from "./input.ts";
import { refuseField } from "./refusal.ts";

const pageRange = { least: 1, most: 5_000, byDefault: 500 };

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
  /** The fingerprint of the source at the time of this page. */
  readonly fingerprint: string;
  /** True if a fault makes the page contain an invalid row. */
  readonly spoiled: boolean;
}

/** Returns a page of a source, changed by the active faults. */
export function readPage<Row>(
  source: PagedSource<Row>,
  query: URLSearchParams,
  standing: ActiveShardFaults,
  name: PagedSourceName,
): Page<Row> {
  const walk = standing.walks[name];
  const limit = queryInteger(query, "limit", pageRange);
  const cursor = query.get("cursor");
  const from = cursor === null ? 0 : offsetOf(cursor);
  const fingerprint = source.fingerprint();
  const rows = walk.stuck === "empty" ? [] : source.rows.slice(from, from + limit);
  const to = walk.stuck === "repeat" ? Math.max(1, from) : from + limit;
  const ends = walk.stuck === undefined && to >= source.rows.length;
  const spoiled = (walk.badPages ?? 0) > 0;
  if (spoiled) walk.badPages = (walk.badPages as number) - 1;
  passOne(source, walk);
  return { rows, next: ends ? null : cursorOf(to), fingerprint, spoiled };
}

/** Returns the fields of the manifest that describe the state of a source. */
export function manifestState(
  source: PagedSource<unknown>,
  standing: ActiveShardFaults,
  name: PagedSourceName,
): { fingerprint: string | null; hashing: boolean; complete: boolean; miscount: number } {
  const walk = standing.walks[name];
  const hashing = walk.hashingAfter !== undefined && walk.hashingAfter-- <= 0;
  return {
    fingerprint: hashing ? null : source.fingerprint(),
    hashing,
    complete: walk.incomplete !== true,
    miscount: walk.miscount ?? 0,
  };
}

function passOne(
  source: PagedSource<unknown>,
  walk: ActiveShardFaults["walks"][PagedSourceName],
): void {
  if (walk.changeAfter === undefined || --walk.changeAfter > 0) return;
  walk.changeAfter = undefined;
  source.change();
}

const cursorOf = (offset: number): string => Buffer.from(`at ${offset}`).toString("base64url");

function offsetOf(cursor: string): number {
  const match = /^at (\d{1,9})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  if (!match) throw refuseField("cursor", "is none of ours");
  return Number(match[1]);
}

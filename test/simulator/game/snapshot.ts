import type { Payload } from "../events/scene.ts";
import type { SnapshotDamage } from "../faults/shard-standing.ts";
import type { Family } from "../world/families.ts";

/** An event of a snapshot. The events are in the order in which they are sent. */
export interface SnapshotEvent {
  readonly kind: string;
  readonly payload: Payload;
}

/** The maximum size of a page. A frame may have 256 KiB. */
const pageBytes = 120 * 1024;
const pageRows = 100;

/** Builds the events of a snapshot: begin, pages and end. @param tear damages the snapshot */
export function snapshotParts(
  family: Family,
  snapshotId: string,
  rows: readonly Payload[],
  tear?: SnapshotDamage,
): SnapshotEvent[] {
  const pages = paged(rows);
  const is = (form: SnapshotDamage["form"]): boolean => tear?.form === form;
  const told = is("missingPage") || is("noEnd") ? pages.slice(0, -1) : pages;
  const parts = [
    part(family, "begin", {
      snapshotId,
      pages: pages.length + Number(is("wrongPages")),
      count: rows.length + Number(is("wrongCount")),
    }),
    ...told.map((page, index) => part(family, "page", { snapshotId, page: index + 1, rows: page })),
  ];
  if (is("noEnd")) return parts;
  const endsAs = is("wrongId") ? `${snapshotId}-other` : snapshotId;
  return [...parts, part(family, "end", { snapshotId: endsAs })];
}

const part = (family: Family, step: string, payload: Payload): SnapshotEvent => ({
  kind: `${family}.snapshot.${step}`,
  payload,
});

/**
 * Splits rows into pages. An empty family has one empty page, because pages are numbered from 1.
 */
function paged(rows: readonly Payload[]): Payload[][] {
  const pages: Payload[][] = [[]];
  let bytes = 0;
  for (const row of rows) {
    const size = Buffer.byteLength(JSON.stringify(row));
    const page = pages.at(-1) as Payload[];
    if (page.length > 0 && (bytes + size > pageBytes || page.length === pageRows)) {
      pages.push([row]);
      bytes = size;
      continue;
    }
    page.push(row);
    bytes += size;
  }
  return pages;
}

import type { Payload } from "../events/scene.ts";
import type { Tear } from "../faults/shard-standing.ts";
import type { Family } from "../world/families.ts";

/** One event of a snapshot, in sending order. */
export interface SnapshotPart {
  readonly kind: string;
  readonly payload: Payload;
}

/** Well below the limit of 256 KiB per frame. */
const pageBytes = 120 * 1024;
const pageRows = 100;

/** Builds a whole family: begin, pages, end; `tear` damages it. */
export function snapshotParts(
  family: Family,
  snapshotId: string,
  rows: readonly Payload[],
  tear?: Tear,
): SnapshotPart[] {
  const pages = paged(rows);
  const is = (form: Tear["form"]): boolean => tear?.form === form;
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

const part = (family: Family, step: string, payload: Payload): SnapshotPart => ({
  kind: `${family}.snapshot.${step}`,
  payload,
});

/** An empty family has one empty page, so that pages still run from 1 to n. */
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

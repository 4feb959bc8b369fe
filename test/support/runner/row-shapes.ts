import { appendFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { rowReadsChannel } from "../../../shared/platform/db/rows.ts";

/** The types of values that the driver returns. */
export type ValueSort =
  | "string"
  | "number"
  | "bigint"
  | "boolean"
  | "null"
  | "date"
  | "array"
  | "buffer"
  | "object";

/**
 * The types of values that each column of a call's rows had, for example `{"count": ["number"]}`.
 */
export type RowShape = Record<string, ValueSort[]>;
/** The shapes of rows, by the place of the call, for example `shared/site/dashboard.ts:21:9`. */
export type RowShapes = Record<string, RowShape>;

const root = path.join(import.meta.dirname, "../../..");
const folders = ["shared", "api", "jobs", "models"].map((folder) => path.join(root, folder));
const ownFile = path.join(root, "shared/platform/db/rows.ts");

const shapes = new Map<string, Map<string, Set<ValueSort>>>();

/** Records the types of values in all rows that the code of the service reads in this process. */
export function watchRows(): void {
  rowReadsChannel.subscribe({
    start: (read) => void Object.assign(read, { caller: findCaller() }),
    asyncEnd: (read) => {
      const { caller, result } = read as { caller?: string; result?: unknown };
      if (caller !== undefined && Array.isArray(result)) noteRows(caller, result as object[]);
    },
    end: () => undefined,
    asyncStart: () => undefined,
    error: () => undefined,
  });
}

/**
 * Returns the place that has called `rows` or `firstRow`, or undefined if it is not in the
 * service's code.
 */
function findCaller(): string | undefined {
  for (const line of (new Error("read").stack ?? "").split("\n")) {
    const [, url, at] = /(file:\/\/.+?):(\d+:\d+)\)?$/.exec(line) ?? [];
    if (url === undefined) continue;
    const file = fileURLToPath(url);
    if (file === import.meta.filename || file === ownFile) continue;
    const isOurs = folders.some((folder) => file.startsWith(folder + path.sep));
    return isOurs ? `${path.relative(root, file)}:${at}` : undefined;
  }
  return undefined;
}

function noteRows(caller: string, rows: readonly object[]): void {
  // The rows of a call are similar, but the last ones may have values that the first ones lack. So
  // look at both ends.
  for (const row of rows.length > 20 ? [...rows.slice(0, 10), ...rows.slice(-10)] : rows) {
    const shape = shapes.get(caller) ?? new Map<string, Set<ValueSort>>();
    shapes.set(caller, shape);
    for (const [column, value] of Object.entries(row)) {
      const sorts = shape.get(column) ?? new Set();
      shape.set(column, sorts.add(sortOf(value)));
    }
  }
}

function sortOf(value: unknown): ValueSort {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (Buffer.isBuffer(value)) return "buffer";
  if (value instanceof Date) return "date";
  return typeof value as ValueSort;
}

/** Appends the recorded shapes of a test file to the file of the run, and clears them. */
export function writeRowShapes(file: string): void {
  if (shapes.size === 0) return;
  const written = Object.fromEntries(
    [...shapes].map(([caller, shape]) => [
      caller,
      Object.fromEntries([...shape].map(([column, sorts]) => [column, [...sorts]])),
    ]),
  );
  appendFileSync(file, `${JSON.stringify(written)}\n`);
  shapes.clear();
}

/** Joins the row shapes of all test files. */
export function joinRowShapes(text: string): RowShapes {
  const joined: RowShapes = {};
  for (const line of text.trim().split("\n").filter(Boolean)) {
    for (const [caller, shape] of Object.entries(JSON.parse(line) as RowShapes)) {
      const known = (joined[caller] ??= {});
      for (const [column, sorts] of Object.entries(shape)) {
        known[column] = [...new Set([...(known[column] ?? []), ...sorts])];
      }
    }
  }
  return joined;
}

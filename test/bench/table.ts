import { meetsTarget, type BenchRow } from "./bench.ts";

const heads = ["", "figure", "ours", "floor", "unit", "ratio", "target"];
const numeric = [2, 3, 5];

export const formatBenchTable = (rows: readonly BenchRow[]): string =>
  alignColumns([heads, ...rows.map(cellsOf)], numeric);

/**
 * Formats rows of cells as lines with aligned columns.
 * @param onTheRight the indexes of the columns that are aligned on the right
 */
export function alignColumns(
  table: readonly (readonly string[])[],
  onTheRight: readonly number[],
): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number): string =>
    onTheRight.includes(column)
      ? cell.padStart(widths[column] ?? 0)
      : cell.padEnd(widths[column] ?? 0);
  return table
    .map((row) => row.map(pad).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function cellsOf(row: BenchRow): string[] {
  const { bench, figure, ours, floor, unit, ratio } = row;
  const shown = floor === null ? "–" : textOf(floor);
  return [bench, figure, textOf(ours), shown, unit, ratio.toFixed(2), targetOf(row)];
}

function targetOf(row: BenchRow): string {
  if (row.target === undefined) return "";
  const bound = `${row.better === "higher" ? "≥" : "≤"} ${row.target}`;
  return meetsTarget(row) ? bound : `${bound}  missed`;
}

const textOf = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);

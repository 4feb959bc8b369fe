import { meetsTarget, type BenchRow } from "./bench.ts";

const heads = ["", "figure", "ours", "floor", "unit", "ratio", "target"];
const numeric = [2, 3, 5];

export function formatBenchTable(rows: readonly BenchRow[]): string {
  const table = [heads, ...rows.map(cellsOf)];
  const widths = heads.map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table
    .map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join("  "))
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

const pad = (cell: string, width: number, column: number): string =>
  numeric.includes(column) ? cell.padStart(width) : cell.padEnd(width);

import { alignColumns } from "../table.ts";
import { churnParts, ratePerMinute, type Reading, type TableReading } from "./readings.ts";

const shownTables = 6;
const mebibyte = 1024 * 1024;

/**
 * Formats a run: after each interval, the rate of each part per minute, and the dead rows and the size of the
 * tables with the most dead rows; then the changes of these tables in the whole run.
 */
export function formatRun(what: string, readings: readonly Reading[]): string {
  const names = findDeadest(readings);
  const heads = ["seconds", ...churnParts.map((part) => `${part}/min`), ...names];
  const lines = readings
    .slice(1)
    .map((reading, at) => [
      ((reading.at - (readings[0]?.at ?? 0)) / 1_000).toFixed(0),
      ...churnParts.map((part) =>
        formatCount(ratePerMinute(part, readings[at] ?? reading, reading)),
      ),
      ...names.map((name) => formatSize(findTable(reading, name))),
    ]);
  return [
    `\n${what}: rates, and dead rows (MiB) of tables\n`,
    alignColumns([heads, ...lines], [...heads.keys()]),
    `\n${what}: changes of tables\n`,
    formatChanges(readings.at(-1), names),
  ].join("");
}

/** Returns the names of the tables that had the most dead rows at any reading. */
function findDeadest(readings: readonly Reading[]): string[] {
  const most = new Map<string, number>();
  for (const { name, dead } of readings.flatMap(({ tables }) => tables)) {
    most.set(name, Math.max(dead, most.get(name) ?? 0));
  }
  return [...most]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, shownTables)
    .map(([name]) => name);
}

const findTable = (reading: Reading | undefined, name: string): TableReading | undefined =>
  reading?.tables.find((table) => table.name === name);

function formatSize(table: TableReading | undefined): string {
  if (!table) return "–";
  return `${formatCount(table.dead)} (${(table.bytes / mebibyte).toFixed(1)})`;
}

function formatChanges(last: Reading | undefined, names: readonly string[]): string {
  const heads = ["table", "inserted", "updated", "HOT", "deleted", "dead"];
  const lines = names.map((name) => {
    const table = findTable(last, name);
    const { inserts = 0, updates = 0, hotUpdates = 0, deletes = 0, dead = 0 } = table ?? {};
    const hot = updates === 0 ? "–" : `${((100 * hotUpdates) / updates).toFixed(0)} %`;
    const [inserted, updated, deleted] = [inserts, updates, deletes].map(formatCount);
    return [name, inserted ?? "", updated ?? "", hot, deleted ?? "", formatCount(dead)];
  });
  return alignColumns([heads, ...lines], [1, 2, 3, 4, 5]);
}

const formatCount = (count: number): string => Math.round(count).toLocaleString("en");

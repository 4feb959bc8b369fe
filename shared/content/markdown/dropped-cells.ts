import type { StateCore } from "markdown-it";

import type { RemovedParts } from "./removed-parts.ts";
import { showPipes } from "./wiki-links.ts";

/** Reports cells beyond the width of their table, which the parser drops. Called while pipes are hidden. */
export function reportDroppedCells({ tokens, src }: StateCore, removed: RemovedParts): void {
  if (!tokens.some(({ type }) => type === "table_open")) return;
  const lines = src.split("\n");
  let line = 0;
  let width = 0;
  for (const { type, map } of tokens) {
    if (type === "tr_open") [line, width] = [map?.[0] ?? line, 0];
    if (type === "td_open" || type === "th_open") width++;
    if (type !== "tr_close") continue;
    const text = cellsOf(lines[line] ?? "")
      .slice(width)
      .join("|")
      .trim();
    if (text !== "") removed.add({ rule: "table_width", line: line + 1, text: showPipes(text) });
  }
}

/** The cells of a row as it is written, also within quotes. */
function cellsOf(row: string): string[] {
  const cells = row.replace(/^[\s>]+/, "").split(/(?<!\\)\|/);
  return cells[0] === "" ? cells.slice(1) : cells;
}

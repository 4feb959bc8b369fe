/** A table in Markdown, its columns aligned as the formatter aligns them. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const cells = rows.map((row) => row.map(asCell));
  const widths = head.map((name, column) =>
    Math.max(3, name.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)].join(
    "\n",
  );
}

/** A bar would end the cell, and a line end the table. */
const asCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");

/** A name as code. */
export const code = (name: string): string => `\`${name}\``;

export const codes = (names: readonly string[]): string => names.map(code).join(", ");

/** A catalog's text as a sentence of a table: with a capital, without the full stop. */
export function asPhrase(text: string): string {
  const whole = text.replace(/\.$/, "");
  return `${whole.slice(0, 1).toUpperCase()}${whole.slice(1)}`;
}

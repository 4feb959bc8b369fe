/** Renders a Markdown table with the column alignment of the formatter. */
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

/** Escapes bars, which would end the cell, and joins lines, which would end the table. */
const asCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");

export const formatCode = (name: string): string => `\`${name}\``;

export const formatCodes = (names: readonly string[]): string => names.map(formatCode).join(", ");

/** Formats a text of a catalog for a table cell: with a capital letter, without a full stop. */
export function formatPhrase(text: string): string {
  const whole = text.replace(/\.$/, "");
  return `${whole.slice(0, 1).toUpperCase()}${whole.slice(1)}`;
}

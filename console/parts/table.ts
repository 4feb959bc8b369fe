import type { ComponentChildren, VNode } from "preact";

import { words } from "../words/words.ts";
import { html } from "./html.ts";

export type TableHead = string | { readonly text: string; readonly isNumber?: boolean };

export interface TableRow {
  readonly key: string | number;
  readonly cells: readonly ComponentChildren[];
}

/**
 * A table that scrolls within its box. The first cell of a row names the row.
 * @param none shown if there are no rows
 */
export function Table({
  label,
  heads,
  rows,
  none = words.none,
}: {
  readonly label: string;
  readonly heads: readonly TableHead[];
  readonly rows: readonly TableRow[];
  readonly none?: ComponentChildren;
}): VNode {
  if (rows.length === 0) return html`<p class="soft">${none}</p>`;
  const columns = heads.map((head) => (typeof head === "string" ? { text: head } : head));
  const classOf = (at: number) => (columns[at]?.isNumber ? "number" : undefined);
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead>
        <tr>
          ${columns.map(
            ({ text }, at) => html`<th key=${text} scope="col" class=${classOf(at)}>${text}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ key, cells }) =>
            html`<tr key=${key}>
              ${cells.map((cell, at) =>
                at === 0
                  ? html`<th key=${at} scope="row" class=${classOf(at)}>${cell}</th>`
                  : html`<td key=${at} class=${classOf(at)}>${cell}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

import type { ComponentChildren, VNode } from "preact";

import { html } from "./html.ts";

/** The head of a column. Columns of numbers are aligned to the right. */
export type Head = string | { readonly text: string; readonly isNumber: true };

export interface Row {
  readonly key: string | number;
  readonly cells: readonly ComponentChildren[];
}

/**
 * A table in a box that scrolls if the window is narrower.
 * @param label names the table for screen readers
 * @param none is shown instead of a table without rows
 */
export function Table({
  label,
  heads,
  rows,
  none,
}: {
  readonly label: string;
  readonly heads: readonly Head[];
  readonly rows: readonly Row[];
  readonly none: string;
}): VNode {
  if (rows.length === 0) return html`<p class="soft">${none}</p>`;
  const classOf = (at: number) => (typeof heads[at] === "object" ? "number" : undefined);
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead>
        <tr>
          ${heads.map(
            (head, at) =>
              html`<th key=${at} scope="col" class=${classOf(at)}>
                ${typeof head === "string" ? head : head.text}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ key, cells }) =>
            html`<tr key=${key}>
              ${cells.map((cell, at) => html`<td key=${at} class=${classOf(at)}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

import type { ComponentChildren, VNode } from "preact";

import { html } from "./html.ts";

export interface Head {
  readonly text: string;
  readonly isNumber?: boolean;
}

export interface Row {
  readonly key: string | number;
  readonly cells: readonly ComponentChildren[];
}

/** A table in a box that scrolls, or a sentence if it has no rows. */
export function Table({
  label,
  heads,
  rows,
  none,
}: {
  readonly label: string;
  readonly heads: readonly (string | Head)[];
  readonly rows: readonly Row[];
  readonly none: string;
}): VNode {
  if (rows.length === 0) return html`<p class="soft">${none}</p>`;
  const columns = heads.map((head): Head => (typeof head === "string" ? { text: head } : head));
  const classOf = (at: number) => (columns[at]?.isNumber ? "number" : undefined);
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead>
        <tr>
          ${columns.map(
            ({ text }, at) => html`<th key=${at} scope="col" class=${classOf(at)}>${text}</th>`,
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

import type { VNode } from "preact";

import { words } from "../words/words.ts";
import { html } from "./html.ts";

export type Head = string | { readonly text: string; readonly isNumber: boolean };

export interface Row {
  readonly key: string | number;
  readonly cells: readonly unknown[];
}

const textOf = (head: Head): string => (typeof head === "string" ? head : head.text);
const classOf = (head: Head | undefined): string | undefined =>
  typeof head === "object" && head.isNumber ? "number" : undefined;

/** A table in a box that scrolls. The first cell of a row is its heading. */
export function Table({
  label,
  heads,
  rows,
  none = words.none,
}: {
  readonly label: string;
  readonly heads: readonly Head[];
  readonly rows: readonly Row[];
  /** The text that stands in place of an empty table. */
  readonly none?: string;
}): VNode {
  if (rows.length === 0) return html`<p class="soft">${none}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead>
        <tr>
          ${heads.map(
            (head) =>
              html`<th scope="col" key=${textOf(head)} class=${classOf(head)}>${textOf(head)}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ key, cells }) =>
            html`<tr key=${key}>
              ${cells.map((cell, at) =>
                at === 0
                  ? html`<th scope="row" class=${classOf(heads[at])}>${cell}</th>`
                  : html`<td class=${classOf(heads[at])}>${cell}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

import type { VNode } from "preact";

import { words } from "../words/words.ts";
import { type ComparedLine, compareLines } from "./compare-lines.ts";
import { html } from "./html.ts";

/** The number of equal lines that are shown before and after a difference. */
const contextLines = 2;

/** Two texts side by side. Lines that differ are marked by color, by a sign and for screen readers. */
export function Differences({
  before,
  after,
  heads,
}: {
  readonly before: string;
  readonly after: string;
  /** The names of both texts. */
  readonly heads: readonly [string, string];
}): VNode {
  const rows = compareLines(before, after);
  const shown = shownParts(rows);
  if (shown.length === 0) return html`<p class="soft">${words.versions.same}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${words.versions.differences}>
    <table class="diff">
      <thead>
        <tr>
          ${heads.map((head) => html`<th key=${head} scope="col">${head}</th>`)}
        </tr>
      </thead>
      ${shown.map(
        ([from, to]) =>
          html`<tbody key=${from}>
            ${
              from > 0 &&
              html`<tr class="soft">
                <td colspan="2">${words.versions.fromLine(from + 1)}</td>
              </tr>`
            }
            ${rows.slice(from, to).map((row, at) => html`<${Line} key=${from + at} row=${row} />`)}
          </tbody>`,
      )}
    </table>
  </div>`;
}

function Line({ row: { before, after } }: { readonly row: ComparedLine }): VNode {
  if (before === after) {
    return html`<tr>
      <td>${before}</td>
      <td>${after}</td>
    </tr>`;
  }
  return html`<tr>
    ${before === null ? html`<td></td>` : html`<td class="removed"><del>${before}</del></td>`}
    ${after === null ? html`<td></td>` : html`<td class="added"><ins>${after}</ins></td>`}
  </tr>`;
}

/** Returns the parts with differences, as positions of the first row and the row after the last. */
function shownParts(rows: readonly ComparedLine[]): [number, number][] {
  const parts: [number, number][] = [];
  for (const [at, { before, after }] of rows.entries()) {
    if (before === after) continue;
    const [from, to] = [
      Math.max(0, at - contextLines),
      Math.min(rows.length, at + contextLines + 1),
    ];
    const last = parts.at(-1);
    if (last && last[1] >= from) last[1] = to;
    else parts.push([from, to]);
  }
  return parts;
}

/**
 * Shows two versions after the refusal `stale_revision`, until the person decides.
 * @param mine is the text that the person typed
 * @param stored is the text that somebody else saved meanwhile
 */
export function VersionConflict({
  mine,
  stored,
  onTakeStored,
  onKeepMine,
}: {
  readonly mine: string;
  readonly stored: string;
  readonly onTakeStored: () => void;
  readonly onKeepMine: () => void;
}): VNode {
  const { title, hint, yours, theirs, takeStored, keepMine } = words.versions;
  return html`<section class="card" aria-label=${title}>
    <h2>${title}</h2>
    <p>${hint}</p>
    <${Differences} before=${stored} after=${mine} heads=${[theirs, yours]} />
    <div class="buttons">
      <button type="button" class="main" onClick=${onKeepMine}>${keepMine}</button>
      <button type="button" onClick=${onTakeStored}>${takeStored}</button>
    </div>
  </section>`;
}

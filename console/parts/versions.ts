import type { VNode } from "preact";

import { words } from "../words/words.ts";
import { html } from "./html.ts";
import { compareLines, type DiffLine } from "./line-diff.ts";

/** Shows the typed and the stored version of a text side by side, and lets the person choose one. */
export function Versions({
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
  const lines = compareLines(mine, stored);
  return html`<section class="notice" aria-label=${words.versions.label}>
    <p>${words.versions.explanation}</p>
    <div class="sides">
      <${Side} title=${words.versions.mine} lines=${lines} own="mine" />
      <${Side} title=${words.versions.stored} lines=${lines} own="stored" />
    </div>
    <div class="buttons">
      <button type="button" onClick=${onKeepMine}>${words.versions.keepMine}</button>
      <button type="button" onClick=${onTakeStored}>${words.versions.takeStored}</button>
    </div>
  </section>`;
}

function Side({
  title,
  lines,
  own,
}: {
  readonly title: string;
  readonly lines: readonly DiffLine[];
  readonly own: "mine" | "stored";
}): VNode {
  const shown = lines.filter(({ kind }) => kind === "both" || kind === own);
  return html`<div>
    <h3>${title}</h3>
    <pre tabindex="0" role="region" aria-label=${title}>${shown.map(({ kind, text }, at) =>
      kind === "both"
        ? `${text}\n`
        : html`<mark key=${at}><span class="unseen">${words.versions.differs}</span>${`${text}\n`}</mark>`,
    )}</pre>
  </div>`;
}

import type { VNode } from "preact";

import { words } from "../words/words.ts";
import { type ComparedLine, compareLines } from "./compare-lines.ts";
import { html } from "./html.ts";

/** Equal lines that are shown before and after a difference. */
const context = 3;

/** Two versions of a text side by side, with their differences, and the choice between them. */
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
  return html`<section class="card" aria-label=${words.versions.title}>
    <div class="versions">
      <${Side} title=${words.versions.mine} lines=${lines} side="mine" />
      <${Side} title=${words.versions.stored} lines=${lines} side="stored" />
    </div>
    <div class="buttons">
      <button type="button" onClick=${onKeepMine}>${words.versions.keepMine}</button>
      <button type="button" onClick=${onTakeStored}>${words.versions.takeStored}</button>
    </div>
    <p class="soft hint">${words.versions.hint}</p>
  </section>`;
}

function Side({
  title,
  lines,
  side,
}: {
  readonly title: string;
  readonly lines: readonly ComparedLine[];
  readonly side: keyof ComparedLine;
}): VNode {
  const isDifferent = lines.map(({ mine, stored }) => mine !== stored);
  const isNear = (at: number) =>
    isDifferent.slice(Math.max(0, at - context), at + context + 1).includes(true);
  const shown = lines.flatMap((line, at) => {
    if (isNear(at)) {
      return [html`<${Line} key=${at} text=${line[side]} isDifferent=${isDifferent[at]} />`];
    }
    return isNear(at - 1) || at === 0 ? [html`<span key=${at} class="soft">${"…\n"}</span>`] : [];
  });
  return html`<div>
    <h3>${title}</h3>
    <pre tabindex="0" role="region" aria-label=${title}>${shown}</pre>
  </div>`;
}

function Line({
  text,
  isDifferent,
}: {
  readonly text: string | null;
  readonly isDifferent: boolean;
}): VNode | null {
  if (text === null) return null;
  if (!isDifferent) return html`<span>${`${text}\n`}</span>`;
  return html`<mark><span class="unseen">${words.versions.onlyHere}</span>${`${text}\n`}</mark>`;
}

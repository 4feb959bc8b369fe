import type { VNode } from "preact";

import { compareLines } from "../../../parts/compare-lines.ts";
import { FormButton } from "../../../parts/form-button.ts";
import { html } from "../../../parts/html.ts";
import { Table } from "../../../parts/table.ts";
import { words } from "../../../words/words.ts";

/** A button that shows what an old revision has otherwise than the current one. */
export function RevisionChanges({
  revision,
  old,
  current,
}: {
  readonly revision: number;
  readonly old: string;
  readonly current: string;
}): VNode {
  const { revisions: text } = words.survival;
  const rows = compareLines(old, current)
    .map(({ mine, stored }, key) => ({ key, cells: [mine ?? "–", stored ?? "–"] }))
    .filter(({ cells: [one, other] }) => one !== other);
  return html`<${FormButton} text=${text.compare} title=${text.compareTitle(revision)}>
    ${() =>
      html`<${Table}
        label=${text.compareTitle(revision)}
        heads=${[text.old, text.current]}
        rows=${rows}
        none=${text.equal}
      />`}
  <//>`;
}

import type { VNode } from "preact";

import { html } from "../../parts/html.ts";
import { words } from "../../words/words.ts";

/** Says whether the source differs from the loaded data, or why it cannot be read. */
export function SourceState({
  drift,
  problem,
  code,
}: {
  readonly drift: boolean | null;
  readonly problem: string | null;
  readonly code: string | null;
}): VNode {
  const { facts, drifted, same, unknown } = words.imports;
  const text = drift === null ? unknown : drift ? drifted : same;
  return html`<dt>${facts.state}</dt>
    <dd>
      <span class=${drift === false ? "good" : "warn"}>${text}</span>
      ${problem && html`<p class="bad">${problem}${code && ` (${code})`}</p>`}
    </dd>`;
}

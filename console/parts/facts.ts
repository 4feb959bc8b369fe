import type { ComponentChildren, VNode } from "preact";

import { html } from "./html.ts";

/** A list of names and values. A null instead of a pair is left out. */
export function DescriptionList({
  facts,
}: {
  readonly facts: readonly (readonly [string, ComponentChildren] | null)[];
}): VNode {
  return html`<dl>
    ${facts.map(
      (fact) =>
        fact &&
        html`<dt key=${fact[0]}>${fact[0]}</dt>
          <dd key=${`${fact[0]} value`}>${fact[1]}</dd>`,
    )}
  </dl>`;
}

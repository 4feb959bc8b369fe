import type { VNode } from "preact";

import { html } from "./html.ts";

export interface Tab {
  readonly text: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

/** Links to the parts of a page, or to the pages of one subject. */
export function Tabs({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
}): VNode {
  return html`<ul class="tabs" aria-label=${label}>
    ${tabs.map(
      ({ text, href, isCurrent }) =>
        html`<li key=${href}>
          <a href=${href} aria-current=${isCurrent ? "page" : undefined}>${text}</a>
        </li>`,
    )}
  </ul>`;
}

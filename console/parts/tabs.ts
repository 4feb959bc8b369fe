import type { VNode } from "preact";

import { useLocation } from "../shell/router.ts";
import { html } from "./html.ts";

export interface Tab {
  readonly text: string;
  readonly href: string;
  /** True for the current tab; by default, if `href` is the path of the current address. */
  readonly isCurrent?: boolean;
}

/** Links to the parts of a page, or to the pages of one subject. */
export function Tabs({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
}): VNode {
  const { path } = useLocation();
  return html`<nav class="tabs" aria-label=${label}>
    <ul>
      ${tabs.map(
        ({ text, href, isCurrent = href === path }) =>
          html`<li key=${href}>
            <a href=${href} aria-current=${isCurrent ? "page" : undefined}>${text}</a>
          </li>`,
      )}
    </ul>
  </nav>`;
}

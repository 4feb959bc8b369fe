import type { VNode } from "preact";

import { useLocation } from "../shell/router.ts";
import { html } from "./html.ts";

export interface PageLink {
  readonly to: string;
  readonly text: string;
}

/** Links to the pages of one subject. */
export function PageLinks({
  label,
  links,
}: {
  readonly label: string;
  readonly links: readonly PageLink[];
}): VNode {
  const { path } = useLocation();
  return html`<nav class="page-links" aria-label=${label}>
    <ul>
      ${links.map(
        ({ to, text }) =>
          html`<li key=${to}>
            <a href=${to} aria-current=${to === path ? "page" : undefined}>${text}</a>
          </li>`,
      )}
    </ul>
  </nav>`;
}

import type { VNode } from "preact";

import { setQuery, useLocation } from "../shell/router.ts";
import { html } from "./html.ts";

export interface Tab {
  /** The value of `tab` in the query. The first tab has the empty name. */
  readonly name: string;
  readonly text: string;
}

/** Returns the name of the tab in the address. */
export const useTab = (): string => useLocation().query.get("tab") ?? "";

/** Buttons that show one part of a page each. The name of the part stands in the address. */
export function Tabs({
  label,
  tabs,
  onLeave,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** Returns false if the present tab must stay open. */
  readonly onLeave?: () => boolean;
}): VNode {
  const current = useTab();
  const open = (name: string) => {
    if (name !== current && onLeave?.() !== false) setQuery({ tab: name });
  };
  return html`<div class="buttons tabs" role="group" aria-label=${label}>
    ${tabs.map(
      ({ name, text }) =>
        html`<button
          key=${name}
          type="button"
          aria-pressed=${name === current}
          onClick=${() => open(name)}
        >
          ${text}
        </button>`,
    )}
  </div>`;
}

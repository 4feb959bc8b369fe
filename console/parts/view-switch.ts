import type { VNode } from "preact";

import { setQuery, useLocation } from "../shell/router.ts";
import { html } from "./html.ts";

export interface ViewOption {
  /** The value of `view` in the query. The first view has the empty name. */
  readonly name: string;
  readonly text: string;
}

/** Returns the name of the view in the address. */
export const useViewName = (): string => useLocation().query.get("view") ?? "";

/** Buttons that switch between views of the same data. Unlike a link, a switch keeps unsaved texts. */
export function ViewSwitch({
  label,
  views,
  mayLeave = true,
}: {
  readonly label: string;
  readonly views: readonly ViewOption[];
  /** False if the present view must stay open. */
  readonly mayLeave?: boolean;
}): VNode {
  const current = useViewName();
  return html`<div class="buttons switch" role="group" aria-label=${label}>
    ${views.map(
      ({ name, text }) =>
        html`<button
          key=${name}
          type="button"
          aria-pressed=${name === current}
          disabled=${!mayLeave && name !== current}
          onClick=${() => setQuery({ view: name })}
        >
          ${text}
        </button>`,
    )}
  </div>`;
}

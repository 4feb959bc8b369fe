import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { words } from "../words/words.ts";
import { html } from "./html.ts";

/** A text to type elsewhere, with a button that copies it. Browsers copy on pages with HTTPS only. */
export function CopyText({
  label,
  text,
}: {
  readonly label: string;
  readonly text: string;
}): VNode {
  const [isCopied, setCopied] = useState(false);
  const clipboard: Clipboard | undefined = navigator.clipboard;
  const copy = async () => {
    await clipboard.writeText(text);
    setCopied(true);
  };
  return html`<div class="copy" role="group" aria-label=${label}>
    <div class="row">
      <span class="soft">${label}</span>
      ${
        clipboard &&
        html`<button type="button" onClick=${() => void copy()}>
          ${isCopied ? words.actions.copied : words.actions.copy}
        </button>`
      }
    </div>
    <pre tabindex="0">${text}</pre>
  </div>`;
}

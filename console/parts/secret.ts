import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { words } from "../words/words.ts";
import { html } from "./html.ts";

/** A secret that the service shows only once, with a button that copies it. */
export function Secret({
  label,
  value,
  hint,
}: {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
}): VNode {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  };
  // Browsers offer the clipboard only to pages that came over https.
  const canCopy = "clipboard" in navigator;
  return html`<div class="notice good" role="status">
    <p><strong>${label}</strong></p>
    <p><code class="secret">${value}</code></p>
    <p>${hint}</p>
    ${
      canCopy &&
      html`<button type="button" onClick=${() => void copy()}>
        ${isCopied ? words.actions.copied : words.actions.copy}
      </button>`
    }
  </div>`;
}

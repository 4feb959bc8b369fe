import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

import { Dialog } from "./dialog.ts";
import { html } from "./html.ts";

/** A button that opens a form in a dialog. */
export function FormButton({
  text,
  title,
  label,
  children,
}: {
  readonly text: string;
  readonly title: string;
  /** The name of the button for screen readers, if its text does not suffice. */
  readonly label?: string;
  readonly children: (close: () => void) => ComponentChildren;
}): VNode {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return html`<button type="button" aria-label=${label} onClick=${() => setOpen(true)}>${text}</button>
    ${isOpen && html`<${Dialog} title=${title} onClose=${close}>${children(close)}<//>`}`;
}

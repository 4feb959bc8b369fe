import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

import { Dialog } from "./dialog.ts";
import { html } from "./html.ts";

/** A button that opens a form in a dialog. */
export function FormButton({
  text,
  title,
  label,
  onOpen,
  children,
}: {
  readonly text: string;
  readonly title: string;
  /** The name of the button for screen readers, if its text does not suffice. */
  readonly label?: string;
  readonly onOpen?: () => void;
  readonly children: (close: () => void) => ComponentChildren;
}): VNode {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    onOpen?.();
    setOpen(true);
  };
  const close = () => setOpen(false);
  return html`<button type="button" aria-label=${label} onClick=${open}>${text}</button>
    ${isOpen && html`<${Dialog} title=${title} onClose=${close} hasTexts>${children(close)}<//>`}`;
}

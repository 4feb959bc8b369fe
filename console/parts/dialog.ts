import type { ComponentChildren, VNode } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

import { words } from "../words/words.ts";
import { html } from "./html.ts";

/** A modal dialog. The browser keeps the focus inside and gives it back afterwards. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}): VNode {
  const id = useId();
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const onCancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  return html`<dialog ref=${box} aria-labelledby=${id} onCancel=${onCancel}>
    <div class="row">
      <h2 id=${id}>${title}</h2>
      <button type="button" class="plain" aria-label=${words.actions.close} onClick=${onClose}>
        ✕
      </button>
    </div>
    ${children}
  </dialog>`;
}

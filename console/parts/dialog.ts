import type { ComponentChildren, VNode } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

import { words } from "../words/words.ts";
import { html } from "./html.ts";

/** A modal dialog. The browser keeps the focus inside and gives it back afterwards. */
export function Dialog({
  title,
  onClose,
  hasTexts = false,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  /** True if Escape and ✕ ask before a typed text is lost. */
  readonly hasTexts?: boolean;
  readonly children?: ComponentChildren;
}): VNode {
  useFocusReturn();
  const id = useId();
  const box = useRef<HTMLDialogElement>(null);
  const end = useRef(onClose);
  end.current = onClose;
  useEffect(() => {
    const dialog = box.current;
    // A browser closes a dialog without the event `cancel` if the person has not used the page since it opened.
    const onEnd = () => end.current();
    dialog?.showModal();
    dialog?.addEventListener("close", onEnd);
    return () => {
      dialog?.removeEventListener("close", onEnd);
      dialog?.close();
    };
  }, []);
  const isTyped = useRef(false);
  const onInput = () => {
    isTyped.current = hasTexts;
  };
  const close = () => {
    if (!isTyped.current || confirm(words.closeQuestion)) onClose();
  };
  const onCancel = (event: Event) => {
    event.preventDefault();
    close();
  };
  return html`<dialog ref=${box} aria-labelledby=${id} onCancel=${onCancel} onInput=${onInput}>
    <div class="row">
      <h2 id=${id}>${title}</h2>
      <button type="button" class="plain" aria-label=${words.actions.close} onClick=${close}>
        ✕
      </button>
    </div>
    ${children}
  </dialog>`;
}

/** Gives the focus back to the element that had it. The browser does not if the dialog is removed before it closes. */
function useFocusReturn(): void {
  const opener = useRef(document.activeElement);
  useEffect(
    () => () => {
      const { current } = opener;
      if (current instanceof HTMLElement && document.activeElement === document.body) {
        current.focus();
      }
    },
    [],
  );
}

import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

import { words } from "../words/words.ts";
import { Dialog } from "./dialog.ts";
import { html } from "./html.ts";

export interface ConfirmQuestion {
  readonly title: string;
  readonly text: ComponentChildren;
  /** The text of the button that agrees. */
  readonly confirm: string;
}

/** Asks the person within an action, for example between the click on a form's button and its request. */
export function useConfirmQuestion(): {
  readonly ask: (question: ConfirmQuestion) => Promise<boolean>;
  /** The open dialog, which the component shows. */
  readonly dialog: VNode | null;
} {
  const [open, setOpen] = useState<
    (ConfirmQuestion & { answer: (isAgreed: boolean) => void }) | null
  >(null);
  const ask = (question: ConfirmQuestion) =>
    new Promise<boolean>((resolve) => setOpen({ ...question, answer: resolve }));
  if (!open) return { ask, dialog: null };
  const settle = (isAgreed: boolean) => {
    setOpen(null);
    open.answer(isAgreed);
  };
  const dialog = html`<${Dialog} title=${open.title} onClose=${() => settle(false)}>
    <p>${open.text}</p>
    <div class="buttons">
      <button type="button" class="main" onClick=${() => settle(true)}>${open.confirm}</button>
      <button type="button" onClick=${() => settle(false)}>${words.actions.cancel}</button>
    </div>
  <//>`;
  return { ask, dialog };
}

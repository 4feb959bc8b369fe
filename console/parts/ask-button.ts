import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

import type { Problem } from "../api/problem.ts";
import { words } from "../words/words.ts";
import { Dialog } from "./dialog.ts";
import { Form } from "./form.ts";
import { html } from "./html.ts";
import { useAction } from "./use-action.ts";

/**
 * A button that opens a dialog, runs an action after the confirmation and shows its refusal in the dialog.
 * @param question says what will happen
 * @param children fields of the dialog, whose values `onConfirm` receives; a function of the refusal if they show faults
 */
export function AskButton({
  text,
  title,
  question,
  confirm,
  onConfirm,
  danger = false,
  children,
}: {
  readonly text: string;
  readonly title: string;
  readonly question?: ComponentChildren;
  readonly confirm: string;
  readonly onConfirm: (values: FormData) => Promise<unknown>;
  readonly danger?: boolean;
  readonly children?: ComponentChildren | ((problem: Problem | null) => ComponentChildren);
}): VNode {
  const [isOpen, setOpen] = useState(false);
  const action = useAction();
  const close = () => {
    setOpen(false);
    action.clear();
  };
  const onSend = async (values: FormData) => {
    await onConfirm(values);
    close();
  };
  const cancel = html`<button type="button" onClick=${close}>${words.actions.cancel}</button>`;
  return html`<button
      type="button"
      class=${danger ? "danger" : undefined}
      onClick=${() => setOpen(true)}
    >
      ${text}
    </button>
    ${
      isOpen &&
      html`<${Dialog} title=${title} onClose=${close}>
      ${question && html`<p>${question}</p>`}
      <${Form} action=${action} onSend=${onSend} send=${confirm} label=${title} more=${cancel}>
        ${typeof children === "function" ? children(action.problem) : children}
      <//>
    <//>`
    }`;
}

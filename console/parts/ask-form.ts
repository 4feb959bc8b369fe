import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

import type { Problem } from "../api/problem.ts";
import { words } from "../words/words.ts";
import { Dialog } from "./dialog.ts";
import { Form } from "./form.ts";
import { html } from "./html.ts";
import { useAction } from "./use-action.ts";

/**
 * A button that opens a form in a dialog. The dialog closes after the values have been sent.
 * @param children draws the fields, with the refusal of the last attempt
 */
export function AskForm({
  text,
  title,
  question,
  confirm,
  onConfirm,
  children,
}: {
  readonly text: string;
  readonly title: string;
  readonly question?: string | undefined;
  readonly confirm: string;
  readonly onConfirm: (values: FormData) => Promise<unknown>;
  readonly children: (problem: Problem | null) => ComponentChildren;
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
  return html`<button type="button" onClick=${() => setOpen(true)}>${text}</button>
    ${
      isOpen &&
      html`<${Dialog} title=${title} onClose=${close}>
      ${question && html`<p>${question}</p>`}
      <${Form} action=${action} onSend=${onSend} send=${confirm} label=${title} more=${cancel}>
        ${children(action.problem)}
      <//>
    <//>`
    }`;
}

import type { ComponentChildren, VNode } from "preact";

import type { Problem } from "../api/problem.ts";
import { words } from "../words/words.ts";
import { FormButton } from "./form-button.ts";
import { Form } from "./form.ts";
import { html } from "./html.ts";
import { useAction } from "./use-action.ts";

/**
 * A button that opens a form in a dialog. The dialog closes after the values have been sent.
 * @param children draws the fields, with the refusal of the last attempt
 */
export function FormDialogButton({
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
  const action = useAction();
  const send = async (values: FormData, close: () => void) => {
    await onConfirm(values);
    close();
  };
  return html`<${FormButton} text=${text} title=${title} onOpen=${action.clear}>
    ${(close: () => void) =>
      html`${question && html`<p>${question}</p>`}
        <${Form}
          action=${action}
          onSend=${(values: FormData) => send(values, close)}
          send=${confirm}
          label=${title}
          more=${html`<button type="button" onClick=${close}>${words.actions.cancel}</button>`}
        >
          ${children(action.problem)}
        <//>`}
  <//>`;
}

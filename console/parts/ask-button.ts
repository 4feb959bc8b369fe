import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

import { words } from "../words/words.ts";
import { Dialog } from "./dialog.ts";
import { html } from "./html.ts";
import { ProblemView } from "./problem-view.ts";
import { useAction } from "./use-action.ts";

/**
 * A button that asks in a dialog before it runs an action, and shows there why the action failed.
 * @param question what the action will do
 * @param confirm the button that runs the action
 * @param label names the button if its text alone does not say what it acts on
 */
export function ConfirmButton({
  text,
  label,
  title,
  question,
  confirm,
  onConfirm,
  danger = false,
  children,
}: {
  readonly text: string;
  readonly label?: string;
  readonly title: string;
  readonly question: ComponentChildren;
  readonly confirm: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly danger?: boolean;
  readonly children?: ComponentChildren;
}): VNode {
  const [isOpen, setOpen] = useState(false);
  const action = useAction();
  const open = () => {
    action.clear();
    setOpen(true);
  };
  const close = () => setOpen(false);
  const run = async () => {
    if (await action.run(onConfirm)) close();
  };
  const kind = danger ? "danger" : "";
  return html`<button type="button" class=${kind} aria-label=${label} onClick=${open}>${text}</button>
    ${
      isOpen &&
      html`<${Dialog} title=${title} onClose=${close}>
        ${typeof question === "string" ? html`<p>${question}</p>` : question} ${children}
        <${ProblemView} problem=${action.problem} />
        <div class="buttons">
          <button
            type="button"
            class=${danger ? "danger" : "main"}
            aria-disabled=${action.isRunning}
            onClick=${() => void run()}
          >
            ${action.isRunning ? words.actions.working : confirm}
          </button>
          <button type="button" onClick=${close}>${words.actions.cancel}</button>
        </div>
      <//>`
    }`;
}

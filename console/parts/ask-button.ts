import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

import { words } from "../words/words.ts";
import { Dialog } from "./dialog.ts";
import { html } from "./html.ts";
import { ProblemView } from "./problem-view.ts";
import { useAction } from "./use-action.ts";

/** A button that asks in a dialog before it acts. The dialog shows a refusal and stays open. */
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
  /** States what will happen. */
  readonly question: string;
  readonly confirm: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly danger?: boolean;
  readonly children?: ComponentChildren;
}): VNode {
  const [isOpen, setOpen] = useState(false);
  const action = useAction();
  const close = () => {
    action.clear();
    setOpen(false);
  };
  const run = async () => {
    if (await action.run(onConfirm)) setOpen(false);
  };
  const kind = danger ? "danger" : "";
  return html`<button type="button" class=${kind} onClick=${() => setOpen(true)}>${text}</button>
    ${
      isOpen &&
      html`<${Dialog} title=${title} onClose=${close}>
        <p>${question}</p>
        ${children}
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

import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

import { words } from "../words/words.ts";
import { Dialog } from "./dialog.ts";
import { html } from "./html.ts";
import { ProblemView } from "./problem-view.ts";
import { useAction } from "./use-action.ts";

/**
 * A button that asks before its action runs, and shows the refusal of the action in the dialog.
 * @param question says what the action does and whether it can be undone
 * @param confirm is the text of the button that runs the action
 */
export function AskButton({
  text,
  title,
  question,
  confirm,
  onConfirm,
  danger = false,
}: {
  readonly text: string;
  readonly title: string;
  readonly question: ComponentChildren;
  readonly confirm: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly danger?: boolean;
}): VNode {
  const action = useAction();
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    action.clear();
    setOpen(true);
  };
  const run = async () => {
    if (await action.run(onConfirm)) setOpen(false);
  };
  return html`<button type="button" class=${danger ? "danger" : undefined} onClick=${open}>${text}</button>
    ${
      isOpen &&
      html`<${Dialog} title=${title} onClose=${() => setOpen(false)}>
        <p>${question}</p>
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
          <button type="button" onClick=${() => setOpen(false)}>${words.actions.cancel}</button>
        </div>
      <//>`
    }`;
}

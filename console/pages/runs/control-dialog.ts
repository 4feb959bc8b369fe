import type { VNode } from "preact";

import { Problem } from "../../api/problem.ts";
import { Dialog } from "../../parts/dialog.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { useAction } from "../../parts/use-action.ts";
import { words } from "../../words/words.ts";

interface DialogProps {
  readonly title: string;
  readonly question: string;
  readonly reasonLabel: string | null;
  readonly before: string;
  readonly now: string;
  readonly isPossible: boolean;
  readonly onSend: (reason: string) => Promise<void>;
  readonly onClose: () => void;
}

/**
 * Asks before a run or a step is controlled. If it changes while the dialog is open, the dialog says so and keeps
 * the typed reason.
 * @param before the state when the dialog was opened, in words
 * @param now the present state, in words
 * @param isPossible false if the present state does not allow the control
 */
export function ControlDialog({
  title,
  question,
  reasonLabel,
  before,
  now,
  isPossible,
  onSend,
  onClose,
}: DialogProps): VNode {
  const { runs } = words;
  const action = useAction();
  const close = html`<button type="button" onClick=${onClose}>${words.actions.close}</button>`;
  return html`<${Dialog} title=${title} onClose=${onClose} hasTexts>
    ${isPossible && html`<p>${question}</p>`}
    <${Moved} before=${before} now=${now} isPossible=${isPossible} />
    ${!isPossible && html`<div class="buttons">${close}</div>`}
    ${
      isPossible &&
      html`<${Form}
      action=${action}
      onSend=${(values: FormData) => onSend(readTextField(values, "reason"))}
      send=${title}
      label=${title}
      more=${close}
    >
      ${
        reasonLabel !== null &&
        html`<${Field}
        label=${reasonLabel}
        name="reason"
        maxlength="500"
        hint=${runs.reasonHint}
        problem=${action.problem}
      />`
      }
    <//>`
    }
  <//>`;
}

/** Says that the run or the step changed since the dialog was opened. */
function Moved({
  before,
  now,
  isPossible,
}: Pick<DialogProps, "before" | "now" | "isPossible">): VNode | null {
  const { runs } = words;
  if (before === now && isPossible) return null;
  return html`<div class="notice" role="alert">
    ${before !== now && html`<p>${runs.movedOn(before, now)}</p>`}
    <p>${isPossible ? runs.checkAgain : runs.noLongerPossible}</p>
  </div>`;
}

/**
 * Sends a control and reads the run again.
 * @returns false if the run or the step changed since it was read: the dialog then shows the present state
 * @throws Problem for any other refusal
 */
export async function sendUnlessStale(
  send: () => Promise<unknown>,
  reload: () => Promise<void>,
): Promise<boolean> {
  try {
    await send();
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === "stale_revision") return false;
    throw error;
  } finally {
    await reload();
  }
}

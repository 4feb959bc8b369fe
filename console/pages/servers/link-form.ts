import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

import type { Problem } from "../../api/problem.ts";
import { Dialog } from "../../parts/dialog.ts";
import { Form } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { useAction } from "../../parts/use-action.ts";
import { words } from "../../words/words.ts";
import type { LinkKind } from "./link-fields.ts";

/**
 * The form of a link. A change of the kind deletes the data that is stored for the current kind, so the form
 * asks for confirmation first.
 */
export function LinkForm({
  kind,
  isUsed,
  save,
  notice,
  onInput,
  children,
}: {
  readonly kind: LinkKind;
  /** True if another kind would delete addresses, secrets or keys. */
  readonly isUsed: boolean;
  /** @returns false if nothing was sent because the person must decide first */
  readonly save: (values: FormData) => Promise<boolean>;
  readonly notice: VNode | null;
  readonly onInput: () => void;
  readonly children: (problem: Problem | null) => ComponentChildren;
}): VNode {
  const { gameServers } = words;
  const action = useAction();
  const [isSaved, setSaved] = useState(false);
  const [waiting, setWaiting] = useState<FormData | null>(null);
  const send = async (values: FormData) => {
    setSaved(false);
    setSaved(await save(values));
  };
  const onSend = async (values: FormData) => {
    if (isUsed && values.get("kind") !== kind) setWaiting(values);
    else await send(values);
  };
  const confirm = (values: FormData) => {
    setWaiting(null);
    void action.run(() => send(values));
  };
  return html`<div onInput=${onInput}>
    ${notice}
    <${Form} action=${action} onSend=${onSend} send=${words.actions.save} label=${gameServers.settings}>
      ${children(action.problem)}
    <//>
    ${isSaved && html`<p class="notice good" role="status">${gameServers.saved}</p>`}
    ${
      waiting &&
      html`<${KindDialog} onClose=${() => setWaiting(null)} onConfirm=${() => confirm(waiting)} />`
    }
  </div>`;
}

function KindDialog({
  onClose,
  onConfirm,
}: {
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}): VNode {
  return html`<${Dialog} title=${words.gameServers.changeKind} onClose=${onClose}>
    <p>${words.gameServers.kindQuestion}</p>
    <div class="buttons">
      <button type="button" class="danger" onClick=${onConfirm}>
        ${words.gameServers.changeKind}
      </button>
      <button type="button" onClick=${onClose}>${words.actions.cancel}</button>
    </div>
  <//>`;
}

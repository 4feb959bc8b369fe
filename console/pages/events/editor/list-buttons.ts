import type { VNode } from "preact";

import { ConfirmButton } from "../../../parts/ask-button.ts";
import { html } from "../../../parts/html.ts";
import { words } from "../../../words/words.ts";
import { listAt, moveItem, type DraftPath, pointerOf } from "./draft.ts";
import { useEditor } from "./editor.ts";

/** Gives the focus to an element after the list is drawn: an element that moves loses it. */
const focusSoon = (find: () => HTMLElement | null) =>
  requestAnimationFrame(() => find()?.focus({ preventScroll: true }));

/** Moves or removes an item of a list. */
export function ListButtons({
  list,
  at,
  name,
  question,
}: {
  readonly list: DraftPath;
  readonly at: number;
  /** The name of the item, for screen readers. */
  readonly name: string;
  /** Asked before the item is removed, if its texts would be lost. */
  readonly question?: string | undefined;
}): VNode {
  const { editor } = useEditor();
  const items = listAt(editor.draft, list);
  const { events } = words;
  const remove = () => {
    editor.change(list, items.toSpliced(at, 1));
    focusSoon(() => document.querySelector(`[data-place="${CSS.escape(pointerOf(list))}"]`));
    return Promise.resolve();
  };
  const label = events.remove(name);
  return html`<div class="buttons">
    <${MoveButton} list=${list} at=${at} by=${-1} label=${events.moveUp(name)} text="↑" />
    <${MoveButton} list=${list} at=${at} by=${1} label=${events.moveDown(name)} text="↓" />
    ${
      question === undefined
        ? html`<button type="button" class="danger" aria-label=${label} onClick=${remove}>
            ${events.removeShort}
          </button>`
        : html`<${ConfirmButton}
            danger
            text=${events.removeShort}
            label=${label}
            title=${label}
            question=${question}
            confirm=${events.removeShort}
            onConfirm=${remove}
          />`
    }
  </div>`;
}

function MoveButton({
  list,
  at,
  by,
  label,
  text,
}: {
  readonly list: DraftPath;
  readonly at: number;
  readonly by: 1 | -1;
  readonly label: string;
  readonly text: string;
}): VNode {
  const { editor } = useEditor();
  const items = listAt(editor.draft, list);
  const isPossible = at + by >= 0 && at + by < items.length;
  const move = (event: Event) => {
    const button = event.currentTarget as HTMLElement;
    if (isPossible) editor.change(list, moveItem(items, at, by));
    focusSoon(() => button);
  };
  return html`<button
    type="button"
    aria-label=${label}
    aria-disabled=${!isPossible}
    onClick=${move}
  >
    ${text}
  </button>`;
}

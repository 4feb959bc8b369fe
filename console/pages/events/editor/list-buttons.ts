import type { VNode } from "preact";

import { html } from "../../../parts/html.ts";
import { words } from "../../../words/words.ts";
import { listAt, moveItem, type Path } from "./draft.ts";
import { useEditor } from "./editor.ts";

/** Moves or removes an item of a list. */
export function ListButtons({
  list,
  at,
  name,
}: {
  readonly list: Path;
  readonly at: number;
  /** The name of the item, for screen readers. */
  readonly name: string;
}): VNode {
  const { editor } = useEditor();
  const items = listAt(editor.draft, list);
  const { events } = words;
  const move = (by: 1 | -1) => editor.change(list, moveItem(items, at, by));
  const remove = () => editor.change(list, items.toSpliced(at, 1));
  return html`<div class="buttons">
    <button
      type="button"
      aria-label=${events.moveUp(name)}
      disabled=${at === 0}
      onClick=${() => move(-1)}
    >
      ↑
    </button>
    <button
      type="button"
      aria-label=${events.moveDown(name)}
      disabled=${at === items.length - 1}
      onClick=${() => move(1)}
    >
      ↓
    </button>
    <button type="button" class="danger" aria-label=${events.remove(name)} onClick=${remove}>
      ${words.events.removeShort}
    </button>
  </div>`;
}

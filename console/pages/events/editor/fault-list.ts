import type { VNode } from "preact";

import { html } from "../../../parts/html.ts";
import { setQuery } from "../../../shell/router.ts";
import { words } from "../../../words/words.ts";
import { parsePointer, textAt } from "./draft.ts";
import { useEditor } from "./editor.ts";

/** Returns where a fault is, in words: `Phase 1 (Gather), step 2`. */
function placeText(pointer: string, draft: unknown): string {
  const [first, list, phase, inner, item] = parsePointer(pointer);
  if (first !== "spec" || typeof phase !== "number") return "";
  if (list === "params") return words.events.paramAt(phase + 1);
  if (list !== "phases") return "";
  const title = textAt(draft, ["spec", "phases", phase, "title"]);
  const place = words.events.phaseAt(phase + 1, title);
  if (inner === "steps" && typeof item === "number") {
    return `${place}, ${words.events.stepAt(item + 1)}`;
  }
  return inner === "advance" ? `${place}, ${words.events.gate}` : place;
}

/**
 * Focuses the field of a fault, or the nearest group of fields around it.
 * @param pointer a JSON pointer into the draft
 */
export function focusFaultField(pointer: string): void {
  const path = pointer.split("/");
  for (let length = path.length; length > 1; length -= 1) {
    const name = CSS.escape(path.slice(0, length).join("/"));
    const found = document.querySelector<HTMLElement>(`[name="${name}"], [data-place="${name}"]`);
    if (!found) continue;
    for (
      let box = found.closest("details");
      box;
      box = box.parentElement?.closest("details") ?? null
    ) {
      box.open = true;
    }
    found.focus();
    found.scrollIntoView({ block: "center" });
    return;
  }
}

function open(event: Event, path: string): void {
  event.preventDefault();
  setQuery({ view: "" });
  // `setQuery` shows the form, which is rendered before the next frame. Focus the field after that.
  requestAnimationFrame(() => requestAnimationFrame(() => focusFaultField(path)));
}

/** All faults of the draft, with links to their fields. */
export function FaultList(): VNode | null {
  const { editor } = useEditor();
  const { faults, draft } = editor;
  if (faults.length === 0) return null;
  return html`<section class="notice bad" role="alert" aria-label=${words.events.faults}>
    <p>${words.events.faultCount(faults.length)}</p>
    <ul>
      ${faults.map(({ path, message, level }, at) => {
        const place = placeText(path, draft);
        return html`<li key=${at}>
          ${level === "warning" && html`<span class="warn">${words.events.warning} </span>`}
          <a href=${`#${path}`} onClick=${(event: Event) => open(event, path)}>
            ${place ? `${place}: ${message}` : message}
          </a>
        </li>`;
      })}
    </ul>
  </section>`;
}

import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { Field } from "../../../parts/form.ts";
import { html } from "../../../parts/html.ts";
import { words } from "../../../words/words.ts";
import { draftText, addItemKeys } from "./draft.ts";
import { useEditor } from "./editor.ts";

/** The draft as JSON. A text that is no JSON object is kept until it is one. */
export function JsonView(): VNode {
  const { editor } = useEditor();
  const { events } = words;
  const [text] = useState(() => draftText(editor.draft));
  const onInput = (event: Event) => {
    const typed = (event.currentTarget as HTMLTextAreaElement).value;
    try {
      const value: unknown = JSON.parse(typed);
      if (Object(value) !== value || Array.isArray(value)) throw new Error(events.notAnObject);
      // Unlike a replacement, a change does not draw the text anew.
      editor.change([], addItemKeys(value));
      editor.setTextFault("");
    } catch (error) {
      editor.setTextFault(error instanceof Error ? error.message : String(error));
    }
  };
  return html`<${Field}
    as="textarea"
    class="code tall"
    label=${events.json}
    name="json"
    hint=${events.jsonHint}
    fault=${editor.textFault || undefined}
    spellcheck=${false}
    defaultValue=${text}
    onInput=${onInput}
  />`;
}

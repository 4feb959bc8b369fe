import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { Field, Form, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { useAction } from "../../parts/use-action.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { words } from "../../words/words.ts";

/** Sets the path of the files that an import reads. */
export function PathForm({
  path,
  label,
  hint,
  onSend,
}: {
  readonly path: string;
  readonly label: string;
  readonly hint: string;
  readonly onSend: (path: string) => Promise<void>;
}): VNode {
  const action = useAction();
  const [isDirty, setDirty] = useState(false);
  useUnsavedWarning(isDirty);
  const save = async (values: FormData) => {
    await onSend(readTextField(values, "path"));
    setDirty(false);
  };
  return html`<details>
    <summary>${words.imports.files}</summary>
    <${Form} action=${action} onSend=${save} send=${words.actions.save} label=${words.imports.files}>
      <${Field}
        label=${label}
        name="path"
        hint=${hint}
        defaultValue=${path}
        maxlength="4096"
        spellcheck=${false}
        autocapitalize="none"
        onInput=${() => setDirty(true)}
        problem=${action.problem}
      />
    <//>
  </details>`;
}

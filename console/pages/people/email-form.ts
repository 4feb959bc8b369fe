import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { Field, Form, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { useAction } from "../../parts/use-action.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { changePerson } from "./change-person.ts";
import type { PersonProps } from "./person.ts";

/** Changes or removes the e-mail address. */
export function EmailForm({ person, read }: PersonProps): VNode {
  const action = useAction();
  const [isDirty, setDirty] = useState(false);
  const [isSaved, setSaved] = useState(false);
  // The field keeps what was typed if somebody else changes the address meanwhile.
  const [first] = useState(person.email ?? "");
  useUnsavedWarning(isDirty);
  const onSend = async (values: FormData) => {
    const email = readTextField(values, "email").trim() || null;
    await changePerson("email", { email }, person, read);
    setDirty(false);
    setSaved(true);
  };
  const onInput = () => {
    setDirty(true);
    setSaved(false);
  };
  return html`<h2>${words.people.email}</h2>
    <div onInput=${onInput}>
      <${Form}
        action=${action}
        onSend=${onSend}
        send=${words.person.changeEmail}
        label=${words.people.email}
      >
        <${Field}
          label=${words.person.newEmail}
          name="email"
          type="email"
          autocomplete="off"
          defaultValue=${first}
          hint=${words.person.emailHint}
          problem=${action.problem}
        />
        ${isSaved && html`<p class="good" role="status">${words.person.saved}</p>`}
      <//>
    </div>`;
}

import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { callApi } from "../../api/call.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { useAction } from "../../parts/use-action.ts";
import { words } from "../../words/words.ts";

/** Changes the password. The other sessions of the user end. */
export function PasswordForm(): VNode {
  const action = useAction();
  const [changes, setChanges] = useState(0);
  const onSend = async (values: FormData) => {
    const currentPassword = readTextField(values, "currentPassword");
    const newPassword = readTextField(values, "newPassword");
    await callApi("PATCH /auth/me/account/password", { body: { currentPassword, newPassword } });
    setChanges((count) => count + 1);
  };
  const { problem } = action;
  return html`<h2>${words.account.password}</h2>
    <p class="soft">${words.account.passwordHint}</p>
    ${changes > 0 && html`<p class="notice good" role="status">${words.account.passwordChanged}</p>`}
    <${Form}
      key=${changes}
      action=${action}
      onSend=${onSend}
      send=${words.account.changePassword}
      label=${words.account.password}
    >
      <${Field}
        label=${words.account.currentPassword}
        name="currentPassword"
        type="password"
        autocomplete="current-password"
        required
        problem=${problem}
      />
      <${Field}
        label=${words.account.newPassword}
        name="newPassword"
        type="password"
        autocomplete="new-password"
        required
        problem=${problem}
      />
    <//>`;
}

import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { callApi } from "../../api/call.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { type ActionState, useAction } from "../../parts/use-action.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { PeopleTabs } from "./people-tabs.ts";
import { readRoleAndEmail, RoleAndEmail } from "./role-and-email.ts";

type User = Awaited<ReturnType<typeof createUser>>;

function createUser(values: FormData) {
  const password = readTextField(values, "password");
  return callApi("POST /admin/users", {
    body: {
      username: readTextField(values, "username"),
      ...readRoleAndEmail(values),
      ...(password !== "" && { password }),
    },
  });
}

/** Creates an account without an invitation. */
export function NewPerson(): VNode {
  const action = useAction();
  const [isDirty, setDirty] = useState(false);
  const [created, setCreated] = useState<readonly User[]>([]);
  useUnsavedWarning(isDirty);
  const onSend = async (values: FormData) => {
    const user = await createUser(values);
    setDirty(false);
    setCreated((earlier) => [...earlier, user]);
  };
  return html`<h1>${words.pages.newPerson}</h1>
    <${PeopleTabs} />
    <p>${words.newPerson.hint}</p>
    ${created.map(
      ({ id, username }) =>
        html`<p key=${id} class="notice good" role="status">
          ${words.newPerson.created(username)}
          <a href=${`/console/people/${id}`}>${words.newPerson.open(username)}</a>
        </p>`,
    )}
    <div onInput=${() => setDirty(true)}>
      <${Form}
        key=${created.length}
        action=${action}
        onSend=${onSend}
        send=${words.newPerson.send}
        label=${words.pages.newPerson}
      >
        <${Fields} problem=${action.problem} />
      <//>
    </div>`;
}

const Fields = ({ problem }: Pick<ActionState, "problem">): VNode =>
  html`<${Field}
          label=${words.people.username}
          name="username"
          autocomplete="off"
          autocapitalize="none"
          spellcheck=${false}
          required
          problem=${problem}
        />
        <${RoleAndEmail} emailHint=${words.newPerson.emailHint} problem=${problem} />
        <${Field}
          label=${words.newPerson.password}
          name="password"
          type="password"
          autocomplete="new-password"
          hint=${words.newPerson.passwordHint}
          problem=${problem}
        />`;

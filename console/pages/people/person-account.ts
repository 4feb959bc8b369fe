import type { VNode } from "preact";

import { callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { useNavigate } from "../../shell/router.ts";
import { useAccessCheck, useSession } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { EmailForm } from "./email-form.ts";
import type { PersonProps } from "./person.ts";
import { RoleForm } from "./role-form.ts";

/** The account, and what can be changed in it. */
export function PersonAccount({ person, read }: PersonProps): VNode {
  const may = useAccessCheck();
  const { me } = useSession();
  const isOwn = me.id === person.id;
  return html`<dl>
      <dt>${words.person.number}</dt>
      <dd>${person.id}</dd>
      <dt>${words.people.role}</dt>
      <dd>${words.roles[person.role]}</dd>
      <dt>${words.people.email}</dt>
      <dd>${person.email ?? words.none}</dd>
      <dt>${words.people.state}</dt>
      <dd class=${person.disabled ? "bad" : "good"}>
        ${person.disabled ? words.people.disabled : words.person.enabled}
      </dd>
      <dt>${words.person.hasPassword}</dt>
      <dd>${person.has_password ? words.yes : words.no}</dd>
      <dt>${words.people.since}</dt>
      <dd>${formatTime(person.created_at)}</dd>
    </dl>
    ${
      may("PATCH /admin/users/{id}") &&
      html`<${RoleForm} person=${person} read=${read} />
      ${
        isOwn
          ? html`<p class="soft">${words.person.ownEmail}</p>`
          : html`<${EmailForm} person=${person} read=${read} />`
      }
      <${Disabling} person=${person} read=${read} />`
    }
    ${!isOwn && may("DELETE /admin/users/{id}") && html`<${Deletion} person=${person} />`}`;
}

/** Disables the account, or enables it again. */
function Disabling({ person: { id, username, disabled }, read }: PersonProps): VNode {
  const texts = disabled ? words.person.enable : words.person.disable;
  const onConfirm = async () =>
    read.set(
      await callApi("PATCH /admin/users/{id}", { path: { id }, body: { disabled: !disabled } }),
    );
  return html`<h2>${texts.heading}</h2>
    <p>${texts.hint}</p>
    <${ConfirmButton}
      text=${texts.send}
      title=${texts.title(username)}
      question=${texts.hint}
      confirm=${texts.send}
      onConfirm=${onConfirm}
      danger=${!disabled}
    />`;
}

function Deletion({ person: { id, username } }: Pick<PersonProps, "person">): VNode {
  const open = useNavigate();
  const onConfirm = async () => {
    await callApi("DELETE /admin/users/{id}", { path: { id } });
    open("/console/people");
  };
  const question = html`<p>${words.person.delete.effect}</p>
    <p><strong>${words.person.delete.final}</strong></p>`;
  return html`<h2>${words.person.delete.heading}</h2>
    <p>${words.person.delete.effect}</p>
    <${ConfirmButton}
      text=${words.person.delete.send}
      title=${words.person.delete.title(username)}
      question=${question}
      confirm=${words.person.delete.send}
      onConfirm=${onConfirm}
      danger
    />`;
}

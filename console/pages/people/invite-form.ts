import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { Field, Form } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { useAction } from "../../parts/use-action.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { readRoleAndEmail, RoleAndEmail } from "./role-and-email.ts";

type MadeInvite = AnswerOf<"POST /admin/invites">;

/** Invites a person, and shows the link if the site does not mail it. */
export function InviteForm({ onInvited }: { readonly onInvited: () => Promise<void> }): VNode {
  const action = useAction();
  const [made, setMade] = useState<MadeInvite | null>(null);
  const [isDirty, setDirty] = useState(false);
  useUnsavedWarning(isDirty);
  const onSend = async (values: FormData) => {
    setMade(await callApi("POST /admin/invites", { body: readRoleAndEmail(values) }));
    setDirty(false);
    await onInvited();
  };
  return html`<h2>${words.invitations.invite}</h2>
    <p>${words.invitations.hint}</p>
    ${made && html`<${Made} made=${made} />`}
    <div onInput=${() => setDirty(true)}>
      <${Form}
        key=${made?.id}
        action=${action}
        onSend=${onSend}
        send=${words.invitations.send}
        label=${words.invitations.invite}
      >
        <${RoleAndEmail} emailHint=${words.invitations.emailHint} problem=${action.problem} />
      <//>
    </div>`;
}

/** The link of a new invitation. The service does not show it again. */
function Made({
  made: { id, email, role, expiresAt, acceptUrl },
}: {
  readonly made: MadeInvite;
}): VNode {
  const [isCopied, setCopied] = useState("");
  const until = formatTime(expiresAt);
  if (acceptUrl === undefined) {
    return html`<p key=${id} class="notice good" role="status">
      ${words.invitations.mailed(email ?? "–", until)}
    </p>`;
  }
  const copy = async () => {
    // Browsers offer the clipboard only to pages that are loaded with TLS.
    if (!("clipboard" in navigator)) return;
    await navigator.clipboard.writeText(acceptUrl).then(
      () => setCopied(acceptUrl),
      () => setCopied(""),
    );
  };
  return html`<div key=${id} class="notice good" role="status">
    <p>${words.invitations.shownOnce(words.roles[role], until)}</p>
    <${Field} label=${words.invitations.link} name="link" readonly defaultValue=${acceptUrl} onFocus=${selectText} />
    <div class="buttons">
      ${
        "clipboard" in navigator &&
        html`<button type="button" onClick=${() => void copy()}>${words.invitations.copy}</button>`
      }
      ${isCopied === acceptUrl && html`<span class="good">${words.invitations.copied}</span>`}
    </div>
  </div>`;
}

const selectText = (event: FocusEvent): void => (event.currentTarget as HTMLInputElement).select();

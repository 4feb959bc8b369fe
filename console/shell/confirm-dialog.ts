import type { VNode } from "preact";

import type { Confirmation } from "../api/call.ts";
import type { Problem } from "../api/problem.ts";
import { Dialog } from "../parts/dialog.ts";
import { Field, Form, readTextField } from "../parts/form.ts";
import { html } from "../parts/html.ts";
import { ProblemView } from "../parts/problem-view.ts";
import { useAction } from "../parts/use-action.ts";
import { words } from "../words/words.ts";
import { useSession } from "./session.ts";
import { isAuthenticatorCode } from "./sign-in.ts";

/** Asks for the password, or for a code if the account has a second factor. */
export function ConfirmDialog({
  problem,
  onAnswer,
}: {
  readonly problem: Problem | null;
  readonly onAnswer: (given: Confirmation | null) => void;
}): VNode {
  const { me } = useSession();
  const action = useAction();
  const onSend = async (values: FormData) => {
    const secret = readTextField(values, "secret");
    const isCode = me.totp_enabled && isAuthenticatorCode(secret);
    onAnswer(isCode ? { code: secret } : { password: secret });
  };
  const label = me.totp_enabled ? words.confirm.passwordOrCode : words.confirm.password;
  return html`<${Dialog} title=${words.confirm.title} onClose=${() => onAnswer(null)}>
    <p>${words.confirm.reason}</p>
    <${ProblemView} problem=${problem} />
    <${Form} action=${action} onSend=${onSend} send=${words.confirm.send} label=${words.confirm.title}>
      <${Field}
        label=${label}
        name="secret"
        type="password"
        autocomplete="current-password"
        required
        autofocus
      />
    <//>
  <//>`;
}

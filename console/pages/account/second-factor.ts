import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { ProblemView } from "../../parts/problem-view.ts";
import { useAction } from "../../parts/use-action.ts";
import { useSession } from "../../shell/session.ts";
import { words } from "../../words/words.ts";

type Setup = AnswerOf<"POST /auth/me/account/totp/setup">;

/** Shows whether the second factor is on, and turns it on. */
export function SecondFactor(): VNode {
  const { me, refresh } = useSession();
  const action = useAction();
  const [setup, setSetup] = useState<Setup | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const start = () =>
    action.run(async () => setSetup(await callApi("POST /auth/me/account/totp/setup", {})));
  const replaceCodes = async () => {
    const answer = await callApi("POST /auth/me/recovery-codes/regenerate", {});
    setCodes(answer.codes);
  };
  const onEnabled = async (recoveryCodes: readonly string[]) => {
    setSetup(null);
    setCodes(recoveryCodes);
    await refresh();
  };
  return html`<h2>${words.account.secondFactor}</h2>
    <p>${me.totp_enabled ? words.account.isOn : words.account.isOff}</p>
    ${codes && html`<${RecoveryCodes} codes=${codes} />`}
    ${setup && html`<${EnableForm} setup=${setup} onEnabled=${onEnabled} />`}
    <${ProblemView} problem=${action.problem} />
    <div class="buttons">
      ${
        !me.totp_enabled &&
        !setup &&
        html`<button type="button" onClick=${() => void start()}>${words.account.setUp}</button>`
      }
      ${
        me.totp_enabled &&
        html`<${ConfirmButton}
        text=${words.account.newCodes}
        title=${words.account.newCodes}
        question=${words.account.newCodesEffect}
        confirm=${words.account.newCodes}
        onConfirm=${replaceCodes}
      />`
      }
    </div>`;
}

function EnableForm({
  setup,
  onEnabled,
}: {
  readonly setup: Setup;
  readonly onEnabled: (codes: readonly string[]) => Promise<void>;
}): VNode {
  const action = useAction();
  const onSend = async (values: FormData) => {
    const body = { code: readTextField(values, "code") };
    const answer = await callApi("POST /auth/me/account/totp/enable", { body });
    await onEnabled(answer.recoveryCodes);
  };
  return html`<div class="card">
    <p>${words.account.scan}</p>
    <img src=${setup.qr} alt=${words.account.qrCode} width="200" height="200" />
    <p class="soft">${words.account.typeInstead} <span class="code">${setup.secret}</span></p>
    <${Form} action=${action} onSend=${onSend} send=${words.account.turnOn} label=${words.account.secondFactor}>
      <${Field}
        label=${words.account.firstCode}
        name="code"
        inputmode="numeric"
        autocomplete="one-time-code"
        required
        problem=${action.problem}
      />
    <//>
  </div>`;
}

function RecoveryCodes({ codes }: { readonly codes: readonly string[] }): VNode {
  return html`<div class="notice good" role="status">
    <p>${words.account.codesHint}</p>
    <ul class="code">
      ${codes.map((code) => html`<li key=${code}>${code}</li>`)}
    </ul>
  </div>`;
}

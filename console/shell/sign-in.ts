import type { VNode } from "preact";
import { useState } from "preact/hooks";

import type { CurrentUser } from "../api/access.ts";
import { type AnswerOf, sendRequest } from "../api/call.ts";
import { readProblem } from "../api/problem.ts";
import { Field, Form, readTextField } from "../parts/form.ts";
import { html } from "../parts/html.ts";
import { useAction } from "../parts/use-action.ts";
import { useApiRead } from "../parts/use-read.ts";
import { words } from "../words/words.ts";

/** Returns true for a code of an authenticator app; false for a recovery code or a password. */
export const isAuthenticatorCode = (given: string): boolean =>
  /^\d{6}$/.test(given.replaceAll(/[\s-]/g, ""));

interface Props {
  readonly onSignedIn: (me: CurrentUser) => void;
  /** The user who signs in again. */
  readonly username?: string;
  readonly isInDialog?: boolean;
}

/** Signs a person in with a password and a second factor, or at a provider. */
export function SignIn({ onSignedIn, username = "", isInDialog = false }: Props): VNode {
  const [needsCode, setNeedsCode] = useState(false);
  const content = needsCode
    ? html`<${CodeForm} onSignedIn=${onSignedIn} onBack=${() => setNeedsCode(false)} />`
    : html`<${PasswordForm}
        onSignedIn=${onSignedIn}
        onChallenge=${() => setNeedsCode(true)}
        username=${username}
      />`;
  const all = html`${content} ${!needsCode && html`<${Providers} inNewTab=${isInDialog} />`}`;
  if (isInDialog) return all;
  return html`<main class="center">
    <h1>${words.title}</h1>
    ${all}
  </main>`;
}

/** Sends a sign-in. A refusal is shown, and never asks the person to sign in again. */
async function sendSignIn(
  name: "POST /auth/login" | "POST /auth/login/totp",
  body: object,
): Promise<AnswerOf<"POST /auth/login">> {
  const response = await sendRequest(name, { body });
  if (!response.ok) throw await readProblem(response);
  return (await response.json()) as AnswerOf<"POST /auth/login">;
}

function PasswordForm({
  onSignedIn,
  onChallenge,
  username,
}: {
  readonly onSignedIn: (me: CurrentUser) => void;
  readonly onChallenge: () => void;
  readonly username: string;
}): VNode {
  const action = useAction();
  const onSend = async (values: FormData) => {
    const answer = await sendSignIn("POST /auth/login", {
      username: readTextField(values, "username"),
      password: readTextField(values, "password"),
    });
    if ("totpRequired" in answer) onChallenge();
    else onSignedIn(answer.user);
  };
  return html`<${Form} action=${action} onSend=${onSend} send=${words.signIn.send} label=${words.signIn.send}>
    <${Field}
      label=${words.signIn.username}
      name="username"
      defaultValue=${username}
      autocomplete="username"
      autocapitalize="none"
      spellcheck=${false}
      maxlength="64"
      required
      autofocus=${username === ""}
    />
    <${Field}
      label=${words.signIn.password}
      name="password"
      type="password"
      autocomplete="current-password"
      required
      autofocus=${username !== ""}
    />
  <//>`;
}

function CodeForm({
  onSignedIn,
  onBack,
}: {
  readonly onSignedIn: (me: CurrentUser) => void;
  readonly onBack: () => void;
}): VNode {
  const action = useAction();
  const onSend = async (values: FormData) => {
    const given = readTextField(values, "code").trim();
    const isCode = isAuthenticatorCode(given);
    const trusts = values.get("trustDevice") === "on" && isCode;
    const answer = await sendSignIn("POST /auth/login/totp", {
      ...(isCode ? { code: given } : { recoveryCode: given }),
      ...(trusts && { trustDevice: true }),
    });
    if ("user" in answer) onSignedIn(answer.user);
  };
  const back = html`<button type="button" onClick=${onBack}>${words.actions.back}</button>`;
  return html`<${Form}
    action=${action}
    onSend=${onSend}
    send=${words.signIn.continue}
    label=${words.signIn.secondFactor}
    more=${back}
  >
    <${Field}
      label=${words.signIn.code}
      name="code"
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck=${false}
      maxlength="64"
      required
      autofocus
    />
    <${Field} label=${words.signIn.trust} name="trustDevice" type="checkbox" />
  <//>`;
}

/** Links to the providers. In a dialog, they open a new tab, because the page behind it may contain typed texts. */
function Providers({ inNewTab }: { readonly inNewTab: boolean }): VNode | null {
  const { data } = useApiRead("GET /auth/providers", {});
  if (!data || data.length === 0) return null;
  const back = inNewTab ? "/console/account" : location.pathname + location.search;
  const returnTo = encodeURIComponent(back);
  return html`<section aria-label=${words.signIn.providers}>
    <p class="soft">${inNewTab ? words.signIn.orInNewTab : words.signIn.or}</p>
    <div class="stack">
      ${data.map(
        ({ id, name, loginUrl }) =>
          html`<a
            key=${id}
            class="button"
            href=${`${loginUrl}?returnTo=${returnTo}`}
            target=${inNewTab ? "_blank" : undefined}
          >
            ${words.signIn.at(name)}
          </a>`,
      )}
    </div>
  </section>`;
}
